// SPDX-License-Identifier: BSL-1.0
// The loops around a fused kernel's rows. They are the same code for all fused kernels, so that only what one
// computes has to be compiled for it.
#pragma once

#include <cstdint>
#include <utility>

#include <tapeless/graph/core/compiled_once.hpp>
#include <tapeless/run/common/launch_arguments.hpp>
#include <tapeless/run/common/order_of_sums.hpp>
#include <tapeless/run/cpu/fused/kernel_functions.hpp>
#include <tapeless/run/cpu/fused/packed_rows.hpp>

namespace tapeless::cpu_kernels {

namespace detail {

// Some of a fused kernel's loops, and where the operands are in them.
struct loops_of {
  const fused_kernel_arguments& arguments;
  operand_place* place;
  const int* axes;
  int count;

  /// Moves the operands back over these rows, and on to the next iteration; false where that is the first one
  /// again.
  bool next(std::int64_t* position, const kernel_rows& rows, const operand_step* step) const {
    if (count <= 0) return false;
    for (int k = 0; k < arguments.operand_count; ++k) {
      place[k].data = moved(place[k].data, (1 - rows.rows) * step[k].bytes);
      place[k].index += (1 - rows.rows) * step[k].index;
    }
    return next(position);
  }

  /// The next iteration; false where the operands are at the first one again.
  bool next(std::int64_t* position) const {
    for (int j = count - 1; j >= 0; --j) {
      const int d = axes[j];
      if (++position[d] < arguments.extents[d]) {
        move(d, 1);
        return true;
      }
      move(d, 1 - arguments.extents[d]);
      position[d] = 0;
    }
    return false;
  }

 private:
  // Moves all operands by so many iterations of loop d.
  void move(int d, std::int64_t iterations) const {
    for (int k = 0; k < arguments.operand_count; ++k) {
      const fused_kernel_operand& o = arguments.operands[k];
      const std::int64_t elements = iterations * o.strides[d];
      place[k].data = moved(place[k].data, elements * o.size);
      place[k].index += elements;
    }
  }
};

// The iterations of loop d are rows, from the operands' places on; -1 stands for a single one.
inline kernel_rows rows_along(const fused_kernel_arguments& arguments, int d, std::int64_t count,
                              operand_step* step) {
  for (int k = 0; k < arguments.operand_count; ++k) {
    const fused_kernel_operand& o = arguments.operands[k];
    step[k].index = d < 0 ? 0 : o.strides[d];
    step[k].bytes = o.data == nullptr ? 0 : step[k].index * o.size;
  }
  if (d < 0) return {.count = count};
  return {.rows = arguments.extents[d], .count = count, .are_one_result = (arguments.reduced >> d & 1u) != 0};
}

// Runs rows from the operands' places on.
inline void run_rows(const fused_kernel_arguments& arguments, const kernel_functions& kernel,
                     operand_place* place, const operand_step* step, const kernel_rows& rows,
                     const packed_operands& packed, const packed_tile& tile, kernel_sums& sums) {
  if (tile.rows > 0) return run_packed_rows(arguments, kernel, place, step, rows, packed, tile, sums);
  kernel.run_rows(arguments, place, step, rows, sums);
}

// Where the loop around short rows has few iterations, the one around it is run inside of it: what is done
// between rows takes as long as some of them. Memory is then passed over as often, so not where caches are
// too small for it.
inline void put_longer_loop_last(const fused_kernel_arguments& arguments, const operand_place* place,
                                 outer_loops& order) {
  constexpr std::int64_t few = 8, short_row = 64, most_elements = 1 << 20;
  if (order.count < 2 || arguments.extents[arguments.rank - 1] > short_row) return;
  int &last = order.axis[order.count - 1], &next = order.axis[order.count - 2];
  if (arguments.extents[last] >= few || arguments.extents[next] <= arguments.extents[last]) return;
  if (iterations_of(arguments) > most_elements) return;
  for (int k = 0; k < arguments.operand_count; ++k)
    if (place[k].stride > 1 && arguments.operands[k].strides[last] == 1) return;  // such rows are packed
  std::swap(last, next);
}

// All that is reduced is added up in the memory of the result, but for the innermost loop.
inline void run_in_memory(const fused_kernel_arguments& arguments, const kernel_functions& kernel,
                          const outer_loops& order, std::int64_t count, operand_place* place,
                          operand_step* step, const packed_operands& packed, kernel_sums& sums) {
  const int last = order.count - 1;
  kernel_rows rows = rows_along(arguments, last < 0 ? -1 : order.axis[last], count, step);
  const packed_tile packed_rows = tile_for(arguments, kernel, place, step, rows);
  const loops_of loops{arguments, place, order.axis, last};
  std::int64_t position[max_rank] = {};
  do {
    rows.first = !arguments.accumulates && order.at_first(arguments, position);
    run_rows(arguments, kernel, place, step, rows, packed, packed_rows, sums);
  } while (loops.next(position, rows, step));
}

// One result, or one tile of them, after the other; the stores that reduce do not move within it.
inline void run_in_accumulators(const fused_kernel_arguments& arguments, const kernel_functions& kernel,
                                const outer_loops& order, std::int64_t count, operand_place* place,
                                operand_place* tile, operand_step* step, const packed_operands& packed,
                                kernel_sums& sums) {
  const bool by_tiles = kernel.tile > 0;
  const std::int64_t size = by_tiles ? kernel.tile : count;
  const loops_of results{arguments, place, order.axis, order.kept};
  const int last = order.count - 1;
  const loops_of reduced{arguments, tile, order.axis + order.kept, last - order.kept};
  kernel_rows rows =
      rows_along(arguments, last < order.kept ? -1 : order.axis[last], size < count ? size : count, step);
  rows.in_accumulators = true;
  const packed_tile packed_rows = tile_for(arguments, kernel, place, step, rows);
  std::int64_t position[max_rank] = {};
  do {
    for (std::int64_t begin = 0; begin < count; begin += size) {
      const std::int64_t n = begin + size < count ? size : count - begin;
      for (int k = 0; k < kernel.operand_count; ++k) {
        const std::int64_t elements = begin * place[k].stride;
        tile[k] = {moved(place[k].data, elements * arguments.operands[k].size), place[k].stride,
                   place[k].index + elements};
      }
      kernel.begin(sums);
      if (by_tiles) kernel.redirect(sums, tile + kernel.first_store);
      rows.count = n;
      do {
        run_rows(arguments, kernel, tile, step, rows, packed, packed_rows, sums);
      } while (reduced.next(position, rows, step));
      kernel.finish(sums, place + kernel.first_store, begin, by_tiles ? n : 0, !arguments.accumulates);
    }
  } while (results.next(position));
}

}  // namespace detail

/// Sets the places of a fused kernel of at most one loop; returns how many elements it has.
[[gnu::noinline]] inline std::int64_t start_row(const fused_kernel_arguments& arguments, int operand_count,
                                                operand_place* place) {
  for (int k = 0; k < operand_count; ++k) {
    const fused_kernel_operand& o = arguments.operands[k];
    place[k] = {o.data, o.strides[0], o.first_index};  // no axis, no stride
  }
  return arguments.rank == 0 ? 1 : arguments.extents[0];
}

/// Runs all loops of a fused kernel. place, tile, step and packed are memory for its operands.
template <class = compiled_once>
void run_loops(const fused_kernel_arguments& arguments, const kernel_functions& kernel, operand_place* place,
               operand_place* tile, operand_step* step, const packed_operands& packed, kernel_sums& sums) {
  for (int d = 0; d < arguments.rank; ++d) {
    if (arguments.extents[d] != 0) continue;
    if (kernel.fill_empty != nullptr && !arguments.accumulates)
      kernel.fill_empty(arguments, kernel.first_store);
    return;
  }
  const int innermost = arguments.rank - 1;
  const std::int64_t count = arguments.rank == 0 ? 1 : arguments.extents[innermost];
  for (int k = 0; k < kernel.operand_count; ++k) {
    const fused_kernel_operand& o = arguments.operands[k];
    place[k] = {o.data, arguments.rank == 0 ? 0 : o.strides[innermost], o.first_index};
  }
  outer_loops order(arguments, kernel.most_in_memory);
  if (kernel.begin == nullptr && arguments.ordered == 0)
    detail::put_longer_loop_last(arguments, place, order);
  if (order.in_accumulators)
    return detail::run_in_accumulators(arguments, kernel, order, count, place, tile, step, packed, sums);
  detail::run_in_memory(arguments, kernel, order, count, place, step, packed, sums);
}

}  // namespace tapeless::cpu_kernels
