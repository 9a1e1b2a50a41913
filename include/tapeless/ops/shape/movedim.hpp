// SPDX-License-Identifier: BSL-1.0
// movedim<from, to>(x): an axis at another place.
#pragma once

#include <tapeless/ops/base/axis_as_argument.hpp>
#include <tapeless/ops/shape/permute.hpp>

namespace tapeless {

template <int From, int To>
struct movedim_statement {
  static constexpr std::string_view name = "movedim";
  static constexpr int arity = 1;
  static constexpr value build(value x) {
    if (is_axis_of_scalar(x, From) && is_axis_of_scalar(x, To)) return x;
    const int from = detail::axis_of(name, x, From), to = detail::axis_of(name, x, To);
    if (from < 0 || to < 0) return x;
    int axes[max_rank] = {};
    for (int i = 0; i < x.rank(); ++i)
      axes[i] = i == to ? from : from < to ? i + (i >= from && i < to) : i - (i <= from && i > to);
    return permute(x, axes);
  }
};

/// x with the axis From as the result's axis To; the others keep their order: [n, c, h, w] -> [n, h, w, c] by
/// movedim<1, -1>.
/// @formula y = x with the axis From at the place To
/// @shapes [.., n, ..] -> its extents in another order
/// @errors moved_axes
/// @torch torch.movedim
/// @jax jnp.moveaxis
/// @given x = [[[1, 2], [3, 4]]]
/// @gives tl::movedim<0, -1>(x) = [[[1], [2]], [[3], [4]]]
template <int From, int To>
TAPELESS_FACTORY auto movedim(operand auto x) {
  return make<movedim_statement<From, To>>(x);
}

// Calls as in PyTorch, which are refused.
constexpr erroneous movedim(detail::no_axis, ...) { return {}; }

}  // namespace tapeless
