// SPDX-License-Identifier: BSL-1.0
// A small data set, a network that classifies it, and a metric that notes the sizes of its batches.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include <tapeless/tapeless.hpp>

#include "catch.hpp"

namespace test {

namespace tl = tapeless;

inline constexpr auto batch = tl::dyn<"batch">;

inline constexpr auto classifier = [] {
  auto x = tl::input<"x", float, batch, 2>;
  auto label = tl::input<"label", std::int32_t, batch>;
  auto logits = tl::linear<"fc2", 3>(tl::tanh(tl::linear<"fc1", 12>(x)));
  return tl::outputs(tl::cross_entropy(logits, label), tl::named<"logits">(logits));
};

inline auto make_net() { return tl::trainer{classifier, tl::adam({.learning_rate = 0.03f})}; }

/// Points around a circle; each third of it is a class. The column "number" says which sample it is.
inline tl::data::dataset circle(int count) {
  std::vector<float> x;
  std::vector<std::int32_t> label;
  std::vector<std::int64_t> number;
  for (int i = 0; i < count; ++i) {
    const double angle = 2 * 3.14159265358979 * i / count;
    x.push_back(static_cast<float>(std::cos(angle)));
    x.push_back(static_cast<float>(std::sin(angle)));
    label.push_back(static_cast<std::int32_t>(3 * i / count));
    number.push_back(i);
  }
  tl::data::dataset d;
  d.add("x", {2}, x).add("label", {}, label).add("number", {}, number);
  return d;
}

/// A metric that counts the samples of batches, and notes their sizes.
struct batch_sizes {
  static constexpr std::string_view label = "samples";
  std::vector<std::size_t>* all;
  std::int64_t count = 0;
  void clear() { count = 0; }
  void add(const auto& result, const auto& from) {
    CHECK(result.template get<"logits">().shape()[0] == from.template get<"label">().shape()[0]);
    all->push_back(from.template get<"label">().size());
    count += static_cast<std::int64_t>(all->back());
  }
  tl::measurement get() const { return {static_cast<double>(count), 0}; }
};

}  // namespace test
