// SPDX-License-Identifier: BSL-1.0
// size<axes...>(x): how many elements there are, as a number of the model.
#pragma once

#include <tapeless/expr/make.hpp>
#include <tapeless/graph/structural/leaf.hpp>
#include <tapeless/ops/base/axes.hpp>
#include <tapeless/ops/reduction/reduction_operation.hpp>

namespace tapeless {

template <int... Axes>
struct size_statement {
  static constexpr int arity = 1;
  static constexpr value build(value x) {
    return make_size(*x.builder, detail::count_over(x, detail::axis_mask<Axes...>("size", x)));
  }
};

/// How many elements x has along Axes, or in all where none is named: a number that takes the type of what it
/// meets, as 2_c does. size<0>(x) is the batch, also where it is known at run time only.
/// @formula y = n_i n_j .. along the axes i, j, ..; without a derivative
/// @shapes any [..] -> []
/// @errors reduction_axis
/// @torch torch.numel, torch.Tensor.size
/// @jax x.size, x.shape[axis]
/// @given x = [[1, 2, 3], [4, 5, 9]]
/// @gives tl::sum(x) / tl::size(x) = 4
/// @gives tl::sum(x) / tl::size<0>(x) = 12
template <int... Axes>
constexpr value size(is_value auto x) {
  return size_statement<Axes...>::build(x);
}
template <int... Axes>
TAPELESS_FACTORY auto size(expression_operand auto x) {
  return make<size_statement<Axes...>>(x);
}

}  // namespace tapeless
