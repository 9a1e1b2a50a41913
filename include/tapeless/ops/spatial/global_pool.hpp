// SPDX-License-Identifier: BSL-1.0
// global_avg_pool2d(x), global_max_pool2d(x): one number for each channel of each image.
#pragma once

#include <tapeless/ops/reduction/max_reduction.hpp>
#include <tapeless/ops/reduction/mean.hpp>
#include <tapeless/ops/spatial/pool_windows.hpp>

namespace tapeless {

template <class Reduction>
struct global_pool2d_statement {
  static constexpr bool is_mean = std::is_same<Reduction, mean_operation>::value;
  static constexpr std::string_view name = is_mean ? "global_avg_pool2d" : "global_max_pool2d";
  static constexpr int arity = 1;
  static constexpr value build(value x) {
    return detail::require_image(name, x, 2) ? Reduction::build(x, 3u << 2, true) : x;
  }
};

/// The mean over each channel of each image: [N, C, H, W] -> [N, C, 1, 1].
/// @formula y = the mean over H and W
/// @shapes floating [N, C, H, W] -> [N, C, 1, 1]
/// @errors pool_rank
/// @torch torch.nn.functional.adaptive_avg_pool2d(x, 1)
/// @jax jnp.mean(x, (2, 3), keepdims=True)
/// @given x = [[[[1, 2], [3, 6]]]]
/// @gives tl::global_avg_pool2d(x) = [[[[3]]]]
constexpr value global_avg_pool2d(is_value auto x) {
  return make<global_pool2d_statement<mean_operation>>(x);
}
TAPELESS_FACTORY auto global_avg_pool2d(expression_operand auto x) {
  return make<global_pool2d_statement<mean_operation>>(x);
}

/// The largest element of each channel of each image: [N, C, H, W] -> [N, C, 1, 1].
/// @formula y = the largest element over H and W
/// @shapes floating [N, C, H, W] -> [N, C, 1, 1]
/// @errors pool_rank
/// @torch torch.nn.functional.adaptive_max_pool2d(x, 1)
/// @jax jnp.max(x, (2, 3), keepdims=True)
/// @given x = [[[[1, 2], [3, 6]]]]
/// @gives tl::global_max_pool2d(x) = [[[[6]]]]
constexpr value global_max_pool2d(is_value auto x) {
  return make<global_pool2d_statement<max_reduction_operation>>(x);
}
TAPELESS_FACTORY auto global_max_pool2d(expression_operand auto x) {
  return make<global_pool2d_statement<max_reduction_operation>>(x);
}

}  // namespace tapeless
