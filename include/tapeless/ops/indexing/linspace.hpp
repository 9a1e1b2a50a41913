// SPDX-License-Identifier: BSL-1.0
// linspace<T, n>(first, last): numbers at equal distances.
#pragma once

#include <tapeless/ops/base/given_extents.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/cast.hpp>
#include <tapeless/ops/pointwise/less.hpp>
#include <tapeless/ops/pointwise/max.hpp>
#include <tapeless/ops/pointwise/where.hpp>

namespace tapeless {

template <element Type, extent N>
struct linspace_statement {
  static constexpr std::string_view name = "linspace";
  static constexpr int arity = 2;
  static constexpr text refusal() {
    return detail::unless_fits(is_floating(Type), name, "a floating element type", name_of(Type));
  }
  static constexpr value build(value first, value last) {
    for (const value end : {first, last})
      if (end.rank() != 0)
        return end.fail(detail::shape_sentence(name, end) << ": its ends are numbers, or scalars");
    graph& g = *first.builder;
    constexpr element type = computed_in(Type);
    first = cast(first, type), last = cast(last, type);
    const std::int64_t n = g.extents.number(N);
    const value i = make_iota(g, {1, {n}}, 0, type), count = cast(make_size(g, n), type);
    const value step = (last - first) / max(count - 1.0, 1.0);  // a single element is the first end
    return cast(where(i < 0.5 * count, first + step * i, last - step * (count - 1.0 - i)), Type);
  }
};

/// n numbers at equal distances, the ends among them: numbers such as 0_c, or scalars of the model. A single
/// one is the first end.
/// @formula y_i = first + i (last - first) / (n - 1), counted from the nearer end
/// @shapes [] and [] -> floating T [n]
/// @errors constants_of_a_shape orders_and_types
/// @torch torch.linspace
/// @jax jnp.linspace
/// @gives tl::linspace<float, 5>(0_c, 1_c) = [0, 0.25, 0.5, 0.75, 1]
template <element_type T, extent N, class First, class Last>
  requires(operands<First, Last>)
TAPELESS_FACTORY auto linspace(First first, Last last) {
  if constexpr (detail::require_extents<N>()) {
    return make<linspace_statement<element_of<T>, N>>(first, last);
  } else {
    return erroneous{};
  }
}

}  // namespace tapeless
