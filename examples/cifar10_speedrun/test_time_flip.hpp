// SPDX-License-Identifier: BSL-1.0
// with_mirror_images(x), mean_with_mirror_images(logits): in evaluation, the answer for an image and its
// mirror image.
#pragma once

#include "per_image.hpp"

namespace speedrun {

struct with_mirror_images_statement {
  static constexpr std::string_view name = "with_mirror_images";
  static constexpr int arity = 1;
  static constexpr tapeless::value build(tapeless::value x) {
    if (!require_images(name, x) || x.builder->is_training()) return x;
    const tapeless::value both[] = {x, flip(x, 3)};
    return tapeless::concat(both, 2, 0);
  }
};

struct mean_with_mirror_images_statement {
  static constexpr int arity = 1;
  static constexpr tapeless::value build(tapeless::value logits) {
    using namespace tapeless;
    if (logits.builder->is_training()) return logits;
    const std::int64_t both = logits.get().shape[0], one = logits.builder->extents.divide(both, 2);
    const value halves = reshape(logits, {3, {2, one, logits.get().shape[1]}});
    return mean_operation::build(halves, 1u, false);
  }
};

/// In evaluation the images [N, C, H, W] and then their mirror images, [2N, C, H, W]; in training x itself.
constexpr auto with_mirror_images(tapeless::expression_operand auto x) {
  return tapeless::make<with_mirror_images_statement>(x);
}

/// In evaluation the means [N, classes] over what the network says, [2N, classes], to with_mirror_images of
/// N images; in training the logits themselves.
constexpr auto mean_with_mirror_images(tapeless::expression_operand auto logits) {
  return tapeless::make<mean_with_mirror_images_statement>(logits);
}

}  // namespace speedrun
