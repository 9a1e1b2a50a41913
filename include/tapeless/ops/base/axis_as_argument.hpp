// SPDX-License-Identifier: BSL-1.0
// What arguments are taken for where an operation is called as in PyTorch, with its axis as an argument or
// without the one that it needs. An operation says so by an overload in its own header.
#pragma once

#include <type_traits>

#include <tapeless/expr/make.hpp>

namespace tapeless::detail {

struct any_expression {
  template <valid_expression X>
  constexpr any_expression(const X&) {}
};

/// A number, or numbers, behind an expression: an axis, an extent or a share.
struct axis_as_argument {
  template <class A>
    requires std::is_arithmetic_v<A>
  constexpr axis_as_argument(A) {
    static_assert(compile_error<misuse<A>::axis_as_argument>::reported);
  }
};

/// The first operand of an operation that was given no axis.
struct no_axis {
  template <valid_expression X>
  constexpr no_axis(const X&) {
    static_assert(compile_error<misuse<X>::axis_is_missing>::reported);
  }
};

/// What a list in braces is taken for.
struct joined_in_braces {
  template <class... X>
  constexpr joined_in_braces(const X&...) {
    static_assert(compile_error<misuse<void(X...)>::joined_in_braces>::reported);
  }
};

}  // namespace tapeless::detail
