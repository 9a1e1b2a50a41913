// SPDX-License-Identifier: BSL-1.0
// What a test that writes and runs a model needs, without files and data sets.
#pragma once

#include <cstdint>
#include <vector>

#include <tapeless/expr/constant.hpp>
#include <tapeless/expr/input.hpp>
#include <tapeless/expr/outputs.hpp>
#include <tapeless/expr/param.hpp>
#include <tapeless/ops/ops.hpp>
#include <tapeless/train/trainer/function.hpp>

namespace tl = tapeless;
using namespace tl::literals;

namespace test {

/// Numbers from a simple sequence, the same in every run: roughly uniform in [low, high].
class numbers {
 public:
  explicit numbers(std::uint32_t seed = 1) : state_(seed) {}
  double operator()(double low = -1, double high = 1) {
    state_ = state_ * 1664525u + 1013904223u;
    return low + (high - low) * (static_cast<double>(state_ >> 8) + 0.5) / 16777216.0;
  }
  template <class T = double>
  std::vector<T> vector(std::size_t count, double low = -1, double high = 1) {
    std::vector<T> v(count);
    for (T& x : v) x = static_cast<T>((*this)(low, high));
    return v;
  }

 private:
  std::uint32_t state_;
};

/// A view's elements as doubles.
template <class View>
std::vector<double> elements(const View& view) {
  return std::vector<double>(view.begin(), view.end());
}

}  // namespace test
