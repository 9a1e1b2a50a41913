// SPDX-License-Identifier: BSL-1.0
// The chain of statements: the type of an expression is the list of its single assignments.
//
//   statement<3, Op, 0, 1, Prev>     %2 = Op(%0, %1) after the statements of Prev
//
// Operands are numbers of earlier statements, never types. So the type's length is linear in the number of
// operations, even if a value is used many times.
//
// Compilers spell the type out in the name of every function and variable that has it among its arguments,
// needed or not. So there are no symbols with it:
//   what works on chains are class templates with enumerators and aliases
//   functions that take expressions are declared with TAPELESS_FACTORY
//
// nvcc's compiler keeps the expression that a template's argument was written as, with all of the chain, as a
// part of the type. Each type would be twice as long as the one before it. So:
//   arguments computed from chains have a name first, an enumerator's; and are int
//   enumerators become int before they meet an operator, for which all of the library's are looked up
//   no alias template stands between one chain and the next
#pragma once

#include <type_traits>

#include <tapeless/expr/misuse.hpp>
#include <tapeless/graph/core/graph.hpp>

namespace tapeless {

struct empty_chain {
  enum : int { size = 0, initializers = 0 };
};

/// Statement number Size - 1, after those of Prev: Op of the statements A and B; -1 where Op takes fewer. The
/// chain's parameters have so many initial values of their own, up to here.
template <int Size, class Op, int A, int B, class Prev, int Initializers>
struct statement {
  using op = Op;
  using prev = Prev;
  enum : int { size = Size, a = A, b = B, initializers = Initializers };
};

namespace detail {

template <class C>
struct prev_4 {
  using type = typename C::prev::prev::prev::prev;
};
template <class C>
struct prev_16 {
  using type = typename prev_4<typename prev_4<typename prev_4<typename prev_4<C>::type>::type>::type>::type;
};

/// The chain without its last Count statements.
template <int Count, class C>
struct without_last : without_last<Count - 1, typename C::prev> {};
template <int Count, class C>
  requires(Count >= 4 && Count < 16)
struct without_last<Count, C> : without_last<Count - 4, typename prev_4<C>::type> {};
template <int Count, class C>
  requires(Count >= 16)
struct without_last<Count, C> : without_last<Count - 16, typename prev_16<C>::type> {};
template <class C>
struct without_last<0, C> {
  using type = C;
};

/// The first Size statements of the chain C.
template <int Size, class C>
struct first_statements {
  enum : int { count = int(C::size) - Size };
  using type = typename without_last<count, C>::type;
};

/// As many of the first statements of the chain C as Shorter has.
template <class Shorter, class C>
struct cut_to {
  enum : int { count = int(C::size) - int(Shorter::size) };
  using type = typename without_last<count, C>::type;
};

// For chains of one size that differ: 16 statements a step while these differ, too, then one by one.
template <class X, class Y, int Jump>
struct common_below;
template <class X, class Y>
struct common_of_equal {
  enum : int { is_long = int(X::size) > 16 };
  enum : int { value = common_below<X, Y, is_long>::value };
};
template <class X>
struct common_of_equal<X, X> {
  enum : int { value = X::size };
};
template <class X, class Y>
struct common_below<X, Y, 0> : common_of_equal<typename X::prev, typename Y::prev> {};
template <class X, class Y>
struct common_below<X, Y, 1>
    : std::conditional_t<std::is_same<typename prev_16<X>::type, typename prev_16<Y>::type>::value,
                         common_below<X, Y, 0>,
                         common_of_equal<typename prev_16<X>::type, typename prev_16<Y>::type>> {};

// How many statements two chains have in common, from the first on.
template <class Longer, class Shorter>
struct common_of : common_of_equal<typename cut_to<Shorter, Longer>::type, Shorter> {};

/// Y's statements behind the first Common ones, with their operands shifted, behind those of Z.
template <int Common, int Shift, class Y, class Z, int Done>
struct replayed {
  enum : int { was_first = int(Y::prev::size) == Common };
  using before = typename replayed<Common, Shift, typename Y::prev, Z, was_first>::type;
  enum : int {
    size = int(before::size) + 1,
    a = int(Y::a) < Common ? int(Y::a) : int(Y::a) + Shift,
    b = int(Y::b) < Common ? int(Y::b) : int(Y::b) + Shift,
    initializers = int(before::initializers) + int(Y::initializers) - int(Y::prev::initializers)
  };
  using type = statement<size, typename Y::op, a, b, before, initializers>;
};
template <int Common, int Shift, class Y, class Z>
struct replayed<Common, Shift, Y, Z, 1> {
  using type = Z;
};

// First, then what Second has beyond their common statements; the numbers of both last statements there.
template <class First, class Second>
struct joined_behind {
  enum : int {
    common = common_of<First, Second>::value,
    shift = int(First::size) - int(common),
    first = int(First::size) - 1,
    second = int(Second::size) == int(common) ? int(common) - 1 : int(Second::size) - 1 + int(shift),
    common_initializers = first_statements<common, First>::type::initializers
  };
  enum : int { nothing_behind = int(Second::size) == int(common) };
  using type = typename replayed<common, shift, Second, First, nothing_behind>::type;
};

template <class X, class Y, int YIsLonger>
struct joined_in_order : joined_behind<X, Y> {
  enum : int { a = joined_behind<X, Y>::first, b = joined_behind<X, Y>::second };
};
template <class X, class Y>
struct joined_in_order<X, Y, 1> : joined_behind<Y, X> {
  enum : int { a = joined_behind<Y, X>::second, b = joined_behind<Y, X>::first };
};

/// `type` is joined_in_order of the two.
template <class X, class Y>
struct joined_by_length {
  enum : int { y_is_longer = int(Y::size) > int(X::size) };
  using type = joined_in_order<X, Y, y_is_longer>;
};

}  // namespace detail

/// Both chains in one, the longer one first: `type`, and the numbers a of X's last statement and b of Y's.
template <class X, class Y>
struct joined : detail::joined_by_length<X, Y>::type {};

/// The initial values of the chain's parameters that are not their layers' own, first to last: the one thing
/// about an expression that its type does not say.
template <int Count>
struct initializer_values {
  initializer items[Count];
};
template <>
struct initializer_values<0> {};

/// A value's element type and shape.
template <element Type, class Derived, std::int64_t... Shape>
struct tensor {};

namespace detail {

/// The number that who takes an expression for one has in mind: of its own elements' type.
template <class... Values>
struct number_in {
  using type = float;
};
template <class Derived, std::int64_t... Shape, class... Values>
struct number_in<tensor<element::f64, Derived, Shape...>, Values...> {
  using type = double;
};

}  // namespace detail

/// An expression: the chain that computes it, and the element types and shapes of its values (one, or several
/// where operands are only gathered for the next statement).
template <class Chain, class... Values>
struct expr {
  using chain = Chain;
  using plain = expr;  // of a parameter that is not called, too, which is an expression by inheritance
  [[no_unique_address]] initializer_values<Chain::initializers> initializers;

  // None of these can be used: their bodies say what to write instead. Those that are templates are left out
  // when compilers list what an operator could mean, so that others' overloads are chosen as without them.
  // GCC looks at noexcept as soon as a conversion is chosen, and at its body last of all.
  template <class Other>
  constexpr expr& operator=(const Other&) {
    if constexpr (!std::is_same_v<Other, erroneous>)
      static_assert(compile_error<misuse<Chain>::assigned>::reported);
    return *this;
  }
  constexpr explicit operator bool() const noexcept(compile_error<misuse<Chain>::as_condition>::reported) {
    static_assert(compile_error<misuse<Chain>::as_condition>::reported);
    return false;
  }
  // To one type of numbers alone: of std's overloads one fits best. For others compilers show the line, with
  // its remark. Were it no template, others had the sentence, too; but both sides of ?: would become numbers.
  using number = typename detail::number_in<Values...>::type;
  template <class = void>
  constexpr operator number() const  // no number while the model is written: make it an output
      noexcept(compile_error<misuse<Chain>::as_number>::reported) {
    static_assert(compile_error<misuse<Chain>::as_number>::reported);
    return 0;
  }
  template <class Index>
  constexpr expr operator[](const Index&) const {
    static_assert(compile_error<misuse<Chain>::indexed>::reported);
    return *this;
  }
  template <class = void>
  constexpr expr operator()() const {
    static_assert(compile_error<misuse<Chain>::called>::reported);
    return *this;
  }
  template <class = void>
  constexpr const expr* begin() const noexcept(compile_error<misuse<Chain>::walked_through>::reported) {
    static_assert(compile_error<misuse<Chain>::walked_through>::reported);
    return this;
  }
  template <class = void>
  constexpr const expr* end() const {
    return this;
  }
};

namespace detail {

template <class X>
struct is_expr : std::false_type {};
template <class Chain, class... Values>
struct is_expr<expr<Chain, Values...>> : std::true_type {};

}  // namespace detail

/// An expression without an error.
template <class X>
concept valid_expression = detail::is_expr<std::remove_cvref_t<X>>::value;

}  // namespace tapeless
