// SPDX-License-Identifier: BSL-1.0
// What the augmentations share: their operand, and chance.
#pragma once

#include <tapeless/ops/ops.hpp>

#include <string_view>

namespace speedrun {

/// Whether x is a batch of images; an error otherwise.
constexpr bool require_images(std::string_view name, tapeless::value x) {
  if (x.rank() == 4) return true;
  x.fail(tapeless::detail::shape_sentence(name, x) << ": it takes images, [batch, channels, height, width]");
  return false;
}

/// A number in [0, 1) for each image, [N, 1, 1, 1], drawn anew in each step.
constexpr tapeless::value random_per_image(tapeless::value images) {
  const tapeless::shape_list one_each{4, {images.get().shape[0], 1, 1, 1}};
  return tapeless::random_like(tapeless::make_iota(*images.builder, one_each, 0, tapeless::element::f32));
}

}  // namespace speedrun
