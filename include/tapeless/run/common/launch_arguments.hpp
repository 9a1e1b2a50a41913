// SPDX-License-Identifier: BSL-1.0
// What kernels are called with, on every policy: where operands are this time, and how far apart their
// elements, with all extents known.
#pragma once

#include <cstddef>
#include <cstdint>

#include <tapeless/plan/commands.hpp>

namespace tapeless {

/// A pointer to elements, so many bytes on; numbers, indices and empty operands have no memory to point to.
inline std::byte* moved(std::byte* data, std::int64_t bytes) {
  return data == nullptr ? nullptr : data + bytes;
}

/// How many iterations nested loops have.
template <class Loops>
constexpr std::int64_t iterations_of(const Loops& loops) {
  std::int64_t iterations = 1;
  for (int d = 0; d < loops.rank; ++d) iterations *= loops.extents[d];
  return iterations;
}

/// An operand of a fused kernel: where its elements start this time, and how far the loops step, in elements.
struct fused_kernel_operand {
  std::byte* data = nullptr;
  std::int64_t size = 0;  // of an element, in bytes
  double number = 0;
  std::int64_t first_index = 0;  // of lane::index
  std::int64_t strides[max_rank] = {};
};

/// What a fused kernel is called with: loads, then stores.
struct fused_kernel_arguments {
  int rank = 0;
  std::int64_t extents[max_rank] = {};
  unsigned reduced = 0;
  unsigned ordered = 0;      // axes whose iterations write to the same elements
  bool accumulates = false;  // reductions go on from what is in memory
  const fused_kernel_operand* operands = nullptr;
  int operand_count = 0;
  int instructions = 0;  // for each element
};

/// An operand of a batch of products: its strides by batch axis, then of its rows and columns, in elements.
struct product_operand {
  std::byte* data = nullptr;
  std::int64_t strides[max_rank] = {};
};

/// c = a b for each member of the batch: [m, k] [k, n] -> [m, n].
struct product_arguments {
  std::int64_t m = 0, n = 0, k = 0;
  std::int64_t ldc = 0;  // from one row of c to the next
  std::int64_t element_size = 0;
  int batch_rank = 0;
  std::int64_t batches = 1;
  std::int64_t first_batch = 0;  // the others are left to somebody else
  std::int64_t batch[max_rank] = {};
  bool is_part = false;                 // of the rows or columns of a result
  const std::byte* packed_b = nullptr;  // b as the backend's kernels read it, where a loop keeps it so
  product_operand a = {}, b = {}, c = {};
};

}  // namespace tapeless
