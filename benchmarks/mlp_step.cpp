// SPDX-License-Identifier: BSL-1.0
// One training step, by the library and by hand with Eigen (hand_written_mlp.hpp): a 784-500-10 classifier
// and a 4-64-64-2 controller, float, AdamW. Both start from the same parameters and see the same batches;
// they take turns, so that whatever else the machine does slows both, and their losses must agree.
//
// Usage: mlp_step [ROUNDS]. Exits with 1 where the losses differ, or where a ratio exceeds the most allowed
// for the classifier.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <span>
#include <tapeless/tapeless.hpp>
#include <vector>

#include "hand_written_mlp.hpp"

namespace tl = tapeless;
using namespace tl::literals;

namespace {

constexpr double largest_ratio = 1.15;
constexpr auto batch = tl::dyn<"batch">;

constexpr auto classifier = [] {
  auto x = tl::input<"x", float, batch, 784>;
  auto y = tl::input<"y", std::int32_t, batch>;
  auto hidden = tl::relu(tl::linear<"fc1", 500>(x));
  return tl::cross_entropy(tl::linear<"fc2", 10>(hidden), y);
};

constexpr auto controller = [] {
  auto x = tl::input<"x", float, batch, 4>;
  auto y = tl::input<"y", float, batch, 2>;
  auto h1 = tl::relu(tl::linear<"fc1", 64>(x));
  auto h2 = tl::relu(tl::linear<"fc2", 64>(h1));
  return tl::mean(tl::square(tl::linear<"fc3", 2>(h2) - y));
};

/// Batches enough that no step sees data that is still in a small cache from the step before.
template <class Target>
struct samples {
  int batch_size, in, out, batches;
  std::vector<float> x;
  std::vector<Target> y;

  samples(int size, int inputs, int outputs, int classes)
      : batch_size(size), in(inputs), out(outputs), batches(std::max(8, 512 / size)) {
    std::mt19937 random{1};
    std::normal_distribution<float> normal;
    x.resize(static_cast<std::size_t>(batches * size * in));
    y.resize(static_cast<std::size_t>(batches * size * out));
    for (float& value : x) value = normal(random);
    for (Target& value : y) {
      if constexpr (std::is_integral_v<Target>)
        value = static_cast<Target>(random() % static_cast<unsigned>(classes));
      else
        value = normal(random);
    }
  }
  std::span<const float> inputs(int step) const { return piece<float>(x, step, in); }
  std::span<const Target> targets(int step) const { return piece<Target>(y, step, out); }

 private:
  template <class T>
  std::span<const T> piece(const std::vector<T>& all, int step, int width) const {
    const auto count = static_cast<std::size_t>(batch_size * width);
    return std::span(all).subspan(static_cast<std::size_t>(step % batches) * count, count);
  }
};

template <class Net, tl::name Weight, tl::name Bias, class Layer>
void copy_layer(Net& net, Layer& to) {
  const auto weight = net.template parameter<Weight>(), bias = net.template parameter<Bias>();
  std::copy(weight.begin(), weight.end(), to.weight.value.data());
  std::copy(bias.begin(), bias.end(), to.bias.value.data());
}

template <class Step>
double seconds_per_step(Step step, int& number, int steps) {
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < steps; ++i) step(number++);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / steps;
}

double median(std::vector<double> all) {
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
  std::nth_element(all.begin(), middle, all.end());
  return *middle;
}

struct outcome {
  bool same_losses = true;
  double ratio = 0;
};

/// Prints one line of the table: the fastest round of each, and the median of the rounds' ratios.
template <class Library, class Hand>
outcome compare(const char* what, int batch_size, int rounds, Library library, Hand hand) {
  outcome result;
  int library_steps = 0, hand_steps = 0;
  float worst = 0;
  for (int i = 0; i < 20; ++i) {
    const float a = library(library_steps++), b = hand(hand_steps++);
    worst = std::max(worst, std::abs(a - b) / std::max(1.0f, std::abs(b)));
  }
  result.same_losses = worst < 1e-4f;

  const double once = seconds_per_step(hand, hand_steps, 5);
  seconds_per_step(library, library_steps, 5);
  const int steps = std::clamp(static_cast<int>(0.01 / once), 2, 5000);
  std::vector<double> library_times, hand_times, ratios;
  for (int r = 0; r < rounds; ++r) {
    // who comes first changes, so that neither always finds the caches as the other left them
    const bool hand_first = r % 2 == 0;
    if (hand_first) hand_times.push_back(seconds_per_step(hand, hand_steps, steps));
    library_times.push_back(seconds_per_step(library, library_steps, steps));
    if (!hand_first) hand_times.push_back(seconds_per_step(hand, hand_steps, steps));
    ratios.push_back(library_times.back() / hand_times.back());
  }
  const double fastest_hand = *std::min_element(hand_times.begin(), hand_times.end());
  const double fastest_library = *std::min_element(library_times.begin(), library_times.end());
  result.ratio = fastest_library / fastest_hand;
  std::printf("%-11s %6d %12.4f %12.4f %8.3f %8.3f   %.1e%s\n", what, batch_size, fastest_hand * 1e3,
              fastest_library * 1e3, result.ratio, median(ratios), static_cast<double>(worst),
              result.same_losses ? "" : "  LOSSES DIFFER");
  std::fflush(stdout);
  return result;
}

template <int Batch>
outcome compare_classifiers(int batch_size, int rounds) {
  const samples<std::int32_t> data(batch_size, 784, 1, 10);
  tl::trainer net{classifier, tl::adamw({})};
  by_hand::classifier<Batch> hand(batch_size, {});
  copy_layer<decltype(net), "fc1.weight", "fc1.bias">(net, hand.fc1);
  copy_layer<decltype(net), "fc2.weight", "fc2.bias">(net, hand.fc2);
  return compare(
      "784-500-10", batch_size, rounds,
      [&](int i) { return net.step("x"_t = data.inputs(i), "y"_t = data.targets(i)).loss(); },
      [&](int i) { return hand.step(data.inputs(i), data.targets(i)); });
}

template <int Batch>
outcome compare_controllers(int batch_size, int rounds) {
  const samples<float> data(batch_size, 4, 2, 0);
  tl::trainer net{controller, tl::adamw({})};
  by_hand::controller<Batch> hand(batch_size, {});
  copy_layer<decltype(net), "fc1.weight", "fc1.bias">(net, hand.fc1);
  copy_layer<decltype(net), "fc2.weight", "fc2.bias">(net, hand.fc2);
  copy_layer<decltype(net), "fc3.weight", "fc3.bias">(net, hand.fc3);
  return compare(
      "4-64-64-2", batch_size, rounds,
      [&](int i) { return net.step("x"_t = data.inputs(i), "y"_t = data.targets(i)).loss(); },
      [&](int i) { return hand.step(data.inputs(i), data.targets(i)); });
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::max(1, std::atoi(argv[1])) : 60;
  std::printf("%-11s %6s %12s %12s %8s %8s   %s\n", "network", "batch", "ms by hand", "ms library", "ratio",
              "median", "losses differ by");
  bool good = true;
  for (const outcome& o :
       {compare_classifiers<1>(1, rounds), compare_classifiers<by_hand::Dynamic>(32, rounds),
        compare_classifiers<by_hand::Dynamic>(500, rounds)})
    good = good && o.same_losses && o.ratio <= largest_ratio;
  for (const outcome& o :
       {compare_controllers<1>(1, rounds), compare_controllers<by_hand::Dynamic>(32, rounds)})
    good = good && o.same_losses;
  return good ? 0 : 1;
}
