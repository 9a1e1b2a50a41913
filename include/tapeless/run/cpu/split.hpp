// SPDX-License-Identifier: BSL-1.0
// Splits a pass or a product over a team of threads, along an axis that is not reduced.
#pragma once

#include <array>

#include <tapeless/run/cpu/pass.hpp>
#include <tapeless/run/cpu/product.hpp>
#include <tapeless/run/cpu/thread_team.hpp>

namespace tapeless::cpu_kernels {

/// Below so many elements, or multiplications, one thread is done before the others have started.
inline constexpr std::int64_t least_elements = 1 << 14;
inline constexpr std::int64_t least_multiplications = 1 << 18;
inline constexpr int most_operands = 80;

/// The axis to split a pass along: the outermost of more than one step whose turns write to different
/// elements; -1 where there is none.
constexpr int axis_to_split(const pass_call& call) {
  for (int d = 0; d < call.rank; ++d)
    if (((call.reduced | call.ordered) >> d & 1u) == 0 && call.extents[d] > 1) return d;
  return -1;
}

/// Runs a pass on the team.
inline void run_split(thread_team& team, void (*kernel)(const pass_call&), const pass_call& call) {
  if (team.size() == 1) return kernel(call);
  std::int64_t elements = 1;
  for (int d = 0; d < call.rank; ++d) elements *= call.extents[d];
  const int axis = axis_to_split(call);
  const auto count = static_cast<std::size_t>(call.operand_count);
  if (elements < least_elements || axis < 0 || count > most_operands) return kernel(call);
  // Within the innermost axis whole cache lines stay together.
  const std::int64_t grain = axis == call.rank - 1 ? 64 : 1;
  team.run([&](int part) {
    const range_part range = part_of(call.extents[axis], team.size(), part, grain);
    if (range.size == 0) return;
    std::array<pass_operand, most_operands> operands;
    for (std::size_t k = 0; k < count; ++k) {
      pass_operand& o = operands[k] = call.operands[k];
      o.first_index += range.begin * o.strides[axis];
      o.data = moved(o.data, range.begin * o.strides[axis] * o.size);
    }
    pass_call own = call;
    own.extents[axis] = range.size;
    own.operands = operands.data();
    kernel(own);
  });
}

/// Calls f with the extents m and n of the product as a whole, and of each part that a thread may get.
template <class F>
void for_each_part(const thread_team& team, const product_call& call, F f) {
  f(call.m, call.n);
  for (int part = 0; part < team.size(); ++part)
    call.m >= call.n ? f(part_of(call.m, team.size(), part, 16).size, call.n)
                     : f(call.m, part_of(call.n, team.size(), part, 16).size);
}

/// Runs a batch of products on the team: by rows or columns of the results, whichever are more.
inline void run_split(thread_team& team, void (*kernel)(const product_call&), const product_call& call) {
  if (team.size() == 1 || call.batches * call.m * call.n * call.k < least_multiplications) {
    product_call own = call;
    own.workspace = team.workspace(0);
    return kernel(own);
  }
  const bool by_rows = call.m >= call.n;
  const int row = call.batch_rank, column = row + 1;
  team.run([&](int part) {
    const range_part range = part_of(by_rows ? call.m : call.n, team.size(), part, 16);
    if (range.size == 0) return;
    product_call own = call;
    own.workspace = team.workspace(part);
    (by_rows ? own.m : own.n) = range.size;
    const auto move = [&](product_operand& o, int axis) {
      o.data += range.begin * o.strides[axis] * call.element_size;
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
