// SPDX-License-Identifier: BSL-1.0
// Splits a fused kernel or a product over a team of threads, along an axis that is not reduced.
#pragma once

#include <array>

#include <tapeless/run/cpu/fused_kernel.hpp>
#include <tapeless/run/cpu/product.hpp>
#include <tapeless/run/cpu/thread_team.hpp>

namespace tapeless::cpu_kernels {

/// Below so many elements, or multiplications, one thread is done before the others have started.
inline constexpr std::int64_t least_elements = 1 << 14;
inline constexpr std::int64_t least_multiplications = 1 << 18;
inline constexpr int most_operands = 80;

/// The axis to split a fused kernel along: the outermost, of more than one iteration, whose iterations write
/// to different elements; -1 where there is none.
constexpr int axis_to_split(const fused_kernel_arguments& arguments) {
  for (int d = 0; d < arguments.rank; ++d)
    if (((arguments.reduced | arguments.ordered) >> d & 1u) == 0 && arguments.extents[d] > 1) return d;
  return -1;
}

/// Runs a fused kernel on the team.
inline void run_split(thread_team& team, void (*kernel)(const fused_kernel_arguments&),
                      const fused_kernel_arguments& arguments) {
  if (team.size() == 1) return kernel(arguments);
  std::int64_t elements = 1;
  for (int d = 0; d < arguments.rank; ++d) elements *= arguments.extents[d];
  const int axis = axis_to_split(arguments);
  const auto count = static_cast<std::size_t>(arguments.operand_count);
  if (elements < least_elements || axis < 0 || count > most_operands) return kernel(arguments);
  // Within the innermost axis whole cache lines stay together.
  const std::int64_t grain = axis == arguments.rank - 1 ? 64 : 1;
  team.run([&](int part) {
    const range_part range = part_of(arguments.extents[axis], team.size(), part, grain);
    if (range.size == 0) return;
    std::array<fused_kernel_operand, most_operands> operands;
    for (std::size_t k = 0; k < count; ++k) {
      fused_kernel_operand& o = operands[k] = arguments.operands[k];
      o.first_index += range.begin * o.strides[axis];
      o.data = moved(o.data, range.begin * o.strides[axis] * o.size);
    }
    fused_kernel_arguments own = arguments;
    own.extents[axis] = range.size;
    own.operands = operands.data();
    kernel(own);
  });
}

/// Calls f with the extents m and n of the product as a whole, and of each part that a thread may get.
template <class F>
void for_each_part(const thread_team& team, const product_arguments& arguments, F f) {
  f(arguments.m, arguments.n);
  for (int part = 0; part < team.size(); ++part)
    arguments.m >= arguments.n ? f(part_of(arguments.m, team.size(), part, 16).size, arguments.n)
                               : f(arguments.m, part_of(arguments.n, team.size(), part, 16).size);
}

/// Runs a batch of products on the team: by rows or columns of the results, whichever are more.
inline void run_split(thread_team& team, void (*kernel)(const product_arguments&),
                      const product_arguments& arguments) {
  if (team.size() == 1 ||
      arguments.batches * arguments.m * arguments.n * arguments.k < least_multiplications) {
    product_arguments own = arguments;
    own.workspace = team.workspace(0);
    return kernel(own);
  }
  const bool by_rows = arguments.m >= arguments.n;
  const int row = arguments.batch_rank, column = row + 1;
  team.run([&](int part) {
    const range_part range = part_of(by_rows ? arguments.m : arguments.n, team.size(), part, 16);
    if (range.size == 0) return;
    product_arguments own = arguments;
    own.workspace = team.workspace(part);
    (by_rows ? own.m : own.n) = range.size;
    const auto move = [&](product_operand& o, int axis) {
      o.data += range.begin * o.strides[axis] * arguments.element_size;
    };
    move(own.c, by_rows ? row : column);
    if (by_rows) {
      move(own.a, row);
    } else {
      move(own.b, column);
    }
    kernel(own);
  });
}

}  // namespace tapeless::cpu_kernels
