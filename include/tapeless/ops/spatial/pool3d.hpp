// SPDX-License-Identifier: BSL-1.0
// max_pool3d<pool{.kernel = 2}>(x), avg_pool3d: pooling of volumes.
#pragma once

#include <tapeless/ops/spatial/avg_pool.hpp>
#include <tapeless/ops/spatial/max_pool.hpp>

namespace tapeless {

// Means over planes, then means of these along the depth.
struct avg_pool3d_operation {
  static constexpr bool is_mean = true;
  static constexpr std::string_view names[] = {"", "", "avg_pool3d"};
  static constexpr value build(value x, const spatial_windows& w, const pool& options) {
    const spatial_windows along_depth{2, {w.along[0], {}}, {w.padding[0]}};
    const spatial_windows plane{2, {w.along[1], w.along[2]}, {w.padding[1], w.padding[2]}};
    extent_table& e = x.builder->extents;
    shape_list s = shape_of(x);
    const value planes =
        reshape(x, {4, {s.extents[0], e.multiply(s.extents[1], s.extents[2]), s.extents[3], s.extents[4]}});
    const value means = detail::average_pool(planes, plane, options);
    s.extents[3] = means.get().shape[2];
    s.extents[4] = means.get().shape[3];
    const value columns = reshape(
        means, {4, {s.extents[0], s.extents[1], s.extents[2], e.multiply(s.extents[3], s.extents[4])}});
    const value y = detail::average_pool(columns, along_depth, options);
    s.extents[2] = y.get().shape[2];
    return detail::with_divisor(reshape(y, s), w, options);
  }
};

/// max_pool2d along three axes: x [N, C, D, H, W] -> [N, C, OD, OH, OW]. Options of one number stand for all
/// axes, those of three for depth, height and width.
/// @formula y = the largest element of each window
/// @shapes floating [N, C, D, H, W] -> [N, C, (D + 2 padding - kernel) / stride + 1, ..]
/// @errors pool_kernel pool_rank pool_kernel_as_number
/// @torch torch.nn.functional.max_pool3d
/// @jax flax.linen.max_pool
/// @given x = [[[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]]]
/// @gives tl::max_pool3d<tl::pool{.kernel = {2, 1, 1}}>(x) = [[[[[5, 6], [7, 8]]]]]
template <pool Options>
TAPELESS_FACTORY auto max_pool3d(operand auto x) {
  return make<pool_statement<max_pool_operation, 3, Options>>(x);
}
// Calls without a pool as its options, which are refused.
template <plain_number auto... N, class... X>
constexpr auto max_pool3d(const X&... x) {
  return detail::refuse_call<sentence{"max_pool3d"}, detail::options_are_a_pool, detail::pool_of_x>(x...);
}

/// avg_pool2d along three axes: x [N, C, D, H, W] -> [N, C, OD, OH, OW]. Options as in max_pool3d.
/// @formula y = the mean of each window
/// @shapes floating [N, C, D, H, W] -> [N, C, (D + 2 padding - kernel) / stride + 1, ..]
/// @errors pool_kernel pool_rank pool_kernel_as_number
/// @torch torch.nn.functional.avg_pool3d
/// @jax flax.linen.avg_pool
/// @given x = [[[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]]]
/// @gives tl::avg_pool3d<tl::pool{.kernel = {2, 1, 1}}>(x) = [[[[[3, 4], [5, 6]]]]]
template <pool Options>
TAPELESS_FACTORY auto avg_pool3d(operand auto x) {
  return make<pool_statement<avg_pool3d_operation, 3, Options>>(x);
}
// Calls without a pool as its options, which are refused.
template <plain_number auto... N, class... X>
constexpr auto avg_pool3d(const X&... x) {
  return detail::refuse_call<sentence{"avg_pool3d"}, detail::options_are_a_pool, detail::pool_of_x>(x...);
}

}  // namespace tapeless
