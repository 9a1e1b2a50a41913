// SPDX-License-Identifier: BSL-1.0
// full<T, E...>(number), full_like(x, number): one number in a shape.
#pragma once

#include <concepts>

#include <tapeless/ops/base/given_extents.hpp>
#include <tapeless/ops/pointwise/cast.hpp>
#include <tapeless/ops/shape/expand.hpp>

namespace tapeless {

template <element Type, extent... E>
struct full_statement {
  static constexpr std::string_view name = "full";
  static constexpr int arity = 1;
  static constexpr value build(std::same_as<value> auto number) {
    if (number.rank() != 0)
      return number.fail(detail::shape_sentence(name, number) << ": it takes a number, or a scalar");
    return expand_statement<E...>::build(detail::cast_as_asked(number, Type));
  }
};

struct full_like_statement {
  static constexpr std::string_view name = "full_like";
  static constexpr int arity = 2;
  static constexpr value build(value x, std::same_as<value> auto number) {
    if (number.rank() != 0)
      return number.fail(detail::shape_sentence(name, number)
                         << ": it takes a value and a number, or a scalar");
    return expand(detail::cast_as_asked(number, x.type()), shape_of(x));
  }
};

/// A value of the element type T and the shape [E...] that is the number everywhere, a scalar of the model's
/// or one such as 2_c. The gradient is cast back.
/// @formula y = number, everywhere
/// @shapes [] -> T [E...]
/// @errors constants_of_a_shape
/// @torch torch.full
/// @jax jnp.full
/// @gives tl::full<float, 2, 2>(3_c) = [[3, 3], [3, 3]]
template <element_type T, extent... E>
TAPELESS_FACTORY auto full(operand auto number) {
  if constexpr (detail::require_extents<E...>()) {
    return make<full_statement<element_of<T>, E...>>(number);
  } else {
    return erroneous{};
  }
}

/// The number everywhere, in x's shape and element type. The gradient is the number's alone.
/// @formula y = number, everywhere
/// @shapes any type [..] and [] -> the type [..]
/// @errors constants_of_a_shape
/// @torch torch.full_like
/// @jax jnp.full_like
/// @given x = [[7, 7, 7], [7, 7, 7]]
/// @gives tl::full_like(x, 3_c) = [[3, 3, 3], [3, 3, 3]]
template <class X, class Number>
  requires(operands<X, Number>)
TAPELESS_FACTORY auto full_like(X x, Number number) {
  return make<full_like_statement>(x, number);
}

}  // namespace tapeless
