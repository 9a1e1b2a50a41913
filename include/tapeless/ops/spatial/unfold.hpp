// SPDX-License-Identifier: BSL-1.0
// unfold<conv{.kernel = 3}>(x): the windows that a convolution sees, as columns; and fold, its transpose.
#pragma once

#include <tapeless/ops/base/given_extents.hpp>
#include <tapeless/ops/spatial/conv_options.hpp>
#include <tapeless/ops/spatial/convolve.hpp>

namespace tapeless {

namespace detail {

constexpr bool are_possible_windows(const conv& o) {
  for (int s = 0; s < 2; ++s)
    if (o.kernel.along(s, 2) < 1 || o.stride.along(s, 2) < 1 || o.dilation.along(s, 2) < 1 ||
        o.padding.along(s, 2) < 0)
      return false;
  const conv windows{.kernel = o.kernel, .stride = o.stride, .padding = o.padding, .dilation = o.dilation};
  return o == windows && o.padding.size != padding_size::same && o.kernel.fits(2) && o.stride.fits(2) &&
         o.padding.fits(2) && o.dilation.fits(2);
}

/// Where all_windows puts the windows' elements: behind the channels of each sample.
inline constexpr int behind_image_channels[max_spatial] = {2, 3};

/// The windows over images that unfold and fold are asked for.
template <conv Options>
struct unfolded_windows {
  static constexpr text refusal() {
    if (are_possible_windows(Options)) return {};
    return text() << "unfold and fold take a kernel, a stride and a dilation of 1 or more and a padding of 0 "
                     "or more, in numbers, and no other option of a convolution";
  }
  static constexpr spatial_windows windows = [] {
    spatial_windows w{.axes = 2};
    for (int s = 0; s < 2; ++s) {
      w.along[s] = {Options.kernel.along(s, 2), Options.stride.along(s, 2), Options.dilation.along(s, 2)};
      w.padding[s] = Options.padding.along(s, 2);
    }
    return w;
  }();
  static constexpr std::int64_t elements = windows.along[0].size * windows.along[1].size;
};

}  // namespace detail

template <conv Options>
struct unfold_statement {
  static constexpr std::string_view name = "unfold";
  static constexpr int arity = 1;
  static constexpr text refusal() { return detail::unfolded_windows<Options>::refusal(); }
  static constexpr value build(value x) {
    using asked = detail::unfolded_windows<Options>;
    return detail::with_batch(x, 4, [](value images) {
      if (images.rank() != 4)
        return images.fail(detail::shape_sentence(name, images)
                           << ": it takes [batch, channels, height, width]");
      if (!detail::require_room(name, images, asked::windows)) return images;
      const value padded = detail::pad_spatial(images, asked::windows);
      const value seen = detail::all_windows(padded, asked::windows, detail::behind_image_channels);
      extent_table& e = images.builder->extents;
      const node& n = seen.get();  // [N, C, kernel.., positions..]
      return reshape(
          seen,
          {3, {n.shape[0], e.multiply(n.shape[1], asked::elements), e.multiply(n.shape[4], n.shape[5])}});
    });
  }
};

template <conv Options, extent Height, extent Width>
struct fold_statement {
  static constexpr std::string_view name = "fold";
  static constexpr int arity = 1;
  static constexpr text refusal() {
    const text t = detail::refused_extents<Height, Width>(name);
    return t.empty() ? asked::refusal() : t;
  }
  static constexpr value build(value x) {
    return detail::with_batch(x, 3, [](value columns) { return build_batch(columns); });
  }

 private:
  using asked = detail::unfolded_windows<Options>;

  static constexpr value build_batch(value x) {
    extent_table& e = x.builder->extents;
    const std::int64_t image[] = {e.number(Height), e.number(Width)};
    const spatial_windows& w = asked::windows;
    std::int64_t positions[2] = {}, all = 1;
    for (int s = 0; s < 2; ++s) {
      const std::int64_t room = e.add(image[s], 2 * w.padding[s]);
      if (extent_table::is_literal(room) && detail::span_of(w.along[s]) > room)
        return x.fail(text() << name << "'s kernel is longer than axis " << 2 + s << " of its result");
      positions[s] = window_count(*x.builder, room, w.along[s]);
      all = e.multiply(all, positions[s]);
    }
    if (x.rank() != 3 || x.get().shape[2] != all ||
        e.multiply(e.divide(x.get().shape[1], asked::elements), asked::elements) != x.get().shape[1]) {
      text t = detail::shape_sentence(name, x);
      t << ": it takes [batch, " << asked::elements << " * channels, ";
      e.describe(t, all);
      return x.fail(t << "], the kernel's elements and the windows' positions");
    }
    const shape_list s{6,
                       {x.get().shape[0], e.divide(x.get().shape[1], asked::elements), w.along[0].size,
                        w.along[1].size, positions[0], positions[1]}};
    return detail::add_padded_windows(reshape(x, s), w, detail::behind_image_channels, image);
  }
};

/// The elements of each window as a column: x [N, C, H, W] -> [N, C * kernel height * kernel width,
/// positions], positions row by row, as many as a convolution with these options has. Of conv it reads
/// kernel, stride, padding (zeros) and dilation. A product with a weight [out, C * kernel ..] is a
/// convolution. The batch may be left out.
/// @formula y[n, (c, k, l), (i, j)] = x[n, c, i stride + k dilation - padding, j stride + l dilation -
/// padding]
/// @shapes [N, C, H, W] -> [N, C KH KW, positions]
/// @errors unfolded
/// @torch torch.nn.functional.unfold
/// @jax jax.lax.conv_general_dilated_patches
/// @given x = [[[[1, 2, 3], [4, 5, 6]]]]
/// @gives tl::unfold<tl::conv{.kernel = 2}>(x) = [[[1, 2], [2, 3], [4, 5], [5, 6]]]
template <conv Options>
TAPELESS_FACTORY auto unfold(operand auto x) {
  return make<unfold_statement<Options>>(x);
}

/// The transpose of unfold: adds each column's elements to those of an image that they come from, x
/// [N, C * kernel height * kernel width, positions] -> [N, C, Height, Width]. fold(unfold(x)) is x times how
/// many windows hold each element.
/// @formula y = the sum, at each place, of the elements of x that unfold would take from there
/// @shapes [N, C KH KW, positions] -> [N, C, Height, Width]
/// @errors unfolded
/// @torch torch.nn.functional.fold
/// @jax none
/// @given x = [[[1, 2], [2, 3], [4, 5], [5, 6]]]
/// @gives tl::fold<tl::conv{.kernel = 2}, 2, 3>(x) = [[[[1, 4, 3], [4, 10, 6]]]]
template <conv Options, extent Height, extent Width>
TAPELESS_FACTORY auto fold(operand auto x) {
  return make<fold_statement<Options, Height, Width>>(x);
}

}  // namespace tapeless
