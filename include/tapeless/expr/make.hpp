// SPDX-License-Identifier: BSL-1.0
// Appends an operation to its operands' chains; checks it at the line where the user wrote it.
#pragma once

#include <type_traits>

#include <tapeless/expr/compile_error.hpp>
#include <tapeless/expr/contract.hpp>
#include <tapeless/expr/factory.hpp>
#include <tapeless/expr/operands.hpp>
#include <tapeless/expr/refused_operators.hpp>
#include <tapeless/expr/signature.hpp>
#include <tapeless/graph/structural/leaf.hpp>

namespace tapeless {

namespace detail {

// Lists operands for an operation that takes more than two.
struct gathered {
  static constexpr int arity = -1;
  static constexpr bool gathers = true;
};

/// The chain of Op of the last statements of the chains C, and what of their initial values is taken over.
template <class Op, class... C>
struct appended;
template <class Op, class X>
struct appended<Op, X> {
  enum : int { size = int(X::size) + 1, a = int(X::size) - 1, initializers = X::initializers };
  using type = statement<size, Op, a, -1, X, initializers>;
};
template <class Op, class X, class Y>
struct appended<Op, X, Y> {
  using both = joined<X, Y>;
  using before = typename both::type;
  enum : int { size = int(before::size) + 1, a = both::a, b = both::b, initializers = before::initializers };
  using type = statement<size, Op, a, b, before, initializers>;
};
template <class Op, class X, class Y, class Z, class... More>
struct appended<Op, X, Y, Z, More...> : appended<Op, typename appended<gathered, X, Y>::type, Z, More...> {};

// Not constexpr, so that the compiler stops at its call and names it.
inline void a_parameter_is_given_two_initializers() {}

// First's values, then those of second behind the ones that both have.
template <int Common, int Result, int First, int Second>
constexpr initializer_values<Result> merged(const initializer_values<First>& first,
                                            const initializer_values<Second>& second) {
  initializer_values<Result> result{};
  if constexpr (Common > 0)
    for (int i = 0; i < Common; ++i)
      if (!(first.items[i] == second.items[i])) a_parameter_is_given_two_initializers();
  if constexpr (First > 0)
    for (int i = 0; i < First; ++i) result.items[i] = first.items[i];
  if constexpr (Result > First)
    for (int i = First; i < Result; ++i) result.items[i] = second.items[i - First + Common];
  return result;
}

/// The initial values of X and Y joined.
template <class X, class Y>
TAPELESS_FACTORY auto merged_initializers(const initializer_values<X::initializers>& x,
                                          const initializer_values<Y::initializers>& y) {
  using both = joined<X, Y>;
  constexpr int result = both::type::initializers, common = both::common_initializers;
  if constexpr (int(Y::size) > int(X::size)) {
    return merged<common, result>(y, x);
  } else {
    return merged<common, result>(x, y);
  }
}

template <class Op, class Chain, class... V>
TAPELESS_FACTORY auto initializers_for(const expr<Chain, V...>& x) {
  return x.initializers;
}
template <class Op, class X, class... V, class Y, class... W, class... More>
TAPELESS_FACTORY auto initializers_for(const expr<X, V...>& x, const expr<Y, W...>& y, const More&... more) {
  using chain = typename appended<gathered, X, Y>::type;
  return initializers_for<Op>(expr<chain>{merged_initializers<X, Y>(x.initializers, y.initializers)},
                              more...);
}

/// All values of the operands, one after the other, through Op.
template <class Op, class List, class... X>
struct applied;
template <class Op, class... Values>
  requires requires { Op::gathers; }
struct applied<Op, signatures<Values...>> {
  static constexpr text error{};
  using type = signatures<Values...>;
};
template <class Op, class... Values>
  requires(!requires { Op::gathers; })
struct applied<Op, signatures<Values...>> : result_of_op<Op, Values...> {
  static constexpr const text& error = inferred<Op, Values...>.error;
};
template <class Op, class... Values, class Chain, class... More, class... X>
struct applied<Op, signatures<Values...>, expr<Chain, More...>, X...>
    : applied<Op, signatures<Values..., More...>, X...> {};

// Functions, not aliases, for the reason that expr/statement.hpp gives.
template <class Chain, class... Values>
TAPELESS_FACTORY auto expr_of(signatures<Values...>) {
  return expr<Chain, Values...>{};
}
template <class Chain, class... Values, int Count>
TAPELESS_FACTORY auto expr_of(signatures<Values...>, const initializer_values<Count>& initializers) {
  return expr<Chain, Values...>{initializers};
}

/// The first value among operands; numbers among them are built as it is.
constexpr value first_value(value v, auto...) { return v; }
constexpr value first_value(auto, auto... more) { return first_value(more...); }

/// A number among operands. It takes their type: at once where the first value has a floating one, which any
/// number fits; otherwise where the operation checks it.
constexpr value as_value(value, value v) { return v; }
constexpr value as_value(value like, plain_number auto n) {
  const element type = is_floating(like.type()) ? like.type() : element::number;
  return make_constant(*like.builder, static_cast<double>(n), type);
}

inline constexpr std::string_view several_values =
    "several values stand where one belongs: auto [y, h] = f(x) names each of those that a function gives, "
    "std::get<0>(f(x)) is the first";

template <class Op, class... X>
constexpr text refused_operand_message() {
  text t;
  if constexpr (requires { Op::name; }) t << Op::name << ": ";
  if constexpr ((is_value<X> || ...))
    return t << "an expression of a model stands next to a tl::value, which rules and operations of your own "
                "compute with: numbers are plain there, 1.0 or 2 in place of 1_c or 2_c";
  if constexpr ((tuple_of_expressions<X> || ...)) return t << several_values;
  if constexpr ((std::is_same_v<std::remove_cvref_t<X>, const char*> || ...))
    return t
           << "a string stands next to an expression: write tl::input<\"y\", float, 8> for what the program "
              "gives, tl::param<\"y\", float, 8> for what it learns";
  if constexpr ((std::is_function_v<std::remove_pointer_t<std::decay_t<X>>> || ...))
    return t << "a function stands where what it returns belongs: tl::zeros<float, 3>() in place of "
                "tl::zeros<float, 3>";
  if constexpr ((run_time_values<X> || ...))
    return t << "values of the program stand next to an expression: make them an input of the model, "
                "tl::input<\"y\", float, 8>, and give them with each call, \"y\"_t = values";
  return t << "a plain number stands next to an expression: write 2_c or 0.5_c (using namespace "
              "tapeless::literals), or constant<V>";
}

/// Whether an operation that names its contract keeps it; the compiler is stopped where it does not. Asked
/// where users write operations, so that those which only others are made of cost nothing.
template <class Op>
constexpr bool keeps_contract() {
  if constexpr (requires { typename Op::contract; }) {
    return require_contracts<typename Op::contract>();
  } else if constexpr (requires { typename Op::operation_type; }) {
    return keeps_contract<typename Op::operation_type>();
  } else {
    return true;
  }
}

}  // namespace detail

/// Op of the operands, some of which are values: a node. The result's type is not deduced, so that operations
/// can refer to one another in circles.
template <class Op, class... X>
  requires value_operands<X...>
constexpr value make(X... x) {
  const value first = detail::first_value(x...);
  if constexpr ((expression<X> || ...)) {
    if constexpr (!(is_erroneous<X> || ...)) {
      constexpr text message = detail::refused_operand_message<Op, X...>();
      static_assert(compile_error<sentence_of<message.size>(message)>::reported);
    }
    return first;
  } else if constexpr (is_refused<Op>) {
    return first.fail(refusal_of<Op>());
  } else if constexpr (requires(const node_list& list) { Op::build_all(*first.builder, list); }) {
    node_list list;
    (list.append(node_list::only(detail::as_value(first, x))), ...);
    return {first.builder, Op::build_all(*first.builder, list).ids[0]};
  } else {
    return Op::build(detail::as_value(first, x)...);
  }
}

/// Op of the operands, which are expressions: another statement, where their signatures fit.
template <class Op, class... X>
  requires expression_operands<X...>
TAPELESS_FACTORY auto make(X... x) {
  if constexpr ((is_erroneous<X> || ...) || !detail::keeps_contract<Op>()) {
    return erroneous{};
  } else if constexpr (!(valid_expression<X> && ...)) {
    constexpr text message = detail::refused_operand_message<Op, X...>();
    static_assert(compile_error<sentence_of<message.size>(message)>::reported);
    return erroneous{};
  } else {
    using result = detail::applied<Op, detail::signatures<>, typename X::plain...>;
    if constexpr (!result::error.empty()) {
      static_assert(compile_error<sentence_of<result::error.size>(result::error)>::reported);
      return erroneous{};
    } else {
      using chain = typename detail::appended<Op, typename X::chain...>::type;
      constexpr typename result::type values;
      if constexpr (int(chain::initializers) == 0) {
        return detail::expr_of<chain>(values);
      } else {
        return detail::expr_of<chain>(values, detail::initializers_for<Op>(x...));
      }
    }
  }
}

namespace detail {

template <class Leaf, int Initializers = 0>
struct leaf_expr {
  using chain = statement<1, Leaf, -1, -1, empty_chain, Initializers>;
  using type = typename result_of_op<Leaf>::type::template with<chain>;
};

}  // namespace detail

/// The type of a statement without operands: the start of a chain.
template <class Leaf, int Initializers = 0>
using leaf = typename detail::leaf_expr<Leaf, Initializers>::type;

/// The same, which reports the statement's own error.
template <class Leaf>
constexpr auto make_leaf() {
  constexpr const text& error = detail::inferred<Leaf>.error;
  if constexpr (!error.empty()) {
    static_assert(compile_error<sentence_of<error.size>(error)>::reported);
    return erroneous{};
  } else {
    return leaf<Leaf>{};
  }
}

}  // namespace tapeless
