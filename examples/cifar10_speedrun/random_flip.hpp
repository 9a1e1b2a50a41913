// SPDX-License-Identifier: BSL-1.0
// random_flip(x): in training, images that are mirrored by chance.
#pragma once

#include "per_image.hpp"

namespace speedrun {

struct random_flip_statement {
  static constexpr std::string_view name = "random_flip";
  static constexpr int arity = 1;
  static constexpr tapeless::value build(tapeless::value x) {
    if (!require_images(name, x) || !x.builder->is_training()) return x;
    return where(random_per_image(x) < 0.5, flip(x, 3), x);
  }
};

/// In training each image of [N, C, H, W] is, with probability 1/2, the one that a mirror shows: left and
/// right exchanged. In evaluation x itself.
constexpr auto random_flip(tapeless::expression_operand auto x) {
  return tapeless::make<random_flip_statement>(x);
}

}  // namespace speedrun
