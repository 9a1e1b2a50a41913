// SPDX-License-Identifier: BSL-1.0
// Digits to train on when there is no MNIST at hand, as a data set.
#pragma once

#include <tapeless/data/dataset.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "drawing.hpp"

namespace digits {

/// `count` samples in the columns "image" (float [1, 28, 28], from 0 to 1) and "label" (int32): 0 to 9 in
/// turn, so every digit occurs equally often. An image depends on the seed and its own number alone.
inline tapeless::data::dataset draw(std::int64_t count, std::uint64_t seed) {
  std::vector<float> images(static_cast<std::size_t>(count * area));
  std::vector<std::int32_t> labels(static_cast<std::size_t>(count));
  generator seeds{seed};
  std::array<std::uint8_t, area> pixels{};
  auto to = images.begin();
  for (std::size_t i = 0; i < labels.size(); ++i) {
    labels[i] = draw_one(i, seeds(), pixels);
    to = std::transform(pixels.begin(), pixels.end(), to,
                        [](std::uint8_t pixel) { return static_cast<float>(pixel) / 255.0f; });
  }
  tapeless::data::dataset result;
  result.add("image", {1, side, side}, std::move(images)).add("label", {}, std::move(labels));
  return result;
}

}  // namespace digits
