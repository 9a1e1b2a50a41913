// SPDX-License-Identifier: BSL-1.0
// How layers are called: their forms, tl::forms::NAME, are behind one function tl::NAME. So compilers list
// one function where an argument has no value, as linear<"fc1", 10, options{.mispelt = 1}> has none. Any call
// that is none of the forms is refused with the sentence that shows the layer.
//
//   template <layer_argument... A, class... X>
//   TAPELESS_FACTORY auto linear(const X&... x) {
//     if constexpr (requires { forms::linear<A.value...>(x...); }) {
//       return forms::linear<A.value...>(x...);
//     } else {
//       return detail::refuse_layer<sentence{"linear<\"fc1\", 10>(x)"}, A...>(x...);
//     }
//   }
#pragma once

#include <concepts>

#include <tapeless/expr/make.hpp>
#include <tapeless/graph/core/name.hpp>

namespace tapeless {

/// A template argument of a layer, of any type: its name, its width, its options.
template <class T>
struct layer_argument {
  T value;
  constexpr layer_argument(T v) : value(v) {}
  template <std::size_t N>
    requires std::same_as<T, name>
  constexpr layer_argument(const char (&literal)[N]) : value(literal) {}
};
template <class T>
layer_argument(T) -> layer_argument<T>;
template <std::size_t N>
layer_argument(const char (&)[N]) -> layer_argument<name>;

/// What a layer works on: a number in its place is one of the template arguments.
template <class X>
concept layer_operand = expression<X>;

namespace detail {

template <class... X>
constexpr text refused_layer(std::string_view form) {
  if constexpr ((tuple_of_expressions<X> || ...)) return text() << several_values;
  return text() << "a layer has template arguments in this order, its name first: tl::" << form;
}

/// Says so; depends on the call only so that it is said where a user wrote it.
template <sentence Form, layer_argument... A, class... X>
TAPELESS_FACTORY auto refuse_layer(const X&...) {
  constexpr text message = refused_layer<X...>(Form.view());
  static_assert(compile_error<sentence_of<message.size>(message)>::reported);
  return erroneous{};
}

}  // namespace detail

}  // namespace tapeless
