// SPDX-License-Identifier: BSL-1.0
// randint<"i", T, E...>(low, high): whole numbers from low to below high, each as probable as the others.
#pragma once

#include <tapeless/ops/base/do_not_fit.hpp>
#include <tapeless/ops/base/layer.hpp>
#include <tapeless/ops/base/refused_call.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/cast.hpp>
#include <tapeless/ops/pointwise/floor.hpp>
#include <tapeless/ops/pointwise/neg.hpp>
#include <tapeless/ops/random/named_draw.hpp>

namespace tapeless {

template <name Name, element Type, extent... E>
struct randint_statement {
  static constexpr std::string_view op = "randint";
  static constexpr int arity = 2;
  static constexpr text refusal() {
    return detail::unless_fits(is_integer(Type), op, "an integer element type", name_of(Type));
  }
  static constexpr value build(value low, value high) {
    graph& g = *low.builder;
    if (!detail::require_extents_of_draw<E...>(op, g)) return low;
    const shape_list shape{sizeof...(E), {g.extents.number(E)...}};
    if (!fits(low, shape) || !fits(high, shape))
      return detail::do_not_fit(op, {{"low", low}, {"high", high}},
                                "two numbers, or integers that broadcast to its own shape");
    const maybe<double> from = detail::known_number(low), below = detail::known_number(high);
    if (from && below) {
      if (!holds(*from, *below))
        return low.fail(
            text() << op << " of " << name_of(Type)
                   << " takes whole numbers of this type, low below high: high itself is not drawn");
      if (*below > *from + 0x1p53)
        return low.fail(text() << op << " takes bounds that are at most 2^53 apart");
    }
    const value first = cast(low, element::i64), u = detail::drawn_uniform<Name>(g, shape, element::f64);
    const value steps = floor(u * cast(cast(high, element::i64) - first, element::f64));
    return detail::only_draw<Name>(op, cast(cast(steps, element::i64) + first, Type));
  }

 private:
  static constexpr bool fits(value bound, const shape_list& shape) {
    shape_list both;
    return (bound.type() == element::number || is_integer(bound.type())) &&
           broadcast(shape_of(bound), shape, both) && both == shape;
  }
  static constexpr bool holds(double low, double high) {
    return low < high && detail::number_as(low, Type) == low && detail::number_as(high - 1, Type) == high - 1;
  }
};

/// Whole numbers of the integer type T and the shape [E...], without extents a scalar: low or more and below
/// high. The bounds are numbers, or integers whose shape broadcasts to [E...]; high is above low, by at most
/// 2^53, and T must hold low and high - 1, which nothing checks where an input says them: low comes out where
/// high is the same, numbers from high to low where it is below. The probability of each number is 1 / (high
/// - low) within 2^-52. It has no derivative. For what the name means, and when it is drawn anew, see normal.
/// @formula y = low + floor((high - low) u), u ~ U[0, 1); without a derivative
/// @shapes [] and [], or integers that broadcast to [E..] -> T [E..]
/// @errors draw_name_used_twice draws_as_in_pytorch randint_bounds randint_far_apart randint_of_none
/// @torch torch.randint
/// @jax jax.random.randint
/// @gives tl::randint<"i", std::int32_t, 5>(0_c, 10_c) = [3, 5, 4, 5, 5]
template <name Name, element_type T, extent... E, class Low, class High>
  requires operands<Low, High>
TAPELESS_FACTORY auto randint(Low low, High high) {
  return make<randint_statement<Name, element_of<T>, E...>>(low, high);
}

namespace detail {

constexpr auto refuse_randint(const auto&... x) {
  return refuse_call<sentence{"randint"},
                     sentence{"name, type and extents are template arguments, the bounds are two operands"},
                     sentence{"<\"i\", std::int32_t, 3>(0_c, 10_c)"}>(x...);
}

}  // namespace detail

// Calls as in PyTorch, which are refused.
template <layer_argument... A, class... X>
constexpr auto randint(const X&... x) {
  return detail::refuse_randint(x...);
}
template <name Name, element_type T, extent... E, class... X>
  requires(sizeof...(X) != 2 || !operands<X...>)
constexpr auto randint(const X&... x) {
  return detail::refuse_randint(x...);
}

}  // namespace tapeless
