// SPDX-License-Identifier: BSL-1.0
// Draws digits from a small bitmap font, each one shifted, turned, sheared, scaled, in a pen of its own
// width, with noise. All arithmetic is on integers, so that the same seed draws the same images on every
// machine, and nothing here needs a library at run time.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "font.hpp"

namespace digits {

inline constexpr int side = 28;             ///< pixels of an image's edge
inline constexpr int area = side * side;    ///< pixels of an image
inline constexpr std::int64_t one = 65536;  ///< 1 as a fixed-point number with 16 binary digits

/// The splitmix64 generator by S. Vigna (public domain): a counter, and a hash of it.
class generator {
 public:
  constexpr explicit generator(std::uint64_t seed) : counter_(seed) {}

  constexpr std::uint64_t operator()() {
    std::uint64_t z = counter_ += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

  /// An integer in [low, high], all (but for one in 2^32) equally likely.
  constexpr std::int64_t between(std::int64_t low, std::int64_t high) {
    const auto range = static_cast<std::uint64_t>(high - low + 1);
    return low + static_cast<std::int64_t>((((*this)() >> 32) * range) >> 32);
  }

 private:
  std::uint64_t counter_;
};

/// How one image differs from its glyph; fixed-point numbers, lengths in pixels of the image.
struct style {
  std::int64_t right, down;     ///< shift
  std::int64_t angle;           ///< rotation, in radians
  std::int64_t slant;           ///< shear: pixels to the right for each pixel up
  std::int64_t width, height;   ///< scale: pixels of the image for each cell of the glyph
  std::int64_t pen, sharpness;  ///< a higher threshold is a thinner pen; how steep its edge is
  std::int64_t noise;           ///< the most that is added to a pixel, of 255
};

/// A style that a hand might have.
constexpr style random_style(generator& random) {
  const auto about = [&](std::int64_t middle, std::int64_t spread) {
    return middle + random.between(-spread, spread);
  };
  style s{};
  s.right = about(0, 3 * one);
  s.down = about(0, 3 * one);
  s.angle = about(0, one * 30 / 100);
  s.slant = about(one * 10 / 100, one * 25 / 100);
  s.height = about(one * 200 / 100, one * 40 / 100);
  s.width = about(one * 200 / 100, one * 50 / 100);
  s.pen = about(one * 24 / 100, one * 14 / 100);
  s.sharpness = about(one * 3, one * 1);
  s.noise = random.between(0, 60);
  return s;
}

/// Ink at a point of a glyph, in cells: interpolated between the middles of the four nearest ones.
constexpr std::int64_t ink(const glyph& shape, std::int64_t x, std::int64_t y) {
  const std::int64_t left = x >> 16, top = y >> 16;  // towards minus infinity, as C++20 has it
  if (left < -1 || left >= glyph_width || top < -1 || top >= glyph_height) return 0;
  const std::int64_t u = x - left * one, v = y - top * one;
  const auto cell = [&](std::int64_t column, std::int64_t row) -> std::int64_t {
    const bool inside = column >= 0 && column < glyph_width && row >= 0 && row < glyph_height;
    return inside && shape[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)] == '#' ? one : 0;
  };
  const std::int64_t upper = cell(left, top) * (one - u) + cell(left + 1, top) * u;
  const std::int64_t lower = cell(left, top + 1) * (one - u) + cell(left + 1, top + 1) * u;
  return ((upper >> 16) * (one - v) + (lower >> 16) * v) >> 16;
}

/// Draws a glyph in a style; pixels from 0 (paper) to 255 (ink), row by row.
constexpr void draw_glyph(const glyph& shape, const style& s, generator& random,
                          std::span<std::uint8_t, area> pixels) {
  // sine and cosine, by the first terms of their series: the angles are small
  const std::int64_t square = s.angle * s.angle >> 16;
  const std::int64_t sine = s.angle * (one - square / 6) >> 16;
  const std::int64_t cosine = one - square / 2 + ((square * square >> 16) / 24);
  const std::int64_t middle = (side - 1) * one / 2;

  for (int row = 0; row < side; ++row) {
    for (int column = 0; column < side; ++column) {
      // from the pixel back to the glyph
      const std::int64_t across = column * one - middle - s.right, along = row * one - middle - s.down;
      const std::int64_t y = (cosine * along - sine * across) >> 16;
      const std::int64_t x = ((cosine * across + sine * along) >> 16) + (s.slant * y >> 16);
      const std::int64_t found = ink(shape, x * one / s.width + (glyph_width - 1) * one / 2,
                                     y * one / s.height + (glyph_height - 1) * one / 2);
      const std::int64_t shade = std::clamp<std::int64_t>((found - s.pen) * s.sharpness >> 16, 0, one);
      const std::int64_t value = (shade * 255 >> 16) + random.between(-s.noise, s.noise);
      pixels[static_cast<std::size_t>(row * side + column)] =
          static_cast<std::uint8_t>(std::clamp<std::int64_t>(value, 0, 255));
    }
  }
}

/// Draws number i of a sequence, whose digits are 0 to 9 in turn, from a seed of its own; returns the digit.
constexpr int draw_one(std::size_t i, std::uint64_t seed, std::span<std::uint8_t, area> pixels) {
  generator random{seed};
  const std::size_t label = i % font.size();
  const auto variant = static_cast<std::size_t>(random.between(0, variants - 1));
  draw_glyph(font[label][variant], random_style(random), random, pixels);
  return static_cast<int>(label);
}

}  // namespace digits
