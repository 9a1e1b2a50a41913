// SPDX-License-Identifier: BSL-1.0
// The loops around a pass's rows. They are the same code for all passes, so that only what one computes has
// to be compiled for it.
#pragma once

#include <cstdint>
#include <limits>

#include <tapeless/run/calls.hpp>
#include <tapeless/run/cpu/accumulators.hpp>

namespace tapeless::cpu_kernels {

/// Where an operand starts, how far its elements are apart, and how far it is to the next row of them.
struct operand_place {
  std::byte* data;
  std::int64_t stride;
  std::int64_t index;  // of lane::index
  std::int64_t next_bytes, next_index;
};

/// What a pass has added up; its accumulators are derived from this.
struct pass_sums {
  level_counts filled;
};

/// Turns of a pass's innermost loop, row after row of another one.
struct pass_rows {
  std::int64_t rows = 1, count = 0;
  bool first = true;             // what is in memory is not yet a partial result
  bool are_one_result = false;   // rows after the first one go on from it
  bool in_accumulators = false;  // what is reduced is added up there
};

/// What one pass does within the loops that all have.
struct pass_functions {
  /// Precondition: there is a row. Leaves the operands at the last one.
  void (*run_rows)(const pass_call&, operand_place*, const pass_rows&, pass_sums&);

  // Of passes that reduce:
  void (*begin)(pass_sums&) = nullptr;
  /// Writes what is in the accumulators; along rows, the results of `size` neighbours from `begin` on.
  void (*finish)(pass_sums&, const operand_place*, std::int64_t begin, std::int64_t size,
                 bool first) = nullptr;
  /// Without any element reductions still have results: what they start from.
  void (*fill_empty)(const pass_call&) = nullptr;
  /// So many partial results may be added to one another in the memory of the result.
  std::int64_t most_in_memory = std::numeric_limits<std::int64_t>::max();

  // Of passes that reduce over other loops than the innermost one:
  /// Lets the stores that reduce add to the first level of their accumulators.
  void (*redirect)(pass_sums&, operand_place*) = nullptr;
  std::int64_t tile = 0;  // so many neighbours fit into the accumulators
};

namespace detail {

// Some of a pass's loops, and where the operands are in their turn.
struct loops_of {
  const pass_call& call;
  operand_place* place;
  const int* axes;
  int count;

  /// Moves the operands back over these rows, and on to the next turn; false where that is the first one
  /// again.
  bool next(std::int64_t* position, const pass_rows& rows) const {
    if (count <= 0) return false;
    for (int k = 0; k < call.operand_count; ++k) {
      place[k].data = moved(place[k].data, (1 - rows.rows) * place[k].next_bytes);
      place[k].index += (1 - rows.rows) * place[k].next_index;
    }
    return next(position);
  }

  /// The next turn; false where the operands are at the first one again.
  bool next(std::int64_t* position) const {
    for (int j = count - 1; j >= 0; --j) {
      const int d = axes[j];
      if (++position[d] < call.extents[d]) {
        move(d, 1);
        return true;
      }
      move(d, 1 - call.extents[d]);
      position[d] = 0;
    }
    return false;
  }

 private:
  // Moves all operands by so many turns of loop d.
  void move(int d, std::int64_t turns) const {
    for (int k = 0; k < call.operand_count; ++k) {
      const pass_operand& o = call.operands[k];
      const std::int64_t elements = turns * o.strides[d];
      place[k].data = moved(place[k].data, elements * o.size);
      place[k].index += elements;
    }
  }
};

// The turns of loop d are rows, from the operands' places on; -1 stands for a single one.
inline pass_rows rows_along(const pass_call& call, int d, std::int64_t count, operand_place* place) {
  for (int k = 0; k < call.operand_count; ++k) {
    const pass_operand& o = call.operands[k];
    place[k].next_index = d < 0 ? 0 : o.strides[d];
    place[k].next_bytes = place[k].data == nullptr ? 0 : place[k].next_index * o.size;
  }
  if (d < 0) return {.count = count};
  return {.rows = call.extents[d], .count = count, .are_one_result = (call.reduced >> d & 1u) != 0};
}

// All that is reduced is added up in the memory of the result, but for the innermost loop.
inline void run_in_memory(const pass_call& call, const pass_functions& pass, const outer_loops& order,
                          std::int64_t count, operand_place* place, pass_sums& sums) {
  const int last = order.count - 1;
  pass_rows rows = rows_along(call, last < 0 ? -1 : order.axis[last], count, place);
  const loops_of loops{call, place, order.axis, last};
  std::int64_t position[max_rank] = {};
  do {
    rows.first = !call.accumulates && order.at_first(call, position);
    pass.run_rows(call, place, rows, sums);
  } while (loops.next(position, rows));
}

// One result, or one tile of them, after the other; the stores that reduce do not move within it.
inline void run_in_accumulators(const pass_call& call, const pass_functions& pass, const outer_loops& order,
                                std::int64_t count, operand_place* place, operand_place* tile,
                                pass_sums& sums) {
  const bool by_tiles = pass.tile > 0;
  const std::int64_t size = by_tiles ? pass.tile : count;
  const loops_of results{call, place, order.axis, order.kept};
  const int last = order.count - 1;
  const loops_of reduced{call, tile, order.axis + order.kept, last - order.kept};
  std::int64_t position[max_rank] = {};
  do {
    for (std::int64_t begin = 0; begin < count; begin += size) {
      const std::int64_t n = begin + size < count ? size : count - begin;
      for (int k = 0; k < call.operand_count; ++k) {
        const std::int64_t elements = begin * place[k].stride;
        tile[k] = {moved(place[k].data, elements * call.operands[k].size), place[k].stride,
                   place[k].index + elements, 0, 0};
      }
      pass.begin(sums);
      if (by_tiles) pass.redirect(sums, tile);
      pass_rows rows = rows_along(call, last < order.kept ? -1 : order.axis[last], n, tile);
      rows.in_accumulators = true;
      do {
        pass.run_rows(call, tile, rows, sums);
      } while (reduced.next(position, rows));
      pass.finish(sums, place, begin, by_tiles ? n : 0, !call.accumulates);
    }
  } while (results.next(position));
}

}  // namespace detail

/// Runs all loops of a pass. place and tile are memory for its operands' places.
inline void run_loops(const pass_call& call, const pass_functions& pass, operand_place* place,
                      operand_place* tile, pass_sums& sums) {
  for (int d = 0; d < call.rank; ++d) {
    if (call.extents[d] != 0) continue;
    if (pass.fill_empty != nullptr && !call.accumulates) pass.fill_empty(call);
    return;
  }
  const int innermost = call.rank - 1;
  const std::int64_t count = call.rank == 0 ? 1 : call.extents[innermost];
  for (int k = 0; k < call.operand_count; ++k) {
    const pass_operand& o = call.operands[k];
    place[k] = {o.data, call.rank == 0 ? 0 : o.strides[innermost], o.first_index, 0, 0};
  }
  if (call.rank <= 1 && pass.begin == nullptr)  // one row
    return pass.run_rows(call, place, {.count = count}, sums);
  const outer_loops order(call, pass.most_in_memory);
  if (order.in_accumulators) return detail::run_in_accumulators(call, pass, order, count, place, tile, sums);
  detail::run_in_memory(call, pass, order, count, place, sums);
}

}  // namespace tapeless::cpu_kernels
