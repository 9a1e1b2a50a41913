// SPDX-License-Identifier: BSL-1.0
// squeeze<axes...>(x): axes of extent 1 left out.
#pragma once

#include <tapeless/ops/base/axes.hpp>
#include <tapeless/ops/base/axis_as_argument.hpp>
#include <tapeless/ops/shape/reshape.hpp>

namespace tapeless {

template <int... Axes>
struct squeeze_statement {
  static constexpr std::string_view name = "squeeze";
  static constexpr int arity = 1;
  static constexpr value build(value x) {
    const unsigned axes = detail::axis_mask<Axes...>(name, x);
    shape_list rest;
    for (int i = 0; i < x.rank(); ++i) {
      const std::int64_t extent = x.get().shape[i];
      if ((axes >> i & 1u) == 0) {
        rest.extents[rest.rank++] = extent;
      } else if (extent != 1) {
        return x.fail(detail::shape_sentence(name, x) << ": the extent of axis " << i << " is not 1");
      }
    }
    return reshape(x, rest);
  }
};

/// x without the axes, each of which has extent 1: [n, 1, m] -> [n, m] by squeeze<1>. PyTorch leaves an axis
/// of another extent as it is, which is an error here.
/// @formula y = the same elements
/// @shapes [.., 1, ..] -> without the axes
/// @errors axes_of_one
/// @torch torch.squeeze
/// @jax jnp.squeeze
/// @given x = [[[1, 2, 3]]]
/// @gives tl::squeeze<0>(x) = [[1, 2, 3]]
/// @gives tl::squeeze<0, 1>(x) = [1, 2, 3]
template <int Axis, int... More>
TAPELESS_FACTORY auto squeeze(operand auto x) {
  return make<squeeze_statement<Axis, More...>>(x);
}

// Calls as in PyTorch, which are refused.
constexpr erroneous squeeze(detail::no_axis, ...) { return {}; }

}  // namespace tapeless
