// SPDX-License-Identifier: BSL-1.0
// masked_select<size>(x, mask): the elements that a mask picks.
#pragma once

#include <tapeless/ops/indexing/sort.hpp>
#include <tapeless/ops/pointwise/where.hpp>
#include <tapeless/ops/reduction/sum.hpp>
#include <tapeless/ops/shape/expand.hpp>
#include <tapeless/ops/shape/reshape.hpp>
#include <tapeless/ops/shape/slice.hpp>

namespace tapeless {

template <std::int64_t Size>
struct masked_select_statement {
  static constexpr std::string_view name = "masked_select";
  static constexpr int arity = 2;
  static constexpr text refusal() {
    return detail::unless_fits(Size >= 1, name, "one element or more", Size);
  }
  static constexpr value build(value x, value mask) {
    shape_list shape;
    if (!detail::require_kind(name, mask, element_kind::booleans, "a mask")) return x;
    if (!broadcast(shape_of(x), shape_of(mask), shape)) {
      const value both[] = {x, mask};
      return detail::shapes_do_not_fit(name, both, 2);
    }
    graph& g = *x.builder;
    const shape_list all{1, {element_count(g, shape)}}, some{1, {Size}};
    if (extent_table::is_literal(all.extents[0]) && all.extents[0] < Size)
      return x.fail(detail::shape_sentence(name, x) << ": it has no " << Size << " elements");
    const value chosen = cast(reshape(expand(mask, shape), all), element::i32);
    // Those that are chosen come first, in their order.
    const value places = slice(argsort_of_last(chosen, {true, Size}), 0, 0, 1, Size);
    const value elements = gather(reshape(expand(x, shape), all), 0, places);
    return where(make_iota(g, some, 0, element::i32) < sum_operation::build(chosen, 1u, false), elements, 0);
  }
};

/// The first Size elements of x where the mask is true, in row-major order; zeros where there are fewer. The
/// shapes broadcast. It finds them as topk finds elements, at its cost.
/// @formula y_i = the element of x where the mask is true for time number i
/// @shapes numbers [..] and booleans whose shapes broadcast -> [Size]
/// @errors axes_and_counts counts_below_one
/// @torch torch.masked_select
/// @jax x[jnp.nonzero(mask, size=Size)]
/// @given x = [1, 2, 3, 4]; mask = bool [true, false, false, true]
/// @gives tl::masked_select<3>(x, mask) = [1, 4, 0]
template <std::int64_t Size, operand X, operand M>
TAPELESS_FACTORY auto masked_select(X x, M mask) {
  return make<masked_select_statement<Size>>(x, mask);
}

}  // namespace tapeless
