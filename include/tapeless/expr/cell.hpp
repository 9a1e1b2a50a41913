// SPDX-License-Identifier: BSL-1.0
// The chain of single-assignment cells: the type of an expression is the list of its statements.
//
//   cell<3, Op, 0, 1, Prev>     %2 = Op(%0, %1) after the statements of Prev
//
// Operands are numbers of earlier cells, never types, so that the type's length is linear in the number of
// operations even where a value is used many times. Compilers spell the type out in the name of every
// function and variable that has it among its arguments, needed or not: so what works on chains are class
// templates with enumerators and aliases, which have no symbols.
#pragma once

#include <type_traits>

#include <tapeless/graph/graph.hpp>

namespace tapeless {

struct empty_chain {
  enum : int { size = 0, initializers = 0 };
};

/// Statement number Size - 1, after those of Prev: Op of the cells A and B; -1 where Op takes fewer. The
/// chain's parameters have so many initial values of their own, up to here.
template <int Size, class Op, int A, int B, class Prev, int Initializers>
struct cell {
  using op = Op;
  using prev = Prev;
  enum : int { size = Size, a = A, b = B, initializers = Initializers };
};

namespace detail {

template <class C>
using prev_4 = typename C::prev::prev::prev::prev;

template <class C>
using prev_16 = prev_4<prev_4<prev_4<prev_4<C>>>>;

/// The chain without its last Count cells.
template <int Count, class C>
struct without_last : without_last<Count - 1, typename C::prev> {};
template <int Count, class C>
  requires(Count >= 4 && Count < 16)
struct without_last<Count, C> : without_last<Count - 4, prev_4<C>> {};
template <int Count, class C>
  requires(Count >= 16)
struct without_last<Count, C> : without_last<Count - 16, prev_16<C>> {};
template <class C>
struct without_last<0, C> {
  using type = C;
};

/// The first Size cells of the chain C.
template <int Size, class C>
using first_cells = typename without_last<C::size - Size, C>::type;

// For chains of one size that differ: 16 cells a step as long as these differ, too, then cell by cell.
template <class X, class Y, bool Jump>
struct common_below;
template <class X, class Y>
struct common_of_equal : common_below<X, Y, (X::size > 16)> {};
template <class X>
struct common_of_equal<X, X> {
  enum : int { value = X::size };
};
template <class X, class Y>
struct common_below<X, Y, false> : common_of_equal<typename X::prev, typename Y::prev> {};
template <class X, class Y>
struct common_below<X, Y, true>
    : std::conditional_t<std::is_same<prev_16<X>, prev_16<Y>>::value, common_below<X, Y, false>,
                         common_of_equal<prev_16<X>, prev_16<Y>>> {};

template <class X, class Y, bool YIsLonger>
struct common_of : common_of_equal<X, first_cells<X::size, Y>> {};
template <class X, class Y>
struct common_of<X, Y, false> : common_of_equal<first_cells<Y::size, X>, Y> {};

/// Y's cells behind the first Common ones, with their operands shifted, behind those of Z.
template <int Common, int Shift, class Y, class Z, bool Done>
struct replayed {
  using before = typename replayed<Common, Shift, typename Y::prev, Z, (Y::prev::size == Common)>::type;
  enum : int {
    size = before::size + 1,
    a = int(Y::a) < Common ? int(Y::a) : int(Y::a) + Shift,
    b = int(Y::b) < Common ? int(Y::b) : int(Y::b) + Shift,
    initializers = int(before::initializers) + int(Y::initializers) - int(Y::prev::initializers)
  };
  using type = cell<size, typename Y::op, a, b, before, initializers>;
};
template <int Common, int Shift, class Y, class Z>
struct replayed<Common, Shift, Y, Z, true> {
  using type = Z;
};

// First, and what Second has beyond the cells that both begin with; the numbers of their last cells there.
template <class First, class Second>
struct joined_behind {
  enum : int {
    common = common_of<First, Second, false>::value,
    shift = int(First::size) - int(common),
    first = int(First::size) - 1,
    second = int(Second::size) == int(common) ? int(common) - 1 : int(Second::size) - 1 + int(shift),
    common_initializers = first_cells<common, First>::initializers
  };
  using type = typename replayed<common, shift, Second, First, (int(Second::size) == int(common))>::type;
};

}  // namespace detail

/// How many cells two chains have in common, from the first on.
template <class X, class Y>
using common_prefix = detail::common_of<X, Y, (int(Y::size) > int(X::size))>;

/// Both chains in one, the longer one first: `type`, and the numbers a of X's last cell and b of Y's.
template <class X, class Y, bool YIsLonger = (int(Y::size) > int(X::size))>
struct joined : detail::joined_behind<X, Y> {
  enum : int { a = detail::joined_behind<X, Y>::first, b = detail::joined_behind<X, Y>::second };
};
template <class X, class Y>
struct joined<X, Y, true> : detail::joined_behind<Y, X> {
  enum : int { a = detail::joined_behind<Y, X>::second, b = detail::joined_behind<Y, X>::first };
};

/// The initial values of the chain's parameters that are not their layers' own, first to last: the one thing
/// about an expression that its type does not say.
template <int Count>
struct initializer_values {
  initializer items[Count];
};
template <>
struct initializer_values<0> {};

/// An expression: the chain that computes it, and the element types and shapes of its values (one, or several
/// where operands are only gathered for the next cell).
template <class Chain, class... Values>
struct expr {
  using chain = Chain;
  using plain = expr;  // of a parameter that is not called, too, which is an expression by inheritance
  [[no_unique_address]] initializer_values<Chain::initializers> initializers;
};

namespace detail {

template <class X>
struct is_expr : std::false_type {};
template <class Chain, class... Values>
struct is_expr<expr<Chain, Values...>> : std::true_type {};

}  // namespace detail

/// What the functions of a model take.
template <class X>
concept expression = detail::is_expr<std::remove_cvref_t<X>>::value;

}  // namespace tapeless
