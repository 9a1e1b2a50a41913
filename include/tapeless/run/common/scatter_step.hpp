// SPDX-License-Identifier: BSL-1.0
// How elements that are brought to one place become one, on all policies.
#pragma once

#include <limits>

#include <tapeless/graph/core/operation.hpp>
#include <tapeless/ops/base/integer_arithmetic.hpp>
#include <tapeless/ops/base/scalar.hpp>

namespace tapeless {

/// What stands at a place to which nothing is brought, and what one more element makes of what is there.
/// Integers wrap; NaN stays.
template <scatter_kind Kind, class T>
struct scatter_step;

template <class T>
struct scatter_step<scatter_kind::add, T> {
  static constexpr T start = T(0);
  static constexpr T next(T before, T x) { return detail::wrapped_sum(before, x); }
};
template <class T>
struct scatter_step<scatter_kind::largest, T> {
  using limits = std::numeric_limits<T>;
  static constexpr T start = limits::has_infinity ? -limits::infinity() : limits::lowest();
  static constexpr T next(T before, T x) { return larger(before, x); }
};
template <class T>
struct scatter_step<scatter_kind::smallest, T> {
  using limits = std::numeric_limits<T>;
  static constexpr T start = limits::has_infinity ? limits::infinity() : limits::max();
  static constexpr T next(T before, T x) { return smaller(before, x); }
};

}  // namespace tapeless
