// SPDX-License-Identifier: BSL-1.0
// What all complex numbers share: pairs (real, imaginary) along a last axis of 2.
#pragma once

#include <tapeless/ops/pointwise/where.hpp>
#include <tapeless/ops/shape/concat.hpp>
#include <tapeless/ops/shape/reshape.hpp>
#include <tapeless/ops/shape/slice.hpp>
#include <tapeless/ops/spectral/fourier.hpp>

namespace tapeless {

namespace detail {

/// Precondition: both are of one shape and one type.
constexpr value pairs_of(value real, value imag) {
  shape_list s = shape_of(real);
  s.extents[s.rank++] = 1;
  const value parts[] = {reshape(real, s), reshape(imag, s)};
  return concat(parts, 2, s.rank - 1);
}

/// The real parts, or the imaginary ones. Precondition: z is complex.
constexpr value part_of_pairs(value z, int part) {
  shape_list s = shape_of(z);
  --s.rank;
  return reshape(slice(z, s.rank, part, 1, 1), s);
}

/// Precondition: z is complex.
constexpr value conjugate(value z) {
  const value part = make_iota(*z.builder, {1, {2}}, 0, element::i64);
  return where(part == 0.0, z, -z);
}

}  // namespace detail

}  // namespace tapeless
