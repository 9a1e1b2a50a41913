// SPDX-License-Identifier: BSL-1.0
// What the loops of all fused kernels know of one: where its operands are, and the functions that run its
// rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include <tapeless/run/common/launch_arguments.hpp>
#include <tapeless/run/common/order_of_sums.hpp>

namespace tapeless::cpu_kernels {

/// Where an operand's row starts, and how far its elements are apart.
struct operand_place {
  std::byte* data;
  std::int64_t stride;
  std::int64_t index;  // of lane::index
};
/// How far it is to the operand's next row.
struct operand_step {
  std::int64_t bytes, index;
};

/// What a fused kernel has added up; its accumulators are derived from this.
struct kernel_sums {
  level_counts filled;
};

/// Iterations of a fused kernel's innermost loop, row after row of another one.
struct kernel_rows {
  std::int64_t rows = 1, count = 0;
  bool first = true;             // what is in memory is not yet a partial result
  bool are_one_result = false;   // rows after the first one go on from it
  bool in_accumulators = false;  // what is reduced is added up there
};

/// What one fused kernel does within the loops that all have.
struct kernel_functions {
  int operand_count;  // the compiler knows it, and so that all their places are set
  int first_store;    // its results are the operands from here on
  /// Precondition: there is a row. Leaves the operands at the last one.
  void (*run_rows)(const fused_kernel_arguments&, operand_place*, const operand_step*, const kernel_rows&,
                   kernel_sums&);

  // Of fused kernels that reduce; they share these functions, which know the results alone:
  void (*begin)(kernel_sums&) = nullptr;
  /// Writes what is in the accumulators; along rows, the results of `size` neighbours from `begin` on.
  void (*finish)(kernel_sums&, const operand_place* results, std::int64_t begin, std::int64_t size,
                 bool first) = nullptr;
  /// Without any element reductions still have results: what they start from.
  void (*fill_empty)(const fused_kernel_arguments&, int first_store) = nullptr;
  /// So many partial results may be added to one another in the memory of the result.
  std::int64_t most_in_memory = std::numeric_limits<std::int64_t>::max();

  // Of fused kernels that reduce over other loops than the innermost one:
  /// Lets the stores that reduce add to the first level of their accumulators.
  void (*redirect)(kernel_sums&, operand_place* results) = nullptr;
  std::int64_t tile = 0;  // so many neighbours fit into the accumulators
};

}  // namespace tapeless::cpu_kernels
