// SPDX-License-Identifier: BSL-1.0
// Options of reductions, which are passed behind the operand in any order: keep_dims, correction<0>,
// order<1>.
#pragma once

#include <limits>

#include <tapeless/ops/reduction/reduction_operation.hpp>

namespace tapeless {

/// Of an order, and of a number: order<infinity>.
inline constexpr double infinity = std::numeric_limits<double>::infinity();

/// Passed to var and std: what the number of elements is reduced by before it divides (1: Bessel's
/// correction). May be a fraction: correction<1.5>.
template <auto N>
struct correction_t {};
template <auto N>
inline constexpr correction_t<N> correction{};

/// Passed to norm: the exponent P of (sum |x|^P)^(1/P).
template <auto P>
struct order_t {};
template <auto P>
inline constexpr order_t<P> order{};

namespace detail {

struct reduction_options {
  bool keep = false;
  double correction = 1;
  double order = 2;
};

constexpr void set_option(reduction_options& o, keep_dims_t) { o.keep = true; }
template <auto N>
constexpr void set_option(reduction_options& o, correction_t<N>) {
  o.correction = static_cast<double>(N);
}
template <auto P>
constexpr void set_option(reduction_options& o, order_t<P>) {
  o.order = static_cast<double>(P);
}

template <class... Options>
constexpr reduction_options options_of() {
  reduction_options o;
  (set_option(o, Options{}), ...);
  return o;
}

template <class X>
struct is_correction : std::is_same<X, keep_dims_t> {};
template <auto N>
struct is_correction<correction_t<N>> : std::true_type {};

template <class X>
struct is_order : std::is_same<X, keep_dims_t> {};
template <auto P>
struct is_order<order_t<P>> : std::true_type {};

}  // namespace detail

/// What var and std take behind their operand.
template <class X>
concept variance_option = detail::is_correction<X>::value;

/// What norm takes behind its operand.
template <class X>
concept norm_option = detail::is_order<X>::value;

}  // namespace tapeless
