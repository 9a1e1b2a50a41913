// SPDX-License-Identifier: BSL-1.0
// meshgrid(a, b, ...): the coordinates of a grid.
#pragma once

#include <array>
#include <tapeless/ops/shape/expand.hpp>
#include <tapeless/ops/shape/reshape.hpp>
#include <tuple>
#include <utility>

namespace tapeless {

/// Coordinate number Part of all.
template <int Part>
struct meshgrid_statement {
  static constexpr std::string_view name = "meshgrid";
  static constexpr int arity = -1;
  static constexpr node_list build_all(graph& g, const node_list& x) {
    shape_list grid{.rank = x.count};
    const value own = detail::as_vector({&g, x.ids[Part]});
    for (int i = 0; i < x.count; ++i) {
      const value v = detail::as_vector({&g, x.ids[i]});
      if (v.rank() != 1)
        return node_list::only(v.fail(detail::shape_sentence(name, v) << ": it takes vectors"));
      grid.extents[i] = v.get().shape[0];
    }
    shape_list line{.rank = x.count};
    for (int i = 0; i < x.count; ++i) line.extents[i] = i == Part ? grid.extents[i] : 1;
    return node_list::only(expand(reshape(own, line), grid));
  }
};

namespace detail {

template <int... Part, class... X>
TAPELESS_FACTORY auto meshgrid_of(std::integer_sequence<int, Part...>, X... x) {
  return std::make_tuple(make<meshgrid_statement<Part>>(x...)...);
}

}  // namespace detail

/// Of n vectors, or scalars in their place, n values of the shape of their extents: coordinate number k is
/// vector k along axis k, the same along all others. auto [a, b] = meshgrid(x, y); PyTorch's indexing="ij".
/// @formula a[i][j] = x[i], b[i][j] = y[j]
/// @shapes [m], [n], .. -> each [m, n, ..]
/// @errors shapes_of_vectors plain_number
/// @torch torch.meshgrid
/// @jax jnp.meshgrid
/// @given x = [1, 2]; y = [3, 4, 5]
/// @example auto [a, b] = tl::meshgrid(x, y);
/// @gives a = [[1, 1, 1], [2, 2, 2]]
/// @gives b = [[3, 4, 5], [3, 4, 5]]
template <expression_operand... X>
TAPELESS_FACTORY auto meshgrid(X... x) {
  return detail::meshgrid_of(std::make_integer_sequence<int, sizeof...(X)>{}, x...);
}

}  // namespace tapeless
