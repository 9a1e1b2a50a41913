// SPDX-License-Identifier: BSL-1.0
// AdamW's update of ten million parameters, in bytes per second: apply() of the library, a loop by hand and
// memcpy. All three take turns on one thread, so that whatever else the machine does slows all.
//
// The work is the same on both sides: the gradient, the parameter and its two moments are read, and all four
// are written, as gradients that were added up start again at zero: 8 x 4 bytes for each parameter. memcpy
// moves as many bytes, half of them read and half written, and may be the slowest: what it writes to, unlike
// here, is not what it reads, and where it does not write past the caches its target is read, too.
//
// Usage: update_bandwidth [ROUNDS]. Exits with 1 where the results differ, or where the library's time by
// that by hand, as the median of the rounds, exceeds the ratio allowed.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <tapeless/tapeless.hpp>
#include <vector>

namespace tl = tapeless;
using namespace tl::literals;

namespace {

constexpr double largest_ratio = 1.10;
constexpr std::size_t count = 10'000'000;
constexpr double bytes = 8.0 * sizeof(float) * count;

// The gradient of the parameter is the input.
constexpr auto model = [] {
  return tl::sum(tl::param<"p", float, count> * tl::input<"gradient", float, count>);
};

constexpr float learning_rate = 1e-3f, beta1 = 0.9f, beta2 = 0.999f, epsilon = 1e-8f, weight_decay = 1e-2f;

/// What the library's update is measured against. Its target is compiled with -fno-math-errno, without which
/// compilers leave square roots out of vectors.
class by_hand {
 public:
  explicit by_hand(std::span<const float> start)
      : value(start.begin(), start.end()), gradient(count), mu_(count), nu_(count) {}

  std::vector<float> value, gradient;

  void apply() {
    const auto step = static_cast<float>(++steps_);
    update(value.data(), gradient.data(), mu_.data(), nu_.data(), 1 / (1 - std::pow(beta1, step)),
           1 / std::sqrt(1 - std::pow(beta2, step)));
  }

 private:
  int steps_ = 0;
  std::vector<float> mu_, nu_;

  static void update(float* p, float* g, float* mu, float* nu, float mean_correction, float root_correction) {
    for (std::size_t i = 0; i < count; ++i) {
      const float m = beta1 * mu[i] + (1 - beta1) * g[i], v = beta2 * nu[i] + (1 - beta2) * g[i] * g[i];
      mu[i] = m;
      nu[i] = v;
      p[i] -= learning_rate *
              (m * mean_correction / (std::sqrt(v) * root_correction + epsilon) + weight_decay * p[i]);
      g[i] = 0;
    }
  }
};

template <class F>
double seconds(F f) {
  const auto start = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double fastest(const std::vector<double>& all) { return *std::min_element(all.begin(), all.end()); }

double median(std::vector<double> all) {
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
  std::nth_element(all.begin(), middle, all.end());
  return *middle;
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::max(1, std::atoi(argv[1])) : 60;
  std::mt19937 random{1};
  std::normal_distribution<float> normal;
  std::vector<float> gradient(count);
  for (float& x : gradient) x = normal(random);

  tl::trainer net{model, tl::adamw({.learning_rate = learning_rate,
                                    .beta1 = beta1,
                                    .beta2 = beta2,
                                    .epsilon = epsilon,
                                    .weight_decay = weight_decay})};
  const auto parameter = net.parameter<"p">();
  std::copy(gradient.rbegin(), gradient.rend(), parameter.begin());
  by_hand hand({parameter.begin(), parameter.end()});
  std::vector<char> from(static_cast<std::size_t>(bytes / 2), 1), to(from.size(), 2);

  // New gradients for each update, without the clock: zeros would let the moments fade into denormal numbers.
  const auto library_update = [&] {
    net.accumulate(1, "gradient"_t = gradient);
    return seconds([&] { net.apply(); });
  };
  const auto hand_update = [&] {
    std::copy(gradient.begin(), gradient.end(), hand.gradient.begin());
    return seconds([&] { hand.apply(); });
  };
  const auto copy = [&] { return seconds([&] { std::memcpy(to.data(), from.data(), from.size()); }); };

  std::vector<double> library_times, hand_times, copy_times, hand_ratios, copy_ratios;
  for (int r = -2; r < rounds; ++r) {
    double by_library = 0, by_hand = 0, by_copy = 0;
    // who comes first changes, so that neither always finds the caches as the other left them
    if (r % 2 == 0) by_hand = hand_update();
    by_library = library_update();
    by_copy = copy();
    if (r % 2 != 0) by_hand = hand_update();
    if (r < 0) continue;
    library_times.push_back(by_library);
    hand_times.push_back(by_hand);
    copy_times.push_back(by_copy);
    hand_ratios.push_back(by_library / by_hand);
    copy_ratios.push_back(by_library / by_copy);
  }

  float difference = 0;
  for (std::size_t i = 0; i < count; ++i)
    difference = std::max(difference, std::abs(parameter[i] - hand.value[i]));
  difference = std::max(difference, static_cast<float>(from != to));

  const auto print = [](const char* what, double time) {
    std::printf("%-8s %8.2f ms %8.2f GB/s\n", what, time * 1e3, bytes / time * 1e-9);
  };
  print("memcpy", fastest(copy_times));
  print("by hand", fastest(hand_times));
  print("library", fastest(library_times));
  const double ratio = median(hand_ratios);
  std::printf("library's time by that by hand: %.3f, of the fastest rounds %.3f\n", ratio,
              fastest(library_times) / fastest(hand_times));
  std::printf("library's time by memcpy's:     %.3f, of the fastest rounds %.3f\n", median(copy_ratios),
              fastest(library_times) / fastest(copy_times));
  std::printf("parameters after %d updates differ by %.1e\n", rounds + 2, static_cast<double>(difference));
  return ratio <= largest_ratio && difference < 1e-4f ? 0 : 1;
}
