// SPDX-License-Identifier: BSL-1.0
// The chain of single-assignment cells: the type of an expression is the list of its statements.
//
//   expr<3, Op, 0, 2, Prev>     %2 = Op(%0, %2 - 1...) after the statements of Prev
//
// Operands are numbers of earlier cells, never types, so that the type's length is linear in the number of
// operations even where a value is used many times. All template arguments are literals: where one is
// computed, it goes through `ic`, because nvcc spells an expression in a return type out in full.
#pragma once

#include <type_traits>
#include <utility>

#include <tapeless/graph/graph.hpp>

namespace tapeless {

/// Carries a literal through a function's argument, so that it can be deduced.
template <int I>
struct ic {};

/// The initial values of the chain's parameters that differ from their layer's default, first to last: the
/// one thing about an expression that its type does not say.
template <int Count>
struct initializer_list_of {
  initializer items[Count];
};
template <>
struct initializer_list_of<0> {};

struct empty_chain {
  static constexpr int size = 0;
  static constexpr int initializer_count = 0;
};

/// One cell of the chain, after those of Prev. Its value is Op of the values of the cells A and B; -1 where
/// Op takes fewer.
template <int Size, class Op, int A, int B, class Prev, int Initializers>
struct expr {
  using op = Op;
  using prev = Prev;
  static constexpr int size = Size;
  static constexpr int a = A;
  static constexpr int b = B;
  static constexpr int initializer_count = Initializers;
  [[no_unique_address]] initializer_list_of<Initializers> initializers;
};

template <class X>
inline constexpr bool is_expression = false;
template <int Size, class Op, int A, int B, class Prev, int Initializers>
inline constexpr bool is_expression<expr<Size, Op, A, B, Prev, Initializers>> = true;

/// What a chain's functions take: an expression, with or without a reference to it.
template <class X>
concept expression = is_expression<std::remove_cvref_t<X>>;

namespace detail {

/// The chain without its last Count cells.
template <int Count, class E>
constexpr auto drop_last() {
  if constexpr (Count == 0) {
    return std::type_identity<E>{};
  } else if constexpr (Count >= 16) {
    using p = typename E::prev::prev::prev::prev::prev::prev::prev::prev;
    return drop_last<Count - 16, typename p::prev::prev::prev::prev::prev::prev::prev::prev>();
  } else if constexpr (Count >= 4) {
    return drop_last<Count - 4, typename E::prev::prev::prev::prev>();
  } else {
    return drop_last<Count - 1, typename E::prev>();
  }
}

/// The first Size cells of the chain E.
template <int Size, class E>
using first_cells = typename decltype(drop_last<E::size - Size, E>())::type;

template <class X, class Y>
constexpr int common_prefix_of_equal() {
  if constexpr (std::is_same_v<X, Y>) {
    return X::size;
  } else if constexpr (X::size > 8 && !std::is_same_v<first_cells<(X::size > 8 ? X::size - 8 : 0), X>,
                                                      first_cells<(Y::size > 8 ? Y::size - 8 : 0), Y>>) {
    return common_prefix_of_equal<first_cells<X::size - 8, X>, first_cells<Y::size - 8, Y>>();
  } else {
    return common_prefix_of_equal<typename X::prev, typename Y::prev>();
  }
}

}  // namespace detail

/// How many cells two chains have in common, from the first on.
template <class X, class Y>
constexpr int common_prefix() {
  constexpr int size = X::size < Y::size ? X::size : Y::size;
  return detail::common_prefix_of_equal<detail::first_cells<size, X>, detail::first_cells<size, Y>>();
}

}  // namespace tapeless
