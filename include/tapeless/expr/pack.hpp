// SPDX-License-Identifier: BSL-1.0
// pack(a, b, ...): several values as one expression, and one of them again.
#pragma once

#include <tuple>
#include <type_traits>
#include <utility>

#include <tapeless/expr/make.hpp>

namespace tapeless {

struct pack_statement {
  static constexpr int arity = -1;
  static constexpr bool gathers = true;
};

/// Several values together, where a function takes or returns one expression: a loop's carry. std::tuple{h,
/// c} is taken there, too, and is what else gives several values.
template <expression_operand... X>
TAPELESS_FACTORY auto pack(X... x) {
  return make<pack_statement>(x...);
}

namespace detail {

template <class X, std::size_t... I>
TAPELESS_FACTORY auto packed_elements(const X& x, std::index_sequence<I...>) {
  return pack(std::get<I>(x)...);
}
/// One expression, pack(h, c) or std::tuple{h, c}, as one expression, which is no parameter: these are
/// derived from one.
TAPELESS_FACTORY auto packed(expression_operand auto x) {
  if constexpr (tuple_of_expressions<decltype(x)>) {
    return packed_elements(x, std::make_index_sequence<std::tuple_size_v<decltype(x)>>{});
  } else if constexpr (is_erroneous<decltype(x)>) {
    return x;
  } else if constexpr (valid_expression<decltype(x)>) {
    return static_cast<typename decltype(x)::plain>(x);
  } else {
    return pack(x);  // a number, which is refused
  }
}

}  // namespace detail

/// Value number I of an expression that has several.
template <int I>
struct unpack_statement {
  static constexpr int arity = -1;
  static constexpr node_list build_all(graph& g, const node_list& x) {
    if (I >= 0 && I < x.count) return node_list::only({&g, x.ids[I]});
    return node_list::only({&g, g.fail(text() << "unpack<" << I << ">: the expression has " << x.count
                                              << " values, counted from 0")});
  }
};

/// Value number I, counted from 0, of an expression that has several.
/// @errors unpacked_beyond
template <int I>
TAPELESS_FACTORY auto unpack(expression_operand auto x) {
  return make<unpack_statement<I>>(x);
}

namespace detail {

/// How many values an expression has.
template <class X>
struct value_count;
template <class Chain, class... Values>
struct value_count<expr<Chain, Values...>> {
  static constexpr std::size_t value = sizeof...(Values);
};

/// How many values expressions have together; an erroneous one counts as one.
template <class... X>
constexpr int values_in_all() {
  if constexpr ((is_erroneous<X> || ...)) {
    return sizeof...(X);
  } else {
    return static_cast<int>((value_count<typename X::plain>::value + ...));
  }
}

template <class X, std::size_t... I>
TAPELESS_FACTORY auto unpacked(X x, std::index_sequence<I...>) {
  return std::tuple(unpack<static_cast<int>(I)>(x)...);
}
/// An expression as a function returns it: itself, or a std::tuple of its values where it has several.
template <class X>
TAPELESS_FACTORY auto results_of(X x) {
  if constexpr (is_erroneous<X>) {
    return x;
  } else if constexpr (value_count<X>::value == 1) {
    return x;
  } else {
    return unpacked(x, std::make_index_sequence<value_count<X>::value>{});
  }
}

template <std::size_t... I>
constexpr auto all_erroneous(std::index_sequence<I...>) {
  return std::tuple((static_cast<void>(I), erroneous())...);
}
/// What stands for so many values where there are none because of an error.
template <int Count>
constexpr auto erroneous_results() {
  if constexpr (Count == 1) {
    return erroneous{};
  } else {
    return all_erroneous(std::make_index_sequence<static_cast<std::size_t>(Count)>{});
  }
}
/// The results of an expression of so many values, which can be taken apart even where it is none.
template <int Count, class X>
TAPELESS_FACTORY auto counted_results_of(X x) {
  if constexpr (is_erroneous<X>) {
    return erroneous_results<Count>();
  } else {
    return results_of(x);
  }
}

}  // namespace detail

}  // namespace tapeless
