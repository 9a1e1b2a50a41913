// SPDX-License-Identifier: BSL-1.0
// Makes vectors orthogonal to one another and of length 1.
#pragma once

#include <cstddef>

#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/cmath.hpp>
#include <tapeless/graph/core/compiler.hpp>

namespace tapeless::detail {

/// In eight sums, which processors work on at the same time.
inline double dot_product(const double* a, const double* b, std::size_t size) {
  double sums[8] = {};
  std::size_t i = 0;
  for (; i + 8 <= size; i += 8)
    for (std::size_t k = 0; k < 8; ++k) sums[k] += a[i + k] * b[i + k];
  for (; i < size; ++i) sums[0] += a[i] * b[i];
  return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

/// Vectors of `size` elements each, one after the other, no more than that. Each is replaced by what those
/// before it leave of it (Gram and Schmidt), again where that is little, since rounding errors are not little
/// then. Together they are the Q of the QR decomposition whose R has a positive diagonal.
TAPELESS_COLD inline void orthonormalize(array_view<double> vectors, std::size_t size) {
  const auto vector = [&](std::size_t j) { return vectors.data() + j * size; };
  for (std::size_t j = 0; j * size < vectors.size(); ++j) {
    double* const v = vector(j);
    const auto length = [&] { return std::sqrt(dot_product(v, v, size)); };
    const auto take_out_others = [&] {
      for (std::size_t k = 0; k < j; ++k) {
        const double* const other = vector(k);
        const double share = dot_product(v, other, size);
        for (std::size_t i = 0; i < size; ++i) v[i] -= share * other[i];
      }
    };
    const double before = length();
    take_out_others();
    if (length() < 0.1 * before) take_out_others();
    const double scale = 1 / length();
    for (std::size_t i = 0; i < size; ++i) v[i] *= scale;
  }
}

}  // namespace tapeless::detail
