// SPDX-License-Identifier: BSL-1.0
// index_fill<axis>(x, index, filling): slices of x, by their numbers, that one number fills.
#pragma once

#include <tapeless/ops/base/do_not_fit.hpp>
#include <tapeless/ops/base/refused_call.hpp>
#include <tapeless/ops/indexing/times_named.hpp>
#include <tapeless/ops/pointwise/where.hpp>

namespace tapeless {

template <int Axis>
struct index_fill_statement {
  static constexpr std::string_view name = "index_fill";
  static constexpr int arity = 3;
  static constexpr value build(value x, value index, value filling) {
    if (is_axis_of_scalar(x, Axis))
      return reshape(build(detail::as_vector(x), detail::as_vector(index), filling), shape_of(x));
    const int axis = detail::axis_of(name, x, Axis);
    if (axis < 0) return x;
    if (!detail::is_index(index) || index.rank() != 1 || filling.rank() != 0)
      return detail::do_not_fit(name, {{"x", x}, {"an index", index}, {"a filling", filling}},
                                "a vector of integers and a number");
    return where(detail::times_named(index, axis, x.rank(), x.get().shape[axis]) > 0, filling, x);
  }
};

/// x, with one number in its slices number index[i] along the axis. Indices as in gather.
/// @formula y = x; y[index[i]] = filling, for axis 0
/// @shapes [.., n, ..], integers [k], [] -> [.., n, ..]
/// @errors indices indexing_as_in_pytorch
/// @torch torch.index_fill
/// @jax x.at[index].set(filling)
/// @given x = [[1, 1], [2, 2]]; index = int64 [1]
/// @gives tl::index_fill<0>(x, index, 9_c) = [[1, 1], [9, 9]]
template <int Axis>
TAPELESS_FACTORY auto index_fill(operand auto x, operand auto index, operand auto filling) {
  return make<index_fill_statement<Axis>>(x, index, filling);
}

// Calls as in PyTorch, which are refused.
template <detail::called_with X, class... More>
constexpr auto index_fill(const X& x, const More&... more) {
  return detail::refuse_call<sentence{"index_fill"}, detail::axis_is_template_argument,
                             sentence{"<0>(x, index, 1_c)"}>(x, more...);
}

}  // namespace tapeless
