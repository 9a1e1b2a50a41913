// SPDX-License-Identifier: BSL-1.0
// repeat<N>(x, body): a block written once and applied N times, each time with parameters of its own.
#pragma once

#include <tuple>
#include <utility>

#include <tapeless/expr/make.hpp>
#include <tapeless/expr/pack.hpp>

namespace tapeless {

namespace detail {

/// Whether the body, as repetition I, takes these.
template <class Body, int I, class... X>
concept repeated_body = requires(const Body& body, X... x) { body.template operator()<I>(x...); } ||
                        requires(const Body& body, X... x) { body(x...); };

template <int I, class Body, class... X>
  requires repeated_body<Body, I, X...>
TAPELESS_FACTORY auto repetition(const Body& body, X... x) {
  if constexpr (requires { body.template operator()<I>(x...); }) {
    return body.template operator()<I>(x...);
  } else {
    return body(x...);
  }
}
template <int I, class Body, class X, std::size_t... Element>
TAPELESS_FACTORY auto repetition_of_elements(const Body& body, const X& x, std::index_sequence<Element...>) {
  return repetition<I>(body, std::get<Element>(x)...);
}
/// The values of a tuple one by one, where the body does not take it as one.
template <int I, class Body, class... X>
  requires(!repeated_body<Body, I, std::tuple<X...>> && repeated_body<Body, I, X...>)
TAPELESS_FACTORY auto repetition(const Body& body, const std::tuple<X...>& x) {
  return repetition_of_elements<I>(body, x, std::index_sequence_for<X...>{});
}

/// Single values, several of them as results of one expression: where each is made of the others before,
/// what each of them would know of its own doubles in every repetition.
template <class X>
TAPELESS_FACTORY auto on_one_chain(X x) {
  return x;
}
template <class... X>
  requires(sizeof...(X) > 1 && tuple_of_expressions<std::tuple<X...>> &&
           values_in_all<X...>() == int(sizeof...(X)))
TAPELESS_FACTORY auto on_one_chain(std::tuple<X...> x) {
  return results_of(packed(x));
}

template <int I, int N, class X, class Body>
TAPELESS_FACTORY auto repeated(X x, const Body& body) {
  if constexpr (I >= N) {
    return x;
  } else if constexpr (requires { body.template operator()<I>(x); }) {
    return repeated<I + 1, N>(on_one_chain(body.template operator()<I>(x)), body);
  } else if constexpr (requires { repetition<I>(body, x); }) {
    return repeated<I + 1, N>(on_one_chain(repetition<I>(body, x)), body);
  } else {
    static_assert(is_erroneous<X>,
                  "tapeless: repeat's body does not take what it is given: it is a lambda []<int I>(auto x), "
                  "or of several values []<int I>(auto h, auto c), which returns as many, "
                  "std::tuple{next_h, next_c}");
    return x;
  }
}

template <class... A>
constexpr auto refuse_repeated_body() {
  static_assert(compile_error<misuse<void(A...)>::repeated_body_first>::reported);
  return erroneous{};
}

}  // namespace detail

/// body.operator()<N - 1>(... body.operator()<0>(x)): the block is written once, as a lambda []<int I>(auto
/// x), and names its parameters by I: linear<name{"layer"} + I, 64>(x). One without parameters may be
/// [](auto x): layers in it are the same ones in each repetition, and so is a draw of a shape, normal<"eps",
/// float, 3>(); draws like or of x, normal_like<name{"eps"} + I>(x), do not compile without the I, but
/// dropout without a name draws anew. Several values, x = std::tuple{h, c}, are given to it one by one,
/// []<int I>(auto h, auto c), or as they are if it takes one; it returns std::tuple{next_h, next_c}. scan<N>
/// compiles it only once.
/// @formula y = body<N-1>(.. body<1>(body<0>(x)))
/// @shapes x -> what the last block returns
/// @torch a loop over torch.nn.ModuleList
/// @jax a Python loop
/// @errors repeat_count repeat_body_first repeat_number_as_argument repeat_body_arguments draw_like_in_repeat
/// @given x = [1, 2]
/// @gives tl::repeat<3>(x, []<int I>(auto h) { return h + tl::constant<I>; }) = [4, 5]
template <int N, class Body>
TAPELESS_FACTORY auto repeat(expression_operand auto x, const Body& body) {
  static_assert(N >= 0, "tapeless: repeat<N> takes N >= 0");
  return detail::repeated<0, N>(x, body);
}
/// Refuses another order, and a call without the number.
template <int N, class Body>
  requires(!expression_operand<Body>)
constexpr auto repeat(const Body&, expression_operand auto) {
  return detail::refuse_repeated_body<Body>();
}
template <class... A>
constexpr auto repeat(const A&...) {
  return detail::refuse_repeated_body<A...>();
}

}  // namespace tapeless
