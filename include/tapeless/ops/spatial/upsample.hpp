// SPDX-License-Identifier: BSL-1.0
// upsample_nearest2d<scale>(x), upsample_bilinear2d<scale, align_corners>(x): larger images.
#pragma once

#include <tapeless/ops/base/refused_call.hpp>
#include <tapeless/ops/linalg/matmul.hpp>
#include <tapeless/ops/pointwise/abs.hpp>
#include <tapeless/ops/pointwise/max.hpp>
#include <tapeless/ops/pointwise/min.hpp>
#include <tapeless/ops/reduction/max_reduction.hpp>
#include <tapeless/ops/reduction/min_reduction.hpp>
#include <tapeless/ops/spatial/pool_windows.hpp>

namespace tapeless {

namespace detail {

template <class Scale>
constexpr text refused_scale(std::string_view op, Scale scale, std::string_view mode) {
  if (std::is_integral_v<Scale> && scale >= Scale(1)) return {};
  return text() << op << " takes an integer of 1 or more; interpolate<resize{.scale_factor = 1.5" << mode
                << "}>(x) takes any factor";
}

}  // namespace detail

template <auto Scale>
struct upsample_nearest2d_statement {
  static constexpr std::string_view name = "upsample_nearest2d";
  static constexpr int arity = 1;
  static constexpr text refusal() { return detail::refused_scale(name, Scale, ""); }
  static constexpr value build(value x) {
    if (!detail::require_image(name, x, 2)) return x;
    const shape_list s = shape_of(x);
    extent_table& e = x.builder->extents;
    const value each = reshape(x, {6, {s.extents[0], s.extents[1], s.extents[2], 1, s.extents[3], 1}});
    shape_list repeated = shape_of(each), result = s;
    repeated.extents[3] = repeated.extents[5] = Scale;
    for (int i = 2; i < 4; ++i) result.extents[i] = e.multiply(s.extents[i], Scale);
    return reshape(expand(each, repeated), result);
  }
};

template <auto Scale, bool AlignCorners>
struct upsample_bilinear2d_statement {
  static constexpr std::string_view name = "upsample_bilinear2d";
  static constexpr int arity = 1;
  static constexpr text refusal() {
    return detail::refused_scale(name, Scale, ", .mode = interpolation::bilinear");
  }
  static constexpr value build(value x) {
    if (!detail::require_image(name, x, 2)) return x;
    const value rows = matmul(x, transpose_last(interpolation(x, x.get().shape[3])));
    return matmul(interpolation(x, x.get().shape[2]), rows);
  }

 private:
  // [Scale * extent, extent]: row i holds the shares of x's elements in element i of the result.
  static constexpr value interpolation(value x, std::int64_t extent) {
    graph& g = *x.builder;
    const std::int64_t scaled = g.extents.multiply(extent, Scale);
    const shape_list s{2, {scaled, extent}};
    const element type = computed_in(x.type());
    const value i = make_iota(g, s, 0, type), j = make_iota(g, s, 1, type);
    const value last = make_size(g, extent) - 1.0;
    const value source = AlignCorners ? i * (last / max(make_size(g, scaled) - 1.0, 1.0))
                                      : max((i + 0.5) * (1.0 / Scale) - 0.5, 0.0);
    return cast(max(1.0 - abs(min(source, last) - j), 0.0), x.type());
  }
};

/// Every element Scale times in each direction: y[n, c, i, j] = x[n, c, i / Scale, j / Scale], rounded down:
/// x [N, C, H, W] -> [N, C, Scale*H, Scale*W].
/// @formula y[n, c, i, j] = x[n, c, i / Scale, j / Scale]
/// @shapes floating [N, C, H, W] -> [N, C, Scale H, Scale W]
/// @errors pool_rank factors_as_arguments
/// @torch torch.nn.functional.interpolate(mode="nearest")
/// @jax jax.image.resize(method="nearest")
/// @given x = [[[[1, 2], [3, 4]]]]
/// @gives tl::upsample_nearest2d<2>(x) = [[[[1, 1, 2, 2], [1, 1, 2, 2], [3, 3, 4, 4], [3, 3, 4, 4]]]]
template <auto Scale>
constexpr value upsample_nearest2d(is_value auto x) {
  return make<upsample_nearest2d_statement<Scale>>(x);
}
template <auto Scale>
TAPELESS_FACTORY auto upsample_nearest2d(expression_operand auto x) {
  return make<upsample_nearest2d_statement<Scale>>(x);
}

/// Linear interpolation in both directions: x [N, C, H, W] -> [N, C, Scale*H, Scale*W]. Element i of the
/// result is at x's coordinate
///   max((i + 0.5)/Scale - 0.5, 0), as if elements were squares
///   i*(H - 1)/(Scale*H - 1) with AlignCorners, so that the corners' centers meet
/// Beyond x's last element, that one counts. As PyTorch's interpolate in bilinear mode.
/// @formula y = x interpolated linearly in both directions
/// @shapes floating [N, C, H, W] -> [N, C, Scale H, Scale W]
/// @errors pool_rank factors_as_arguments
/// @torch torch.nn.functional.interpolate(mode="bilinear")
/// @jax jax.image.resize(method="bilinear")
/// @given x = [[[[1, 2], [3, 4]]]]
/// @gives tl::upsample_bilinear2d<2>(x)
///   = [[[[1, 1.25, 1.75, 2], [1.5, 1.75, 2.25, 2.5], [2.5, 2.75, 3.25, 3.5], [3, 3.25, 3.75, 4]]]]
template <auto Scale, bool AlignCorners = false>
constexpr value upsample_bilinear2d(is_value auto x) {
  return make<upsample_bilinear2d_statement<Scale, AlignCorners>>(x);
}
template <auto Scale, bool AlignCorners = false>
TAPELESS_FACTORY auto upsample_bilinear2d(expression_operand auto x) {
  return make<upsample_bilinear2d_statement<Scale, AlignCorners>>(x);
}

// Calls as in PyTorch, which are refused.
template <detail::called_with X, class... More>
constexpr auto upsample_nearest2d(const X& x, const More&... more) {
  return detail::refuse_call<sentence{"upsample_nearest2d"}, detail::factor_is_template_argument,
                             sentence{"<2>(x)"}>(x, more...);
}
template <detail::called_with X, class... More>
constexpr auto upsample_bilinear2d(const X& x, const More&... more) {
  return detail::refuse_call<sentence{"upsample_bilinear2d"}, detail::factor_is_template_argument,
                             sentence{"<2>(x)"}>(x, more...);
}

}  // namespace tapeless
