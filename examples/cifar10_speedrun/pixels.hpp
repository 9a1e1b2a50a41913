// SPDX-License-Identifier: BSL-1.0
// normalized(images): bytes as numbers of mean 0 and variance 1, for each colour.
#pragma once

#include "per_image.hpp"

#include <array>

namespace speedrun {

/// Mean and standard deviation of red, green and blue over CIFAR-10's images for training.
inline constexpr std::array mean_color{125.31, 122.95, 113.87}, color_deviation{62.99, 62.09, 66.70};

struct normalized_statement {
  static constexpr std::string_view name = "normalized";
  static constexpr int arity = 1;
  static constexpr tapeless::value build(tapeless::value x) {
    using namespace tapeless;
    if (!require_images(name, x)) return x;
    const value centred = cast(x, element::f32) - by_color(x, mean_color);
    return centred / by_color(x, color_deviation);
  }

 private:
  /// A number for each channel, [3, 1, 1].
  static constexpr tapeless::value by_color(tapeless::value x, const std::array<double, 3>& numbers) {
    using namespace tapeless;
    const value channel = make_iota(*x.builder, {3, {3, 1, 1}}, 0, element::i64);
    const auto number = [&](std::size_t i) { return make_constant(*x.builder, numbers[i], element::f32); };
    return where(channel == 0.0, number(0), where(channel == 1.0, number(1), number(2)));
  }
};

/// (x - mean) / standard deviation of x's channel, in float: std::uint8_t [N, 3, H, W] -> the same shape.
constexpr auto normalized(tapeless::expression_operand auto x) {
  return tapeless::make<normalized_statement>(x);
}

}  // namespace speedrun
