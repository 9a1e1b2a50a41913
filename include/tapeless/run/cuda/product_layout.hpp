// SPDX-License-Identifier: BSL-1.0
// The operands of a product as cuBLASLt sees them: matrices by columns, of which there are many at even
// steps, or many at any addresses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <tapeless/run/common/launch_arguments.hpp>
#include <tapeless/run/cuda/handles.hpp>
#include <tapeless/run/gpu/kernels/index_space.hpp>

namespace tapeless::cuda_kernels {

inline cudaDataType_t data_type_of(element type) {
  return type == element::f64    ? CUDA_R_64F
         : type == element::f16  ? CUDA_R_16F
         : type == element::bf16 ? CUDA_R_16BF
                                 : CUDA_R_32F;
}

/// A matrix as cuBLASLt sees it, by columns: ours by rows is its transpose there.
struct column_matrix {
  std::int64_t leading = 0;  // from one column to the next
  bool transposed = false;
};

/// The operand's rows x columns matrix, by `row` and `column` strides, as the transpose that cuBLASLt reads;
/// leading is 0 where it cannot.
constexpr column_matrix as_columns(std::int64_t rows, std::int64_t columns, std::int64_t row,
                                   std::int64_t column) {
  if (rows == 1 && (column == 1 || columns == 1)) return {columns, false};
  if (columns == 1 && row == 1) return {rows, true};
  if ((column == 1 || columns == 1) && row >= columns) return {row, false};
  if ((row == 1 || rows == 1) && column >= rows) return {column, true};
  return {};
}

/// Axes of a batch that all operands step through evenly, as one: those from `first` on, before `last`. The
/// others are gone through one by one.
struct batch_axes {
  std::int64_t count = 1;
  std::int64_t a = 0, b = 0, c = 0;  // from one member to the next
  int first = 0, last = 0;

  constexpr bool holds(int axis) const { return first <= axis && axis < last; }
};

/// Those of the axes before `last` that join with the one before it.
constexpr batch_axes joined_axes(const product_arguments& p, int last) {
  batch_axes result;
  result.first = result.last = last;
  for (int d = last - 1; d >= 0; --d) {
    if (p.batch[d] != 1) {
      if (result.count == 1) {
        result.a = p.a.strides[d], result.b = p.b.strides[d], result.c = p.c.strides[d];
      } else if (p.a.strides[d] != result.a * result.count || p.b.strides[d] != result.b * result.count ||
                 p.c.strides[d] != result.c * result.count) {
        return result;
      }
      result.count *= p.batch[d];
    }
    result.first = d;
  }
  return result;
}

/// The most members that can be one call; where it may be these or those, the inner ones.
constexpr batch_axes joined_batch(const product_arguments& p) {
  batch_axes best = joined_axes(p, p.batch_rank);
  for (int last = best.first; last > 0;) {
    const batch_axes next = joined_axes(p, last);
    if (next.count > best.count) best = next;
    last = next.first;
  }
  return best;
}

/// Where the matrices of all members are: those of b, which cuBLASLt takes first, then those of a and c.
inline std::vector<std::byte*> member_addresses(const product_arguments& p) {
  thrust_kernels::index_space members;
  for (int d = 0; d < p.batch_rank; ++d) members.add_axis(p.batch[d]);
  const auto count = static_cast<std::size_t>(members.count);
  std::vector<std::byte*> addresses(3 * count);
  for (std::size_t i = 0; i < count; ++i) {
    std::int64_t a = 0, b = 0, c = 0;
    members.for_each_axis(static_cast<std::uint32_t>(i), [&](int d, std::int64_t at) {
      a += at * p.a.strides[d], b += at * p.b.strides[d], c += at * p.c.strides[d];
    });
    addresses[i] = p.b.data + b * p.element_size;
    addresses[count + i] = p.a.data + a * p.element_size;
    addresses[2 * count + i] = p.c.data + c * p.element_size;
  }
  return addresses;
}

}  // namespace tapeless::cuda_kernels
