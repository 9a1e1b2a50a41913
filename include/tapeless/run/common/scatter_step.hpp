// SPDX-License-Identifier: BSL-1.0
// How elements that are brought to one place become one, on all policies.
#pragma once

#include <type_traits>

#include <tapeless/graph/core/operation.hpp>
#include <tapeless/ops/reduction/max_reduction.hpp>
#include <tapeless/ops/reduction/min_reduction.hpp>
#include <tapeless/ops/reduction/sum.hpp>

namespace tapeless {

/// The reduction of the elements of a place.
template <scatter_kind Kind>
using reduction_of_place = std::conditional_t<
    Kind == scatter_kind::add, sum_operation,
    std::conditional_t<Kind == scatter_kind::largest, max_reduction_operation, min_reduction_operation>>;

/// What stands at a place to which nothing is brought, and what one more element makes of what is there.
/// Integers wrap; NaN stays.
template <scatter_kind Kind, class T>
struct scatter_step {
  static constexpr T start = reduction_of_place<Kind>::template identity<T>;
  static constexpr T next(T before, T x) {
    return static_cast<T>(reduction_of_place<Kind>::combine(before, x));
  }
};

/// The last one stays. Places to which nothing is brought have what an operand has there.
template <class T>
struct scatter_step<scatter_kind::replace, T> {
  static constexpr T next(T, T x) { return x; }
};

}  // namespace tapeless
