// SPDX-License-Identifier: BSL-1.0
// Rows of a fused kernel that step through an operand against its order in memory, as those of a
// transposition do. Tiles of them go through memory in which the rows are contiguous.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <tapeless/graph/core/compiled_once.hpp>
#include <tapeless/run/cpu/fused/kernel_functions.hpp>
#include <tapeless/run/cpu/fused/transposed_copy.hpp>

namespace tapeless::cpu_kernels {

/// Memory for the places and steps of a kernel's operands.
struct packed_operands {
  operand_place* place;
  operand_step* step;
};

/// So many rows and columns are packed at once; 0 where none are.
struct packed_tile {
  std::int64_t rows = 0, columns = 0;
};

namespace detail {

inline constexpr std::int64_t packed_bytes = 1 << 15;  // of all operands of a tile
inline constexpr std::int64_t line_bytes = 64;         // of a cache line: so many rows are packed
inline constexpr std::int64_t least_packed_rows = 4;   // of fewer, packing reads as many lines as the kernel

/// Whether an operand's elements are contiguous from row to row, but not along rows.
inline bool is_against_order(const fused_kernel_operand& o, const operand_place& place,
                             const operand_step& step) {
  return o.data != nullptr && place.stride > 1 && step.bytes == o.size;
}

/// Kernels that reduce along rows get whole rows, and so do accumulators. Results that are read again, or
/// that several iterations write, stay where they are.
inline packed_tile tile_for(const fused_kernel_arguments& arguments, const kernel_functions& kernel,
                            const operand_place* place, const operand_step* step, const kernel_rows& run) {
  if (run.rows == 1) return {};
  std::int64_t bytes = 0, least = 8;
  for (int k = 0; k < kernel.operand_count; ++k) {
    if (!is_against_order(arguments.operands[k], place[k], step[k])) continue;
    if (k >= kernel.first_store && (kernel.begin != nullptr || arguments.ordered != 0)) return {};
    bytes += arguments.operands[k].size;
    least = std::min(least, arguments.operands[k].size);
  }
  if (bytes == 0) return {};
  const std::int64_t rows = std::min(run.rows, line_bytes / least);
  const std::int64_t most = packed_bytes / bytes / rows / line_bytes * line_bytes;
  if (most == 0) return {};
  if (run.count <= most) return {rows, run.count};
  const bool takes_whole_rows = kernel.begin != nullptr && (kernel.tile == 0 || run.in_accumulators);
  if (!takes_whole_rows) return {rows, most};
  const std::int64_t whole = packed_bytes / bytes / run.count;
  return whole < least_packed_rows ? packed_tile{} : packed_tile{whole, run.count};
}

}  // namespace detail

/// Runs rows of a fused kernel from the operands' places on, tile by tile.
template <class = compiled_once>
void run_packed_rows(const fused_kernel_arguments& arguments, const kernel_functions& kernel,
                     operand_place* place, const operand_step* step, const kernel_rows& run,
                     const packed_operands& packed, const packed_tile& size, kernel_sums& sums) {
  alignas(64) std::byte room[detail::packed_bytes];
  for (std::int64_t row = 0; row < run.rows; row += size.rows)
    for (std::int64_t column = 0; column < run.count; column += size.columns) {
      kernel_rows tile = run;
      tile.rows = std::min(size.rows, run.rows - row);
      tile.count = std::min(size.columns, run.count - column);
      tile.first = run.first && (row == 0 || !run.are_one_result);
      std::byte* next = room;
      for (int k = 0; k < kernel.operand_count; ++k) {
        const fused_kernel_operand& o = arguments.operands[k];
        const std::int64_t elements = column * place[k].stride;
        std::byte* const data = moved(place[k].data, row * step[k].bytes + elements * o.size);
        packed.place[k] = {data, place[k].stride, place[k].index + row * step[k].index + elements};
        packed.step[k] = step[k];
        if (!detail::is_against_order(o, place[k], step[k])) continue;
        packed.place[k].data = next;
        packed.place[k].stride = 1;
        packed.step[k].bytes = size.columns * o.size;
        if (k < kernel.first_store)
          copy_transposed(o.size, data, place[k].stride, next, size.columns, tile.count, tile.rows);
        next += size.rows * size.columns * o.size;
      }
      kernel.run_rows(arguments, packed.place, packed.step, tile, sums);
      next = room;
      for (int k = 0; k < kernel.operand_count; ++k) {
        const fused_kernel_operand& o = arguments.operands[k];
        if (!detail::is_against_order(o, place[k], step[k])) continue;
        std::byte* const data = place[k].data + (row + column * place[k].stride) * o.size;
        if (k >= kernel.first_store)
          copy_transposed(o.size, next, size.columns, data, place[k].stride, tile.rows, tile.count);
        next += size.rows * size.columns * o.size;
      }
    }
  for (int k = 0; k < kernel.operand_count; ++k) {  // run_rows leaves them at the last row
    place[k].data = moved(place[k].data, (run.rows - 1) * step[k].bytes);
    place[k].index += (run.rows - 1) * step[k].index;
  }
}

}  // namespace tapeless::cpu_kernels
