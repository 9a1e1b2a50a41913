// SPDX-License-Identifier: BSL-1.0
// Convolutions of given extents, and all products of their sums.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <tapeless/plan/families/planned_convolution.hpp>

namespace test {

using tapeless::convolution_arguments;

struct convolution_extents {
  std::int64_t batch, groups, in, out, image[2], kernel[2], stride[2], dilation[2], padding[2];
};

inline convolution_arguments arguments_of(const convolution_extents& e) {
  convolution_arguments c{.groups = e.groups, .batch = e.batch, .in = e.in, .out = e.out};
  for (int d = 0; d < 2; ++d) {
    c.image[d] = e.image[d];
    c.kernel[d] = e.kernel[d];
    c.stride[d] = e.stride[d];
    c.dilation[d] = e.dilation[d];
    c.padding[d] = e.padding[d];
    c.positions[d] =
        (e.image[d] + 2 * e.padding[d] - e.dilation[d] * (e.kernel[d] - 1) - 1) / e.stride[d] + 1;
  }
  return c;
}

inline std::string text_of(const convolution_arguments& c) {
  std::string text = "batch " + std::to_string(c.batch) + ", groups " + std::to_string(c.groups) + ", " +
                     std::to_string(c.in) + " -> " + std::to_string(c.out);
  for (int d = 0; d < 2; ++d)
    text += ", axis " + std::to_string(d) + ": " + std::to_string(c.image[d]) + " by " +
            std::to_string(c.kernel[d]) + " stride " + std::to_string(c.stride[d]) + " dilation " +
            std::to_string(c.dilation[d]) + " padding " + std::to_string(c.padding[d]);
  return text;
}

/// f(place in x, in weight, in y) for all products of the sum.
template <class F>
void for_each_product(const convolution_arguments& c, F f) {
  const std::int64_t ins = c.in / c.groups, outs = c.out / c.groups;
  for (std::int64_t n = 0; n < c.batch; ++n)
    for (std::int64_t o = 0; o < c.out; ++o)
      for (std::int64_t p = 0; p < c.positions[0]; ++p)
        for (std::int64_t q = 0; q < c.positions[1]; ++q)
          for (std::int64_t ch = 0; ch < ins; ++ch)
            for (std::int64_t i = 0; i < c.kernel[0]; ++i) {
              const std::int64_t row = p * c.stride[0] + i * c.dilation[0] - c.padding[0];
              if (row < 0 || row >= c.image[0]) continue;
              for (std::int64_t j = 0; j < c.kernel[1]; ++j) {
                const std::int64_t column = q * c.stride[1] + j * c.dilation[1] - c.padding[1];
                if (column < 0 || column >= c.image[1]) continue;
                f(((n * c.in + o / outs * ins + ch) * c.image[0] + row) * c.image[1] + column,
                  ((o * ins + ch) * c.kernel[0] + i) * c.kernel[1] + j,
                  ((n * c.out + o) * c.positions[0] + p) * c.positions[1] + q);
              }
            }
}

template <class T>
struct convolution_tensors {
  std::vector<T> x, weight, y;

  explicit convolution_tensors(const convolution_arguments& c)
      : x(static_cast<std::size_t>(c.batch * c.in * c.image[0] * c.image[1])),
        weight(static_cast<std::size_t>(c.out * (c.in / c.groups) * c.kernel[0] * c.kernel[1])),
        y(static_cast<std::size_t>(c.batch * c.out * c.positions[0] * c.positions[1])) {
    std::mt19937 random(1);
    for (auto* all : {&x, &weight, &y})
      for (T& one : *all) one = static_cast<T>(static_cast<float>(static_cast<int>(random() % 17) - 8));
  }
};

}  // namespace test
