// SPDX-License-Identifier: BSL-1.0
// What the functions of a model and of an update rule take: expressions, values of a graph, plain numbers,
// and what is left of what was refused.
#pragma once

#include <tuple>
#include <type_traits>

#include <tapeless/expr/signature.hpp>
#include <tapeless/graph/core/value.hpp>

namespace tapeless {

/// What an erroneous operation returns: anything can be done with it, so that the compiler reports one
/// sentence only.
struct erroneous {
  template <class Other>
  constexpr erroneous& operator=(const Other&) {
    return *this;
  }
  constexpr explicit operator bool() const { return false; }
  template <class Number>
    requires std::is_same_v<Number, double>
  constexpr operator Number() const {
    return 0;
  }
  template <class Index>
  constexpr erroneous operator[](const Index&) const {
    return *this;
  }
  constexpr erroneous operator()(const initializer&) const { return *this; }  // of a parameter
};

template <class X>
concept is_erroneous = std::is_same<std::remove_cvref_t<X>, erroneous>::value;

/// What the functions of a model take: an expression, or what is left of one whose error is reported.
template <class X>
concept expression = valid_expression<X> || is_erroneous<X>;

// Classes are sorted out first: their names, where they are expressions, cost compilers time in all traits.
template <class X>
concept plain_number =
    !std::is_class<std::remove_cvref_t<X>>::value && std::is_arithmetic<std::remove_cvref_t<X>>::value &&
    !std::is_same<std::remove_cvref_t<X>, bool>::value;

namespace detail {

template <class X>
struct is_tuple_of_expressions {
  static constexpr bool value = false;
};
template <class First, class... More>
struct is_tuple_of_expressions<std::tuple<First, More...>> {
  static constexpr bool value =
      ((expression<First> || plain_number<First>) && ... && (expression<More> || plain_number<More>));
};

}  // namespace detail

/// Several values as functions return them: std::tuple{h, c}.
template <class X>
concept tuple_of_expressions = detail::is_tuple_of_expressions<std::remove_cvref_t<X>>::value;

/// What operations take in a user's model. Plain numbers are an error that is explained: functions of std
/// return them, where one is written for an operation. So are several values, but where it is said otherwise.
template <class X>
concept expression_operand = expression<X> || plain_number<X> || tuple_of_expressions<X>;

/// Values, or a string, that the program has at run time: no operand, but taken for one.
template <class X>
concept run_time_values = !expression_operand<X> && (std::is_pointer<std::remove_cvref_t<X>>::value ||
                                                     requires(const X& x) { x.begin(); });
template <class... X>
concept expressions_and_run_time_values =
    ((expression_operand<X> || run_time_values<X>) && ...) && (expression<X> || ...);

/// Operands of one operation in a user's model; values that the program has among them are an error that is
/// explained, too.
template <class... X>
concept expression_operands = (expression_operand<X> && ...) || expressions_and_run_time_values<X...>;

/// Operands of an operation while a graph is built; plain numbers are welcome among them. Expressions are an
/// error that is explained.
template <class... X>
concept value_operands = (is_value<X> || ...) && ((is_value<X> || plain_number<X> || expression<X>) && ...);

/// What an operation takes that is one function for models and for graphs that are being built.
template <class X>
concept operand = expression_operand<X> || is_value<X>;
template <class... X>
concept operands = expression_operands<X...> || value_operands<X...>;

}  // namespace tapeless
