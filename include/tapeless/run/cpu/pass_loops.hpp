// SPDX-License-Identifier: BSL-1.0
// The loops around a pass's innermost one. They are the same code for all passes, so that only what one
// computes has to be compiled for it.
#pragma once

#include <cstdint>
#include <limits>

#include <tapeless/run/calls.hpp>
#include <tapeless/run/cpu/accumulators.hpp>

namespace tapeless::cpu_kernels {

/// Where an operand of a run of turns starts, and how far its elements are apart.
struct operand_place {
  std::byte* data;
  std::int64_t stride;
  std::int64_t index;  // of lane::index
};

/// What a pass has added up; its accumulators are derived from this.
struct pass_sums {
  level_counts filled;
};

/// What one pass does within the loops that all have.
struct pass_functions {
  /// So many turns of the innermost loop.
  void (*innermost)(const pass_call&, const operand_place*, std::int64_t count, bool first, pass_sums&);

  // Of passes that reduce:
  void (*begin)(pass_sums&) = nullptr;
  /// Writes the results; along rows, those of `size` neighbours from `begin` on.
  void (*finish)(pass_sums&, const operand_place*, std::int64_t begin, std::int64_t size,
                 bool first) = nullptr;
  /// Without any element reductions still have results: what they start from.
  void (*fill_empty)(const pass_call&) = nullptr;
  /// So many partial results may be added to one another in the memory of the result.
  std::int64_t most_in_memory = std::numeric_limits<std::int64_t>::max();

  // Of passes that reduce over other loops than the innermost one:
  /// Lets the stores that reduce add to the first level of their accumulators.
  void (*redirect)(pass_sums&, operand_place*) = nullptr;
  /// After a row of so many neighbours.
  void (*next_row)(pass_sums&, std::int64_t size) = nullptr;
  std::int64_t tile = 0;  // so many neighbours fit into the accumulators
};

namespace detail {

// Moves all operands by so many turns of loop d.
inline void step(const pass_call& call, operand_place* place, int d, std::int64_t count) {
  for (int k = 0; k < call.operand_count; ++k) {
    const pass_operand& o = call.operands[k];
    const std::int64_t elements = count * o.strides[d];
    place[k].data = moved(place[k].data, elements * o.size);
    place[k].index += elements;
  }
}

// The next turn of n loops; false where they are at their start again.
inline bool advance(const pass_call& call, operand_place* place, std::int64_t* position, const int* axes,
                    int n) {
  for (int j = n - 1; j >= 0; --j) {
    const int d = axes[j];
    step(call, place, d, 1);
    if (++position[d] < call.extents[d]) return true;
    step(call, place, d, -call.extents[d]);
    position[d] = 0;
  }
  return false;
}

}  // namespace detail

/// Runs all loops of a pass. place and tile are memory for its operands' places.
inline void run_loops(const pass_call& call, const pass_functions& pass, operand_place* place,
                      operand_place* tile, pass_sums& sums) {
  const int innermost = call.rank - 1;
  for (int k = 0; k < call.operand_count; ++k) {
    const pass_operand& o = call.operands[k];
    place[k] = {o.data, call.rank == 0 ? 0 : o.strides[innermost], o.first_index};
  }
  for (int d = 0; d < call.rank; ++d) {
    if (call.extents[d] != 0) continue;
    if (pass.fill_empty != nullptr && !call.accumulates) pass.fill_empty(call);
    return;
  }
  const std::int64_t count = call.rank == 0 ? 1 : call.extents[innermost];
  const outer_loops loops(call, pass.most_in_memory);
  const bool by_tiles = pass.tile > 0 && loops.in_accumulators;
  const std::int64_t size = by_tiles ? pass.tile : count;
  std::int64_t position[max_rank] = {};
  do {
    const bool first = !call.accumulates && loops.at_first(call, position);
    for (std::int64_t begin = 0; begin < count; begin += size) {
      const std::int64_t n = begin + size < count ? size : count - begin;
      if (pass.begin != nullptr) pass.begin(sums);
      operand_place* here = place;
      if (loops.in_accumulators) {  // the stores that reduce do not move
        here = tile;
        for (int k = 0; k < call.operand_count; ++k) {
          const std::int64_t elements = begin * place[k].stride;
          tile[k] = {moved(place[k].data, elements * call.operands[k].size), place[k].stride,
                     place[k].index + elements};
        }
        if (by_tiles) pass.redirect(sums, tile);
      }
      do {
        pass.innermost(call, here, n, by_tiles ? sums.filled.first_is_empty() : first, sums);
        if (by_tiles) pass.next_row(sums, n);
      } while (detail::advance(call, here, position, loops.axis + loops.kept, loops.count - loops.kept));
      if (pass.finish != nullptr) pass.finish(sums, place, begin, by_tiles ? n : 0, first);
    }
  } while (detail::advance(call, place, position, loops.axis, loops.kept));
}

}  // namespace tapeless::cpu_kernels
