// SPDX-License-Identifier: BSL-1.0
// interpolate<resize{.size = {8, 6}, .mode = interpolation::bilinear}>(x): sequences, images and volumes of
// another size.
#pragma once

#include <tapeless/ops/base/refused_call.hpp>
#include <tapeless/ops/pointwise/abs.hpp>
#include <tapeless/ops/pointwise/floor.hpp>
#include <tapeless/ops/spatial/adaptive_pool.hpp>
#include <tapeless/ops/spatial/interpolation_weights.hpp>
#include <tapeless/ops/spatial/resize_options.hpp>

namespace tapeless {

namespace detail {

constexpr bool interpolates_linearly(interpolation mode) {
  return mode == interpolation::linear || mode == interpolation::bilinear || mode == interpolation::trilinear;
}

/// x with `scaled` elements along the axis, each one of x's.
constexpr value nearest_along(value x, int axis, std::int64_t scaled, value scale, interpolation mode) {
  graph& g = *x.builder;
  const std::int64_t extent = x.get().shape[axis];
  const double center = mode == interpolation::nearest ? 0 : 0.5;
  // In float, double for double, as PyTorch has it: where a coordinate is a whole number, its error decides.
  const value place = (make_iota(g, {1, {scaled}}, 0, computed_in(x.type())) + center) * scale;
  const value index = cast(min(floor(place), make_size(g, extent) - 1.0), element::i64);
  shape_list ones = shape_of(x), shape = ones;
  for (int i = 0; i < ones.rank; ++i) ones.extents[i] = i == axis ? scaled : 1;
  shape.extents[axis] = scaled;
  return gather(x, axis, expand(reshape(index, ones), shape));
}

}  // namespace detail

template <resize Options>
struct interpolate_statement {
  static constexpr std::string_view name = "interpolate";
  static constexpr int arity = 1;
  static constexpr text refusal() {
    const bool by_size = !(Options.size == spatial_extents(0)),
               by_factor = !(Options.scale_factor == scale_factors(0)),
               is_image = Options.mode == interpolation::bilinear || Options.mode == interpolation::bicubic;
    if (by_size == by_factor)
      return text() << name << " takes either a size or a scale_factor: resize{.size = 8}";
    for (int s = 0; s < 3; ++s) {
      if (const int size = Options.size.along(s, 3); by_size && size < 1)
        return text() << name << " takes a size of 1 or more, but got " << size;
      if (const double factor = Options.scale_factor.along(s, 3); by_factor && !(factor > 0))
        return text() << name << " takes a scale_factor above 0, but got " << factor;
    }
    if (Options.align_corners && !is_image && !detail::interpolates_linearly(Options.mode))
      return text() << "align_corners is for linear, bilinear, bicubic and trilinear interpolation";
    if (Options.antialias && !is_image)
      return text() << "antialias is for bilinear and bicubic interpolation";
    return {};
  }

  static constexpr value build(value x) {
    const int axes = x.rank() - 2;
    if (axes < 1 || axes > 3 || !is_floating(x.type()) || !takes(axes)) return refuse(x);
    for (int s = 0; s < axes && !x.builder->failed(); ++s) x = along(x, 2 + s, axes);
    return x;
  }

 private:
  static constexpr bool takes(int axes) {
    if (!Options.size.fits(axes) || !Options.scale_factor.fits(axes)) return false;
    switch (Options.mode) {
      case interpolation::linear:
        return axes == 1;
      case interpolation::bilinear:
      case interpolation::bicubic:
        return axes == 2;
      case interpolation::trilinear:
        return axes == 3;
      case interpolation::nearest:
      case interpolation::nearest_exact:
      case interpolation::area:
        return true;
    }
    return true;
  }

  static constexpr value refuse(value x) {
    text t;
    t << name << " got " << name_of(x.type());
    x.builder->describe_shape(t, x.get());
    return x.fail(
        t << ": it takes floating numbers, [batch, channels, length] in linear mode, [batch, channels, "
             "height, width] in bilinear and bicubic mode, [batch, channels, depth, height, width] in "
             "trilinear mode, all of them in others, and one size or factor or one for each spatial axis");
  }

  static constexpr value along(value x, int axis, int axes) {
    graph& g = *x.builder;
    const std::int64_t extent = x.get().shape[axis];
    const double factor = Options.scale_factor.along(axis - 2, axes);
    std::int64_t scaled = Options.size.along(axis - 2, axes);
    if (factor != 0) {
      const auto whole = static_cast<std::int64_t>(factor);
      if (!extent_table::is_literal(extent) && static_cast<double>(whole) != factor)
        return x.fail(detail::shape_sentence(name, x)
                      << ": axis " << axis
                      << " has a run-time extent, which takes a factor that is an integer");
      scaled = extent_table::is_literal(extent)
                   ? static_cast<std::int64_t>(static_cast<double>(extent) * factor)
                   : g.extents.multiply(extent, whole);
    }
    if (scaled == 0 || extent == 0)
      return x.fail(detail::shape_sentence(name, x)
                    << ": nothing is left, or nothing is there, along axis " << axis);
    if (scaled == extent && (factor == 0 || factor == 1 || Options.recompute_scale_factor)) return x;
    if constexpr (Options.mode == interpolation::area) {
      if (!extent_table::is_literal(scaled))
        return x.fail(detail::shape_sentence(name, x)
                      << ": axis " << axis
                      << " has a run-time extent; in area mode the result's is an integer");
      return detail::matrix_along(detail::averaging(x, scaled, extent), x, axis);
    } else {
      const value size = make_size(g, extent), result = make_size(g, scaled);
      const value scale = Options.align_corners ? (size - 1.0) / max(result - 1.0, 1.0)
                          : factor != 0 && !Options.recompute_scale_factor ? make_constant(g, 1 / factor)
                                                                           : size / result;
      if constexpr (Options.mode == interpolation::nearest || Options.mode == interpolation::nearest_exact) {
        return detail::nearest_along(x, axis, scaled, scale, Options.mode);
      } else {
        const detail::interpolated_axis a{scaled, extent, scale, Options.align_corners};
        constexpr bool linear = detail::interpolates_linearly(Options.mode);
        const element type = computed_in(x.type());
        const value weights = Options.antialias ? detail::smoothing_weights(g, a, type, linear)
                              : linear          ? detail::linear_weights(g, a, type)
                                                : detail::cubic_weights(g, a, type);
        return detail::matrix_along(cast(weights, x.type()), x, axis);
      }
    }
  }
};

/// x [N, C, L...], one to three spatial axes, in another size: [N, C, size...], or [N, C, scale_factor *
/// L...], rounded down. Element i of the result is at x's coordinate, with scale = L / size or 1 /
/// scale_factor,
///   i*scale, rounded down, in nearest mode; (i + 0.5)*scale, rounded down, in nearest_exact mode
///   (i + 0.5)*scale - 0.5 in linear, bilinear, bicubic and trilinear mode, as if elements were squares
///   i*(L - 1)/(size - 1) there with align_corners, so that the corners' centers meet
/// Beyond x's ends, its last elements count. Bicubic weights are Keys's with a = -0.75 (with antialias -0.5);
/// area takes adaptive_avg_pool2d's means. Weights stand in a matrix for each axis, which is multiplied with
/// x: an infinity makes NaN of what does not count it. Factors that are no integers, and area mode, need
/// integer extents.
/// @formula y = x at other coordinates, interpolated along each spatial axis
/// @shapes floating [N, C, L, ..] -> [N, C, size, ..]
/// @errors interpolate factors_as_arguments options_as_in_pytorch
/// @torch torch.nn.functional.interpolate
/// @jax jax.image.resize
/// @given x = [[[1, 3, 5]]]
/// @gives tl::interpolate<tl::resize{.scale_factor = 1.5}>(x) = [[[1, 1, 3, 5]]]
/// @gives tl::interpolate<tl::resize{.size = 5, .mode = tl::interpolation::linear, .align_corners = true}>(x)
///   = [[[1, 2, 3, 4, 5]]]
template <resize Options>
TAPELESS_FACTORY auto interpolate(operand auto x) {
  return make<interpolate_statement<Options>>(x);
}

// Calls as in PyTorch, which are refused.
template <detail::called_with X, class... More>
constexpr auto interpolate(const X& x, const More&... more) {
  return detail::refuse_call<sentence{"interpolate"},
                             sentence{"its size or factor, and its mode, are template arguments"},
                             sentence{"<tl::resize{.scale_factor = 2}>(x)"}>(x, more...);
}
template <plain_number auto... Numbers>
  requires(sizeof...(Numbers) > 0)
constexpr auto interpolate(const operand auto& x) {
  return detail::refuse_call<sentence{"interpolate"}, sentence{"numbers are options"},
                             sentence{"<tl::resize{.scale_factor = 2}>(x)"}>(x);
}

}  // namespace tapeless
