// SPDX-License-Identifier: BSL-1.0
// Operations that are called as in PyTorch, with an axis as an argument or without the one that they need: a
// sentence says how it is written here.
#pragma once

#include <type_traits>

#include <tapeless/expr/make.hpp>

namespace tapeless {

namespace detail {

template <class... A>
concept plain_arguments = sizeof...(A) > 0 && (std::is_arithmetic_v<A> && ...);

template <class X>
constexpr erroneous refuse_axis_as_argument() {
  static_assert(compile_error<misuse<typename X::chain>::axis_as_argument>::reported);
  return {};
}
template <class X>
constexpr erroneous refuse_without_axis() {
  static_assert(compile_error<misuse<typename X::chain>::axis_is_missing>::reported);
  return {};
}

/// What a list in braces is taken for.
struct joined_in_braces {
  template <class... X>
  constexpr joined_in_braces(const X&...) {
    static_assert(compile_error<misuse<void(X...)>::joined_in_braces>::reported);
  }
};

}  // namespace detail

template <expression X, class... A>
  requires detail::plain_arguments<A...>
constexpr auto sum(const X&, A...) {
  return detail::refuse_axis_as_argument<X>();
}
template <expression X, class... A>
  requires detail::plain_arguments<A...>
constexpr auto mean(const X&, A...) {
  return detail::refuse_axis_as_argument<X>();
}
template <expression X, class... A>
  requires detail::plain_arguments<A...>
constexpr auto prod(const X&, A...) {
  return detail::refuse_axis_as_argument<X>();
}
template <expression X, class... A>
  requires detail::plain_arguments<A...>
constexpr auto argmax(const X&, A...) {
  return detail::refuse_axis_as_argument<X>();
}
template <expression X, class... A>
  requires detail::plain_arguments<A...>
constexpr auto argmin(const X&, A...) {
  return detail::refuse_axis_as_argument<X>();
}
template <expression X, class... A>
  requires detail::plain_arguments<A...>
constexpr auto logsumexp(const X&, A...) {
  return detail::refuse_axis_as_argument<X>();
}
template <expression X, class... A>
  requires detail::plain_arguments<A...>
constexpr auto norm(const X&, A...) {
  return detail::refuse_axis_as_argument<X>();
}
template <expression X, class... A>
  requires detail::plain_arguments<A...>
constexpr auto var(const X&, A...) {
  return detail::refuse_axis_as_argument<X>();
}
template <expression X, class... A>
  requires detail::plain_arguments<A...>
constexpr auto std(const X&, A...) {
  return detail::refuse_axis_as_argument<X>();
}
template <expression X, class... A>
  requires detail::plain_arguments<A...>
constexpr auto softmax(const X&, A...) {
  return detail::refuse_axis_as_argument<X>();
}
template <expression X, class... A>
  requires detail::plain_arguments<A...>
constexpr auto log_softmax(const X&, A...) {
  return detail::refuse_axis_as_argument<X>();
}
template <expression X, class... A>
  requires detail::plain_arguments<A...>
constexpr auto permute(const X&, A...) {
  return detail::refuse_axis_as_argument<X>();
}
template <expression X, class... A>
  requires detail::plain_arguments<A...>
constexpr auto reshape(const X&, A...) {
  return detail::refuse_axis_as_argument<X>();
}
template <expression X, class... A>
  requires detail::plain_arguments<A...>
constexpr auto flatten(const X&, A...) {
  return detail::refuse_axis_as_argument<X>();
}
template <expression X, class... A>
  requires detail::plain_arguments<A...>
constexpr auto expand(const X&, A...) {
  return detail::refuse_axis_as_argument<X>();
}
template <expression X, class... A>
  requires detail::plain_arguments<A...>
constexpr auto split(const X&, A...) {
  return detail::refuse_axis_as_argument<X>();
}
template <expression X, class... A>
  requires detail::plain_arguments<A...>
constexpr auto at(const X&, A...) {
  return detail::refuse_axis_as_argument<X>();
}
template <expression X, class... A>
  requires detail::plain_arguments<A...>
constexpr auto dropout(const X&, A...) {
  return detail::refuse_axis_as_argument<X>();
}
template <expression X, class... A>
  requires detail::plain_arguments<A...>
constexpr auto transpose(const X&, A...) {
  return detail::refuse_axis_as_argument<X>();
}
template <expression X, class... A>
  requires detail::plain_arguments<A...>
constexpr auto slice(const X&, A...) {
  return detail::refuse_axis_as_argument<X>();
}
template <expression X, class... A>
  requires detail::plain_arguments<A...>
constexpr auto roll(const X&, A...) {
  return detail::refuse_axis_as_argument<X>();
}
template <expression X, class... A>
  requires detail::plain_arguments<A...>
constexpr auto flip(const X&, A...) {
  return detail::refuse_axis_as_argument<X>();
}

template <int, expression X, class... A>
  requires detail::plain_arguments<A...>
constexpr auto slice(const X&, A...) {
  return detail::refuse_axis_as_argument<X>();
}
template <int, expression X, class... A>
  requires detail::plain_arguments<A...>
constexpr auto split(const X&, A...) {
  return detail::refuse_axis_as_argument<X>();
}
template <expression X, class... A>
  requires detail::plain_arguments<A...>
constexpr auto one_hot(const X&, A...) {
  return detail::refuse_axis_as_argument<X>();
}

template <int>
constexpr auto concat(detail::joined_in_braces) {
  return erroneous{};
}
template <int>
constexpr auto stack(detail::joined_in_braces) {
  return erroneous{};
}

template <expression X, expression_operand... More>
constexpr auto concat(const X&, const More&...) {
  return detail::refuse_without_axis<X>();
}
template <expression X, expression_operand... More>
constexpr auto stack(const X&, const More&...) {
  return detail::refuse_without_axis<X>();
}
template <expression X, expression_operand... More>
constexpr auto gather(const X&, const More&...) {
  return detail::refuse_without_axis<X>();
}
template <expression X, expression_operand... More>
constexpr auto scatter_add(const X&, const More&...) {
  return detail::refuse_without_axis<X>();
}
template <expression X, expression_operand... More>
constexpr auto take_along(const X&, const More&...) {
  return detail::refuse_without_axis<X>();
}
template <expression X, expression_operand... More>
constexpr auto index_select(const X&, const More&...) {
  return detail::refuse_without_axis<X>();
}
template <expression X, expression_operand... More>
constexpr auto cumsum(const X&, const More&...) {
  return detail::refuse_without_axis<X>();
}
template <expression X, expression_operand... More>
constexpr auto cumprod(const X&, const More&...) {
  return detail::refuse_without_axis<X>();
}

}  // namespace tapeless
