// SPDX-License-Identifier: BSL-1.0
// split<axis, parts>(x): parts of one extent along an axis.
#pragma once

#include <array>
#include <tuple>
#include <utility>

#include <tapeless/ops/shape/slice.hpp>

namespace tapeless {

/// Part number Part of Parts.
template <int Axis, int Parts, int Part>
struct split_statement {
  static constexpr std::string_view name = "split";
  static constexpr int arity = 1;
  static constexpr value build(value x) {
    const int axis = detail::axis_of(name, x, Axis);
    if (axis < 0) return x;
    extent_table& extents = x.builder->extents;
    const std::int64_t whole = x.get().shape[axis], extent = extents.divide(whole, Parts);
    if (extents.multiply(extent, Parts) != whole)
      return x.fail(detail::shape_sentence(name, x)
                    << ": axis " << Axis << " does not divide into " << Parts << " parts of one extent");
    return slice(x, axis, extents.multiply(extent, Part), 1, extent);
  }
};

namespace detail {

template <int Axis, class X, int... Part>
TAPELESS_FACTORY auto split(X x, std::integer_sequence<int, Part...>) {
  constexpr int parts = sizeof...(Part);
  if constexpr (is_value<X>) {
    return std::array<value, sizeof...(Part)>{make<split_statement<Axis, parts, Part>>(x)...};
  } else {
    return std::make_tuple(make<split_statement<Axis, parts, Part>>(x)...);
  }
}

}  // namespace detail

/// Parts pieces of x, one behind the other along the axis, which they divide evenly:
/// auto [a, b] = split<0, 2>(x) of [2n, ..] makes two of [n, ..].
/// @formula a, b, ... = Parts equal pieces of x along the axis
/// @shapes [.., Parts n, ..] -> Parts times [.., n, ..]
/// @errors shapes split_of_several_extents
/// @torch torch.chunk
/// @jax jnp.split
/// @given x = [[1, 2], [3, 4], [5, 6], [7, 8]]
/// @example auto [a, b] = tl::split<0, 2>(x);
/// @gives a = [[1, 2], [3, 4]]
/// @gives b = [[5, 6], [7, 8]]
template <int Axis, int Parts>
constexpr std::array<value, Parts> split(is_value auto x) {
  static_assert(Parts >= 1, "tapeless: split<axis, parts>(x) makes one part or more");
  return detail::split<Axis>(x, std::make_integer_sequence<int, Parts>{});
}
template <int Axis, int Parts>
TAPELESS_FACTORY auto split(expression_operand auto x) {
  static_assert(Parts >= 1, "tapeless: split<axis, parts>(x) makes one part or more");
  return detail::split<Axis>(x, std::make_integer_sequence<int, Parts>{});
}
/// Refuses several extents.
template <int Axis, int First, int... Others>
  requires(sizeof...(Others) > 0)
TAPELESS_FACTORY auto split(expression_operand auto x) {
  static_assert(compile_error<misuse<typename decltype(x)::chain>::parts_of_several_extents>::reported);
  return std::make_tuple(erroneous{}, (static_cast<void>(Others), erroneous{})...);
}

}  // namespace tapeless
