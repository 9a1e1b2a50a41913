// SPDX-License-Identifier: BSL-1.0
// lp_pool2d<pool{.kernel = 2, .norm_type = 3}>(x), lp_pool1d, lp_pool3d: the norm of each window.
#pragma once

#include <tapeless/ops/pointwise/equal.hpp>
#include <tapeless/ops/pointwise/pow.hpp>
#include <tapeless/ops/pointwise/where.hpp>
#include <tapeless/ops/spatial/pool3d.hpp>

namespace tapeless {

struct lp_pool_names {
  static constexpr bool is_mean = true;
  static constexpr std::string_view names[] = {"lp_pool1d", "lp_pool2d", "lp_pool3d"};
};

// Where ceil_mode lets a window go on behind x, PyTorch multiplies its mean with the whole kernel.
template <class Average>
struct lp_pool_operation : lp_pool_names {
  static constexpr text refusal(const pool& o) {
    if (o.norm_type > 0 && o.padding == spatial_extents(0) && o.divisor_override == 0) return {};
    return text() << "an Lp pool takes a norm_type above 0, no padding and no divisor_override";
  }
  static constexpr value build(value x, const spatial_windows& w, const pool& options) {
    const value mean = Average::build(pow(x, options.norm_type), w, options);
    const value total = mean * detail::elements_of(w), zero = total == 0.0;  // whose root has no derivative
    return where(zero, 0.0, pow(where(zero, 1.0, total), 1 / options.norm_type));
  }
};

namespace detail {

template <int Axes, pool Options>
using lp_pool_statement =
    pool_statement<lp_pool_operation<std::conditional_t<Axes == 3, avg_pool3d_operation, avg_pool_operation>>,
                   Axes, Options>;

}  // namespace detail

/// (sum of x^p)^(1/p) over each window, p being pool::norm_type, 2 if it is not said: x [N, C, H, W] ->
/// [N, C, OH, OW], sizes as max_pool2d's. A NaN where p is odd and a sum below zero. The batch may be left
/// out.
/// @formula y = (sum of x^p over each window)^(1/p)
/// @shapes floating [N, C, H, W] -> [N, C, (H - kernel) / stride + 1, ..]
/// @errors spatial_options pool_kernel_as_number
/// @torch torch.nn.functional.lp_pool2d
/// @jax none
/// @given x = [[[[3, 4, 0, 2]]]]
/// @gives tl::lp_pool2d<tl::pool{.kernel = {1, 2}}>(x) = [[[[5, 2]]]]
template <pool Options>
TAPELESS_FACTORY auto lp_pool2d(operand auto x) {
  return make<detail::lp_pool_statement<2, Options>>(x);
}
// Calls without a pool as its options, which are refused.
template <plain_number auto... N, class... X>
constexpr auto lp_pool2d(const X&... x) {
  return detail::refuse_call<sentence{"lp_pool2d"}, detail::options_are_a_pool, detail::pool_of_x>(x...);
}

/// lp_pool2d along one axis, [N, C, L] -> [N, C, OL].
/// @formula y = (sum of x^p over each window)^(1/p)
/// @shapes floating [N, C, L] -> [N, C, (L - kernel) / stride + 1]
/// @errors spatial_options pool_kernel_as_number
/// @torch torch.nn.functional.lp_pool1d
/// @jax none
/// @given x = [[[3, 4, 0, 2]]]
/// @gives tl::lp_pool1d<tl::pool{.kernel = 2}>(x) = [[[5, 2]]]
template <pool Options>
TAPELESS_FACTORY auto lp_pool1d(operand auto x) {
  return make<detail::lp_pool_statement<1, Options>>(x);
}
// Calls without a pool as its options, which are refused.
template <plain_number auto... N, class... X>
constexpr auto lp_pool1d(const X&... x) {
  return detail::refuse_call<sentence{"lp_pool1d"}, detail::options_are_a_pool, detail::pool_of_x>(x...);
}

/// lp_pool2d along three axes, [N, C, D, H, W] -> [N, C, OD, OH, OW].
/// @formula y = (sum of x^p over each window)^(1/p)
/// @shapes floating [N, C, D, H, W] -> [N, C, (D - kernel) / stride + 1, ..]
/// @errors spatial_options pool_kernel_as_number
/// @torch torch.nn.functional.lp_pool3d
/// @jax none
/// @given x = [[[[[3], [4]], [[12], [0]]]]]
/// @gives tl::lp_pool3d<tl::pool{.kernel = {2, 2, 1}}>(x) = [[[[[13]]]]]
template <pool Options>
TAPELESS_FACTORY auto lp_pool3d(operand auto x) {
  return make<detail::lp_pool_statement<3, Options>>(x);
}
// Calls without a pool as its options, which are refused.
template <plain_number auto... N, class... X>
constexpr auto lp_pool3d(const X&... x) {
  return detail::refuse_call<sentence{"lp_pool3d"}, detail::options_are_a_pool, detail::pool_of_x>(x...);
}

}  // namespace tapeless
