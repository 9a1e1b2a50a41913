// SPDX-License-Identifier: BSL-1.0
// random_crop<padding>(x): in training, images that are moved by chance.
#pragma once

#include "per_image.hpp"

namespace speedrun {

/// One gather over pixels picks the moved image. Its index is computed for each image from two random
/// numbers and shared by the channels, so that neither padded images nor one copy for each of the (2 Padding
/// + 1)^2 shifts, of which all but one would be thrown away, are ever made.
template <int Padding>
struct random_crop_statement {
  static constexpr std::string_view name = "random_crop";
  static constexpr int arity = 1;
  static constexpr tapeless::value build(tapeless::value x) {
    using namespace tapeless;
    if (!require_images(name, x)) return x;
    const shape_list images = shape_of(x);
    const std::int64_t height = images.extents[2], width = images.extents[3];
    if (!fits(height) || !fits(width))
      return x.fail(detail::shape_sentence(name, x)
                    << ": height and width must be integers above " << Padding << ", the padding");
    if (!x.builder->is_training()) return x;
    const value row = moved(x, 2), column = moved(x, 3);
    const shape_list one_index{3, {images.extents[0], 1, height * width}};
    const shape_list pixels{3, {images.extents[0], images.extents[1], height * width}};
    const value index = reshape(row * static_cast<double>(width) + column, one_index);
    return reshape(gather(reshape(x, pixels), 2, expand(index, pixels)), images);
  }

 private:
  static constexpr bool fits(std::int64_t extent) {
    return tapeless::extent_table::is_literal(extent) && extent > Padding;
  }

  /// Where each place along an axis takes its pixel from: 0 to 2 Padding places further on in the image
  /// with its reflection on both sides.
  static constexpr tapeless::value moved(tapeless::value x, int axis) {
    using namespace tapeless;
    shape_list along{4, {1, 1, 1, 1}};
    along.extents[axis] = x.get().shape[axis];
    const value place = make_iota(*x.builder, along, axis, element::i64);
    const value shift = cast(random_per_image(x) * (2.0 * Padding + 1.0), element::i64);
    const double last = static_cast<double>(along.extents[axis] - 1);
    return last - abs(last - abs(place + shift - static_cast<double>(Padding)));
  }
};

/// In training each image of [N, C, H, W] is a random part, of its own size, of the image with Padding
/// reflected pixels on each side: y[n, c, i, j] = x[n, c, i + a, j + b], where a and b are whole numbers from
/// -Padding to Padding for each n. In evaluation x itself.
template <int Padding>
  requires(Padding >= 0)
constexpr auto random_crop(tapeless::expression_operand auto x) {
  return tapeless::make<random_crop_statement<Padding>>(x);
}

}  // namespace speedrun
