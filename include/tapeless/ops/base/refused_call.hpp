// SPDX-License-Identifier: BSL-1.0
// What is said where a call has its numbers or its options in the wrong place. An operation says so by an
// overload in its own header, which takes what its other forms do not.
#pragma once

#include <tapeless/expr/make.hpp>

namespace tapeless::detail {

/// The first operand by which a wrong call is known for one of this library.
template <class X>
concept called_with = expression<X> || is_value<X>;

inline constexpr sentence factor_is_template_argument{"its factor is a template argument"};
inline constexpr sentence axis_is_template_argument{"its axis is a template argument"};
inline constexpr sentence numbers_are_arguments{"numbers are arguments here, not template arguments"};

/// What stands behind the operation's name in the right call; numbers are plain beside values.
constexpr void write_form(text& t, std::string_view form, bool of_values) {
  while (!form.empty()) {
    const bool is_left_out = of_values && form.starts_with("_c");
    if (!is_left_out) t << form.substr(0, 1);
    form.remove_prefix(is_left_out ? 2 : 1);
  }
}

/// Says what is wrong, and the right form of the call; depends on the call only so that it is said where a
/// user wrote it. Anything can be done with the result.
template <sentence Name, sentence Why, sentence Form, class... X>
constexpr auto refuse_call(const X&... x) {
  constexpr bool of_values = (is_value<X> || ...);
  constexpr text message = [] {
    text t;
    t << Name.view() << ": " << Why.view() << ": tl::" << Name.view();
    write_form(t, Form.view(), of_values);
    return t;
  }();
  static_assert(compile_error<sentence_of<message.size>(message)>::reported);
  if constexpr (of_values) {
    return first_value(x...);
  } else {
    return erroneous{};
  }
}

}  // namespace tapeless::detail
