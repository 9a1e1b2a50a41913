// SPDX-License-Identifier: BSL-1.0
// The digits that the examples draw: the same for the same seed, one of each in turn, and not all alike.
#include "digits/digits.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <set>
#include <span>
#include <vector>

#include "../catch.hpp"

namespace {

constexpr std::int64_t count = 500;

std::vector<float> image(const tapeless::data::dataset& set, std::int64_t index) {
  const std::span<const float> pixels = set.column("image").sample<float>(index);
  return {pixels.begin(), pixels.end()};
}

std::int32_t label(const tapeless::data::dataset& set, std::int64_t index) {
  return set.column("label").sample<std::int32_t>(index)[0];
}

}  // namespace

TEST_CASE("drawn digits have the shape of MNIST's") {
  const auto set = digits::draw(count, 1);
  REQUIRE(set.size() == count);
  REQUIRE(set.column("image").sample_shape == std::vector<std::int64_t>{1, 28, 28});
  REQUIRE(set.column("label").sample_shape.empty());
}

TEST_CASE("every digit is drawn equally often") {
  const auto set = digits::draw(count, 1);
  std::array<int, 10> found{};
  for (std::int64_t i = 0; i < count; ++i) ++found.at(static_cast<std::size_t>(label(set, i)));
  REQUIRE(found == std::array{50, 50, 50, 50, 50, 50, 50, 50, 50, 50});
}

TEST_CASE("pixels lie between paper and ink, and there is some of both") {
  const auto set = digits::draw(count, 1);
  for (std::int64_t i = 0; i < count; ++i) {
    const auto pixels = image(set, i);
    const auto [least, most] = std::minmax_element(pixels.begin(), pixels.end());
    REQUIRE(*least == 0.0f);
    REQUIRE(*most > 0.5f);
    REQUIRE(*most <= 1.0f);
    const float mean = std::accumulate(pixels.begin(), pixels.end(), 0.0f) / digits::area;
    REQUIRE(mean > 0.01f);
    REQUIRE(mean < 0.4f);
  }
}

TEST_CASE("a seed and a number make an image, however many are drawn") {
  const auto few = digits::draw(20, 7), many = digits::draw(count, 7);
  for (std::int64_t i = 0; i < few.size(); ++i) {
    REQUIRE(image(few, i) == image(many, i));
    REQUIRE(label(few, i) == label(many, i));
  }
}

TEST_CASE("no two images are equal, nor those of two seeds") {
  std::set<std::vector<float>> images;
  for (const std::uint64_t seed : {1u, 2u}) {
    const auto set = digits::draw(count, seed);
    for (std::int64_t i = 0; i < count; ++i) images.insert(image(set, i));
  }
  REQUIRE(images.size() == 2 * count);
}

TEST_CASE("the drawing is the same on every machine") {
  const auto set = digits::draw(count, 1);
  std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a over all pixels, 0 to 255
  for (std::int64_t i = 0; i < count; ++i) {
    for (const float pixel : set.column("image").sample<float>(i)) {
      hash = (hash ^ static_cast<std::uint64_t>(pixel * 255.0f + 0.5f)) * 0x100000001b3;
    }
  }
  REQUIRE(hash == 0x2853762155beac0f);
}

TEST_CASE("a glyph in a plain style stands in the middle, upright") {
  digits::generator random{1};
  std::array<std::uint8_t, digits::area> pixels{};
  digits::style plain{};
  plain.width = plain.height = 2 * digits::one;
  plain.pen = digits::one / 4;
  plain.sharpness = 3 * digits::one;
  digits::draw_glyph(digits::font[1][0], plain, random, pixels);
  const auto at = [&](std::size_t row, std::size_t column) {
    return int{pixels[row * digits::side + column]};
  };
  for (std::size_t row = 6; row < 22; ++row) {
    REQUIRE(at(row, 13) == 255);
    REQUIRE(at(row, 14) == 255);
    REQUIRE(at(row, 11) == 0);
    REQUIRE(at(row, 16) == 0);
  }
  REQUIRE(at(2, 13) == 0);
  REQUIRE(at(25, 13) == 0);
}
