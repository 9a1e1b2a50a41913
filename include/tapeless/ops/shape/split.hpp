// SPDX-License-Identifier: BSL-1.0
// split<axis, parts>(x): parts of one extent along an axis; split<axis, extents...>(x): of these extents.
#pragma once

#include <array>
#include <tuple>
#include <utility>

#include <tapeless/ops/base/axis_as_argument.hpp>
#include <tapeless/ops/shape/slice.hpp>

namespace tapeless {

/// Part number Part of Parts.
template <int Axis, int Parts, int Part>
struct split_statement {
  static constexpr std::string_view name = "split";
  static constexpr int arity = 1;
  static constexpr text refusal() { return detail::unless_fits(Parts >= 1, name, "one part or more", Parts); }
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

/// Count elements along an axis of Whole, from Begin on.
template <int Axis, int Begin, int Count, int Whole>
struct split_of_extents_statement {
  static constexpr std::string_view name = "split";
  static constexpr int arity = 1;
  static constexpr value build(value x) {
    const int axis = detail::axis_of(name, x, Axis);
    if (axis < 0) return x;
    if (Count < 0) return x.fail(detail::shape_sentence(name, x) << ": the extent of a part is " << Count);
    if (x.get().shape[axis] != Whole)
      return x.fail(detail::shape_sentence(name, x)
                    << ": the parts have " << Whole << " elements together along axis " << Axis);
    return slice(x, axis, Begin, 1, Count);
  }
};

namespace detail {

// How many results there are where none can be: of less than one part, one is refused.
constexpr int parts_of_split(int parts) { return parts < 1 ? 1 : parts; }
template <int Parts>
using split_values = std::array<value, static_cast<std::size_t>(parts_of_split(Parts))>;

// Where the first part is refused, so are the others, by one sentence.
template <int Axis, int Parts, class X, int First, int... Part>
TAPELESS_FACTORY auto split(X x, std::integer_sequence<int, First, Part...>) {
  const auto first = make<split_statement<Axis, Parts, First>>(x);
  if constexpr (is_value<X>) {
    return std::array{first, make<split_statement<Axis, Parts, Part>>(x)...};
  } else if constexpr (is_erroneous<decltype(first)>) {
    return std::make_tuple(first, (static_cast<void>(Part), first)...);
  } else {
    return std::make_tuple(first, make<split_statement<Axis, Parts, Part>>(x)...);
  }
}

/// The sum of the extents in front of part number `part`.
template <int... Extents>
constexpr int extents_before(int part) {
  int sum = 0, i = 0;
  static_cast<void>(((i++ < part ? sum += Extents : sum), ...));
  return sum;
}

template <int Axis, int First, int... Others, class X, int... Part>
TAPELESS_FACTORY auto split_into(X x, std::integer_sequence<int, Part...>) {
  constexpr int whole = (First + ... + Others);
  const auto first = make<split_of_extents_statement<Axis, 0, First, whole>>(x);
  if constexpr (is_erroneous<decltype(first)>) {
    return std::make_tuple(first, (static_cast<void>(Part), first)...);
  } else {
    return std::make_tuple(
        first,
        make<split_of_extents_statement<Axis, First + extents_before<Others...>(Part), Others, whole>>(x)...);
  }
}

}  // namespace detail

/// Parts pieces of x, one behind the other along the axis, which they divide evenly:
/// auto [a, b] = split<0, 2>(x) of [2n, ..] makes two of [n, ..].
/// @formula a, b, ... = Parts equal pieces of x along the axis
/// @shapes [.., Parts n, ..] -> Parts times [.., n, ..]
/// @errors shapes counts_below_one split_of_several_extents
/// @torch torch.chunk, torch.split
/// @jax jnp.split
/// @given x = [[1, 2], [3, 4], [5, 6], [7, 8]]
/// @example auto [a, b] = tl::split<0, 2>(x);
/// @gives a = [[1, 2], [3, 4]]
/// @gives b = [[5, 6], [7, 8]]
/// @example auto [c, d] = tl::split<0, 1, 3>(x);
/// @gives c = [[1, 2]]
/// @gives d = [[3, 4], [5, 6], [7, 8]]
template <int Axis, int Parts>
constexpr detail::split_values<Parts> split(is_value auto x) {
  return detail::split<Axis, Parts>(x, std::make_integer_sequence<int, detail::parts_of_split(Parts)>{});
}
template <int Axis, int Parts>
TAPELESS_FACTORY auto split(expression_operand auto x) {
  return detail::split<Axis, Parts>(x, std::make_integer_sequence<int, detail::parts_of_split(Parts)>{});
}
/// The same with the extent of each part, of which there are two or more: auto [a, b] = split<1, 2, 3>(x) of
/// [.., 5] makes [.., 2] and [.., 3]. The extents add up to the axis's own, which is no run-time extent.
template <int Axis, int First, int Second, int... Others>
constexpr auto split(is_value auto x) {
  return detail::split_into<Axis, First, Second, Others...>(
      x, std::make_integer_sequence<int, 1 + sizeof...(Others)>{});
}
template <int Axis, int First, int Second, int... Others>
TAPELESS_FACTORY auto split(expression_operand auto x) {
  return detail::split_into<Axis, First, Second, Others...>(
      x, std::make_integer_sequence<int, 1 + sizeof...(Others)>{});
}

// Calls as in PyTorch, which are refused.
constexpr erroneous split(detail::any_expression, detail::axis_as_argument, ...) { return {}; }
template <int>
constexpr erroneous split(detail::any_expression, detail::axis_as_argument, ...) {
  return {};
}

}  // namespace tapeless
