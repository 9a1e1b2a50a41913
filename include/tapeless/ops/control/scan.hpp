// SPDX-License-Identifier: BSL-1.0
// scan<N>(x, body), scan(body, carry, xs): a loop in the program. The body is compiled once and runs for
// every layer, or for every step in time; so does the loop back that its derivative needs. A loop in the body
// of another one is unrolled.
#pragma once

#include <tuple>
#include <type_traits>
#include <utility>

#include <tapeless/expr/pack.hpp>
#include <tapeless/ops/control/repeat.hpp>
#include <tapeless/ops/control/scan_statement.hpp>

namespace tapeless {

namespace detail {

constexpr text wrong_body_arguments(int carries, int elements) {
  text t;
  t << "scan's body is given " << carries << (carries == 1 ? " value" : " values") << " of the carry";
  if (elements > 0)
    t << " and " << elements << (elements == 1 ? " element of the other operand" : " elements of the others");
  return t << ", one by one, but does not take them: it is a lambda [](auto h, auto x) for one of each";
}

template <class X>
inline constexpr bool has_tuple_inside = false;
template <class... X>
inline constexpr bool has_tuple_inside<std::tuple<X...>> = (tuple_of_expressions<X> || ...);

template <class Body, int Carries, std::int64_t Count, class... Arguments, class... Operands>
TAPELESS_FACTORY auto scanned(Operands... operands) {
  constexpr bool captures = !std::is_empty_v<Body> || !std::is_default_constructible_v<Body>;
  static_assert(!captures,
                "tapeless: scan's body captures nothing: give it what it needs as a carry or an operand "
                "(inputs and parameters can be named inside)");
  constexpr int elements = static_cast<int>(sizeof...(Arguments)) - Carries;
  constexpr int usual_count = Carries + (elements > 0 ? 1 : 0);  // where only an error is to be said
  if constexpr (captures) {
    return erroneous_results<usual_count>();
  } else if constexpr (!std::is_invocable_v<const Body&, leaf<scan_argument<0, Arguments>>...>) {
    constexpr text t = wrong_body_arguments(Carries, elements);
    static_assert(compile_error<sentence_of<t.size>(t)>::reported);
    return erroneous_results<usual_count>();
  } else {
    using returned = std::remove_cvref_t<std::invoke_result_t<Body, leaf<scan_argument<0, Arguments>>...>>;
    constexpr bool is_packable = expression_operand<returned>;
    static_assert(!has_tuple_inside<returned>,
                  "tapeless: scan's body returns its values one by one, not a tuple in a tuple: return "
                  "std::tuple{a, b, y};");
    static_assert(is_packable || has_tuple_inside<returned>,
                  "tapeless: scan's body returns the next carry's values and then those to stack: return "
                  "next; or return std::tuple{next, y};");
    if constexpr (!is_packable) {
      return erroneous_results<usual_count>();
    } else if constexpr (is_erroneous<decltype(packed(std::declval<returned>()))>) {
      return erroneous_results<usual_count>();
    } else {
      using result = decltype(packed(std::declval<returned>()));
      constexpr int count = static_cast<int>(value_count<typename result::plain>::value);
      static_assert(count <= max_arguments,
                    "tapeless: scan's body returns at most 8 values, carries and stacks together: "
                    "tl::stack<0>(a, b) makes one of two, which tl::at takes apart behind the loop");
      if constexpr (count > max_arguments) {
        return erroneous_results<count>();
      } else {
        return counted_results_of<count>(
            make<scan_statement<Body, Carries, Count, Arguments...>>(operands...));
      }
    }
  }
}

// What has been refused.
template <std::int64_t N, class Body>
constexpr erroneous scan_layers(erroneous) {
  return {};
}
template <class Body>
constexpr erroneous scan_iterations(auto, auto) {
  return {};
}
template <std::int64_t N, class Body, class Chain, class... Carries>
TAPELESS_FACTORY auto scan_layers(expr<Chain, Carries...> x) {
  return scanned<Body, static_cast<int>(sizeof...(Carries)), N, Carries...>(x);
}
template <class Body, class C, class... Carries, class X, class... Stacked>
TAPELESS_FACTORY auto scan_iterations(expr<C, Carries...> carry, expr<X, Stacked...> xs) {
  return scanned<Body, static_cast<int>(sizeof...(Carries)), -1, Carries..., iteration_of<Stacked>...>(carry,
                                                                                                       xs);
}

}  // namespace detail

/// body(... body(x)), N times: as repeat<N>, but the body is compiled once. Each iteration has parameters of
/// its own: param<"w", float, 3> in the body declares one iteration's, and the model has N of them, as "w" of
/// the shape [N, 3], whose element i belongs to iteration i; repeat's [](auto x) has one set for all N, as
/// the loop along xs has. The body is a lambda [](auto x) without captures that returns a value of x's type
/// and shape. x may be several values, std::tuple{h, c}, as in the loop along xs.
/// In the body of another scan it is unrolled, and names no parameters.
/// @formula (h, y[i]) = body(h, xs[i]) for each i; or y = body(.. body(x)), N times
/// @shapes carry and xs [n, ..] -> the last carry and the stacks [n, ..]
/// @errors jacobian_of_scan scan_in_scan scan_in_scan_iterations scan_in_scan_parameter
///   recurrent_sequence_in_scan recurrent_sequence_in_scan_times scan_carry scan_body_arguments
///   scan_body_captures scan_body_returns_tuple scan_body_returns_nested scan_body_returns_many
///   scan_body_last
/// @torch a Python loop; torch.func has none
/// @jax jax.lax.scan
/// @given x = [1, 2, 3]; h = 0
/// @example auto [last, sums] = tl::scan([](auto s, auto v) { auto t = s + v; return std::tuple{t, t * t};
///   }, h, x);
/// @gives last = 6
/// @gives sums = [1, 9, 36]
template <int N, class Body>
TAPELESS_FACTORY auto scan(expression_operand auto x, const Body&) {
  static_assert(N >= 0, "tapeless: scan<N> takes N >= 0");
  return detail::scan_layers<N, Body>(detail::packed(x));
}

/// Refuses another order.
template <int N, class Body>
  requires(!expression_operand<Body>)
constexpr auto scan(const Body&, expression_operand auto) {
  return detail::refuse_repeated_body<Body>();
}

/// A loop along the first axis of xs: with h = carry, for each i (h, y[i]) = body(h, xs[i]).
///   carry is one value or several, std::tuple{h, c}; xs are, too, or are given one by one: x1, x2
///   the body gets them one by one; returns the next carry's values, then those to stack: std::tuple{next, y}
///   the results are the last carry's values, then stacks [iterations, ...]: one expression or a std::tuple
///   parameters named in the body are the same in every iteration
///   in the body of another scan it is unrolled, to at most 4096 operations: its number of iterations is an
///   integer
template <class Body>
  requires(!expression_operand<Body>)
TAPELESS_FACTORY auto scan(const Body&, expression_operand auto carry, expression_operand auto xs) {
  return detail::scan_iterations<Body>(detail::packed(carry), detail::packed(xs));
}
template <class Body>
  requires(!expression_operand<Body>)
TAPELESS_FACTORY auto scan(const Body& body, expression_operand auto carry, expression_operand auto x,
                           expression_operand auto... xs) {
  return scan(body, carry, pack(detail::packed(x), detail::packed(xs)...));
}
/// Refuses another order.
template <class Body>
  requires(!expression_operand<Body>)
TAPELESS_FACTORY auto scan(expression_operand auto carry, expression_operand auto, const Body&) {
  static_assert(std::is_void_v<Body>, "tapeless: scan takes its body first: tl::scan(body, carry, xs)");
  return detail::erroneous_results<detail::values_in_all<decltype(detail::packed(carry))>() + 1>();
}

}  // namespace tapeless
