// SPDX-License-Identifier: BSL-1.0
// Which element types an operation takes, and the sentence that says so.
#pragma once

#include <tapeless/graph/core/value.hpp>

namespace tapeless {

enum class element_kind : std::uint8_t { any, numbers, floating, integers, booleans };

constexpr bool is_of(element type, element_kind kind) {
  switch (kind) {
    case element_kind::numbers:
      return type != element::boolean;
    case element_kind::floating:
      return is_floating(type);
    case element_kind::integers:
      return is_integer(type);
    case element_kind::booleans:
      return type == element::boolean;
    case element_kind::any:
      break;
  }
  return true;
}

namespace detail {

/// Whether the elements of x are of the kind; an error where they are not. `operand` says what x is: its
/// length would be counted in each call, so it is no std::string_view.
constexpr bool require_kind(std::string_view op, value x, element_kind kind,
                            const char* operand = "an operand") {
  if (is_of(x.type(), kind)) return true;
  text t;
  t << op << " got " << operand << " of the element type " << name_of(x.type()) << ": it takes ";
  if (kind == element_kind::booleans) {
    t << "booleans, which comparisons give (x != 0_c)";
  } else if (kind == element_kind::integers) {
    t << "integers; tl::cast<std::int32_t>(x) converts";
  } else {
    t << (kind == element_kind::floating ? "floating-point numbers" : "numbers")
      << "; tl::cast<float>(x) converts";
  }
  x.fail(t);
  return false;
}

}  // namespace detail

}  // namespace tapeless
