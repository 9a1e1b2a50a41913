// SPDX-License-Identifier: BSL-1.0
// The models that tests train on devices that are not there, and on the CPU.
#pragma once

#include <cmath>

#include "gpu.hpp"

namespace test {

inline constexpr auto batch = tl::dyn<"batch">;

/// Classifies; in double, so that the order of sums does not matter much.
inline constexpr auto classifier = [] {
  auto x = tl::input<"x", double, batch, 6>;
  auto label = tl::input<"label", std::int32_t, batch>;
  auto hidden = tl::dropout<0.25>(tl::relu(tl::linear<"fc1", 16>(x)));
  auto logits = tl::linear<"fc2", 5>(tl::layer_norm<"norm">(hidden));
  return tl::outputs(tl::cross_entropy(logits, label), tl::named<"logits">(logits));
};

/// Picks rows of a table by indices that are computed, so that only the device can tell whether they exist.
inline constexpr auto lookup = [] {
  auto at = tl::input<"at", float, batch>;
  auto rows = tl::embedding(tl::param<"table", float, 4, 3>(tl::fill(0.5)), tl::cast<std::int32_t>(at));
  return tl::outputs(tl::mean(tl::square(rows - 1_c)), tl::named<"rows">(rows));
};

struct sample {
  std::vector<double> x;
  std::vector<std::int32_t> label;
};

inline sample make_sample(numbers& random, std::size_t rows) {
  sample s{random.vector(6 * rows), std::vector<std::int32_t>(rows)};
  for (std::int32_t& l : s.label) l = static_cast<std::int32_t>(random(0, 5));
  return s;
}

inline auto adam() {
  return tl::adam({.learning_rate = [](std::int64_t step) { return 0.02 / std::sqrt(1.0 + double(step)); }});
}

/// All parameters, one after the other.
template <class Net>
std::vector<double> all_parameters(Net& net) {
  std::vector<double> all;
  net.parameters().for_each([&](const auto& p) {
    const auto values = elements(p);
    all.insert(all.end(), values.begin(), values.end());
  });
  return all;
}

/// What a model of images says and learns in some steps, of which one is of another batch; `elements` has an
/// image.
template <class T, class Model, class Rule, class Policy>
std::vector<double> trained_on_images(const Model& model, std::size_t elements, const Rule& rule,
                                      const Policy& policy) {
  tl::trainer net{model, rule, policy};
  numbers random;
  std::vector<double> seen;
  for (const std::size_t batch : {2u, 2u, 3u, 2u}) {
    const auto x = random.vector<T>(batch * elements);
    net.step("x"_t = x);
    for (const auto o : net.evaluate("x"_t = x).template get<"out">()) seen.push_back(static_cast<double>(o));
  }
  for (const double p : all_parameters(net)) seen.push_back(p);
  return seen;
}

/// The largest difference; infinite where one is not a number.
inline double difference(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) return INFINITY;
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double d = std::abs(a[i] - b[i]);
    largest = d <= largest ? largest : d;
    if (std::isnan(d)) return INFINITY;
  }
  return largest;
}

}  // namespace test
