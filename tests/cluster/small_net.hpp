// SPDX-License-Identifier: BSL-1.0
// A small network, its rules, samples of each rank's own, and what training it for a while gives.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include <tapeless/tapeless.hpp>

#include "cluster/difference.hpp"
#include "cluster/samples.hpp"

namespace test {

namespace tl = tapeless;

template <int Width>
constexpr auto small_net = [] {
  auto x = tl::input<"x", double, tl::dyn<"batch">, 3>;
  auto y = tl::input<"y", double, tl::dyn<"batch">, 1>;
  auto out = tl::linear<"fc2", 1>(tl::tanh(tl::linear<"fc1", Width>(x)));
  return tl::outputs(tl::mse_loss(out, y), tl::named<"out">(out));
};

inline auto adam() { return tl::adam({.learning_rate = 1e-2}); }
/// One that needs all gradients before it changes a parameter.
inline auto clipped_adam() {
  return tl::chain(tl::clip_by_global_norm(0.5), tl::scale_by_adam(), tl::scale_by_learning_rate(1e-2));
}

/// All parameters, which are double.
template <class Net>
std::vector<double> weights_of(Net& net) {
  std::vector<double> all;
  const auto data = net.parameter_data();
  for (std::size_t i = 0; i < data.size(); ++i) {
    const auto* first = reinterpret_cast<const double*>(data[i]);
    all.insert(all.end(), first, first + net.parameter_descriptions()[i].count);
  }
  return all;
}

/// Samples that a rank brings itself, as many as its number and one.
struct own_samples {
  std::vector<double> x, y;
  explicit own_samples(int rank) { add(rank); }
  /// Those of so many ranks.
  static own_samples of_ranks(int count) {
    own_samples all(0);
    for (int r = 1; r < count; ++r) all.add(r);
    return all;
  }
  void add(int rank) {
    for (int i = 0; i <= rank; ++i) {
      for (int k = 0; k < 3; ++k) x.push_back(std::cos(rank + 3.1 * i + k));
      y.push_back(x[x.size() - 1]);
    }
  }
};

/// What fit leaves and says.
struct trained {
  std::vector<double> weights, losses, validation, errors;
  std::int64_t received = 0;
};

/// 17 samples make batches of 5, 5 and 2, of which 5 are divided unevenly; of 2, some ranks have none.
template <class Net>
trained fitted(Net& net, std::int64_t steps = 50) {
  const auto data = samples(17);
  tl::mean_absolute_error<"out", "y"> mae;
  trained t;
  for (const auto& e : tl::fit(
           net, data, tl::fit_options{.steps = steps, .batch = 5, .validation_split = 0.3, .seed = 3}, mae)) {
    t.losses.push_back(e.train["loss"].mean);
    t.validation.push_back(e.validation["loss"].mean);
    t.errors.push_back(e.train["mean_absolute_error"].mean);
  }
  t.weights = weights_of(net);
  return t;
}

}  // namespace test
