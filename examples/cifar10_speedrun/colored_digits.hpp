// SPDX-License-Identifier: BSL-1.0
// Images to train on when there is no CIFAR-10 at hand: digits in one colour on another.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "digits/digits.hpp"

namespace speedrun {

/// `count` samples in the columns of data::cifar10: "image" (std::uint8_t [3, 32, 32]) and "label" (int32).
inline tapeless::data::dataset colored_digits(std::int64_t count, std::uint64_t seed) {
  const tapeless::data::dataset digits = digits::draw(count, seed);
  digits::generator random(seed + 1000);
  std::vector<std::uint8_t> images(static_cast<std::size_t>(count) * 3 * 32 * 32);
  std::vector<std::int32_t> labels;
  auto pixel = images.begin();
  for (std::int64_t i = 0; i < count; ++i) {
    const std::span<const float> digit = digits.column("image").sample<float>(i);
    labels.push_back(digits.column("label").sample<std::int32_t>(i)[0]);
    for (int channel = 0; channel < 3; ++channel) {
      const auto paper = random.between(0, 255), ink = (paper + random.between(96, 160)) % 256;
      for (int row = -2; row < 30; ++row)
        for (int column = -2; column < 30; ++column) {
          const bool inside = row >= 0 && row < 28 && column >= 0 && column < 28;
          const float share = inside ? digit[static_cast<std::size_t>(28 * row + column)] : 0.0f;
          const float color = static_cast<float>(paper) + share * static_cast<float>(ink - paper);
          *pixel++ = static_cast<std::uint8_t>(color);
        }
    }
  }
  tapeless::data::dataset result;
  result.add("image", {3, 32, 32}, std::move(images)).add("label", {}, std::move(labels));
  return result;
}

}  // namespace speedrun
