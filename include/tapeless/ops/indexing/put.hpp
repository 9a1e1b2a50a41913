// SPDX-License-Identifier: BSL-1.0
// put(x, index, source): elements in place of those that an index names among all of x's.
#pragma once

#include <tapeless/ops/base/do_not_fit.hpp>
#include <tapeless/ops/indexing/scatter.hpp>
#include <tapeless/ops/shape/reshape.hpp>

namespace tapeless {

/// What is said beside put's operands: the source is added to x, not put in its place.
struct adding_t {};
inline constexpr adding_t adding;

template <bool Accumulate>
struct put_statement {
  static constexpr std::string_view name = "put";
  static constexpr int arity = 3;
  static constexpr value build(value x, value index, value source) {
    graph& g = *x.builder;
    const shape_list all{1, {element_count(g, shape_of(x))}}, some{1, {element_count(g, shape_of(index))}};
    if (!detail::is_index(index) || element_count(g, shape_of(source)) != some.extents[0] ||
        source.type() != x.type())
      return detail::do_not_fit(name, {{"x", x}, {"an index", index}, {"a source", source}},
                                "as many integers as the source has elements, and one element type");
    const value line = reshape(x, all), places = reshape(index, some), brought = reshape(source, some);
    const value y = Accumulate ? line + scatter_add(places, brought, 0, all)
                               : detail::scattered_over(line, places, brought, 0);
    return reshape(y, shape_of(x));
  }
};

/// x, with elements of the source in place of those that the index names among all of x's in row-major order;
/// of several for one place their sum. With adding behind the operands they are added to x's. Indices as
/// in gather.
/// @formula y = x; y.flat[index[i]] = source[i], or += source[i]
/// @shapes [..], integers and as many values -> x's shape
/// @errors indices
/// @torch torch.Tensor.put_
/// @jax jnp.put
/// @given x = [[1, 2], [3, 4]]; index = int64 [3, 0]; source = [7, 8]
/// @gives tl::put(x, index, source) = [[8, 2], [3, 7]]
/// @gives tl::put(x, index, source, tl::adding) = [[9, 2], [3, 11]]
TAPELESS_FACTORY auto put(operand auto x, operand auto index, operand auto source) {
  return make<put_statement<false>>(x, index, source);
}
TAPELESS_FACTORY auto put(operand auto x, operand auto index, operand auto source, adding_t) {
  return make<put_statement<true>>(x, index, source);
}

}  // namespace tapeless
