// SPDX-License-Identifier: BSL-1.0
// CIFAR-10: 94 % of the test images, as soon as possible, by the recipe of Page (2019) and Jordan ("94% on
// CIFAR-10 in 3.29 seconds on a single GPU", 2024). Usage:
//   cifar10_speedrun [FOLDER] [--width 64|8] [--epochs N] [--batch N] [--images N] [--goal PERCENT]
// FOLDER holds the binary files of CIFAR-10; without one the program draws coloured digits. Compiled with
// -DCIFAR10_FLOAT, the network is stored in float rather than in bf16. The exit status tells whether the goal
// was reached.
#include <tapeless/data/cifar10.hpp>
#include <tapeless/tapeless.hpp>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <optional>

#include "arguments.hpp"
#include "colored_digits.hpp"
#include "identity.hpp"
#include "network.hpp"
#include "whitening_filters.hpp"

namespace {

namespace tl = tapeless;
using speedrun::arguments;
using seconds = std::chrono::duration<double>;
using stopwatch = std::chrono::steady_clock;

tl::data::train_and_test load(const arguments& a) {
  if (a.folder.empty()) return {speedrun::colored_digits(a.images, 1), speedrun::colored_digits(1000, 2)};
  const auto [train, test] = tl::data::cifar10(a.folder);
  return {train.first(a.images), test};
}

/// Nesterov's steps, whose size rises and falls along a triangle, larger ones for what shifts the norms; and
/// slow weights, to which the fast ones return less and less. Numbers are those for batches of 1024.
auto recipe(const arguments& a, std::int64_t steps) {
  constexpr double momentum = 0.85;
  const double share = static_cast<double>(a.batch) / 1024 / (1 + 1 / (1 - momentum));
  const auto nesterov = [&](double scale) {
    const double peak = 11.5 * share * scale;
    return tl::sgd({.learning_rate = tl::one_cycle({.peak = peak,
                                                    .steps = steps,
                                                    .rising = 0.23,
                                                    .div_factor = 1 / 0.2,
                                                    .final_div_factor = 0.2 / 0.07,
                                                    .linear = true}),
                    .momentum = momentum,
                    .weight_decay = 0.0153 * share / peak,
                    .nesterov = true});
  };
  const auto slow_step = [steps](std::int64_t t) {
    return 1 - std::pow(0.95, 5) * std::pow(static_cast<double>(t + 1) / static_cast<double>(steps), 3);
  };
  const auto rule = tl::lookahead(
      tl::partition(tl::for_parameters(tl::names_like<"*.norm?.bias">, nesterov(64)), nesterov(1)),
      {.sync_period = 5, .slow_step_size = slow_step});
#ifdef CIFAR10_FLOAT
  return rule;
#else
  return tl::mixed_precision<tl::bf16>(rule);
#endif
}

/// Whether the goal was reached.
template <int Width>
bool run(const arguments& a, const tl::data::train_and_test& data) {
  const std::int64_t steps = a.epochs * ((data.train.size() - 1) / a.batch + 1);
  tl::trainer net{speedrun::network<Width>{}, recipe(a, steps)};

  auto begin = stopwatch::now();
  net.template assign<"whitening.weight">(speedrun::whitening_filters<2>(data.train.column("image")));
  speedrun::start_as_identity<"block1.conv1.weight", "block1.conv2.weight", "block2.conv1.weight",
                              "block2.conv2.weight", "block3.conv1.weight", "block3.conv2.weight">(net);
  seconds spent = stopwatch::now() - begin;

  std::optional<seconds> reached;
  for (std::int64_t epoch = 1; epoch <= a.epochs; ++epoch) {
    begin = stopwatch::now();
    const auto history =
        tl::fit(net, data.train, {.batch = a.batch, .seed = static_cast<std::uint64_t>(epoch)});
    spent += stopwatch::now() - begin;

    const auto slow_weights = net.averaged_weights();
    const auto test = tl::evaluate(net, data.test, tl::accuracy<"logits", "label">{});
    const double right = 100 * test["accuracy"].mean;
    if (right >= a.goal && !reached) reached = spent;
    std::printf("epoch %2d  loss %.4f  test accuracy %5.2f %%  %8.2f s\n", static_cast<int>(epoch),
                history.back().train["loss"].mean, right, spent.count());
    std::fflush(stdout);
  }
  if (reached) {
    std::printf("%.1f %% reached after %.2f s of training\n", a.goal, reached->count());
  } else {
    std::printf("%.1f %% not reached within %.2f s of training\n", a.goal, spent.count());
  }
  return reached.has_value();
}

}  // namespace

int main(int argc, char** argv) try {
  const arguments a = speedrun::parse(argc, argv);
  const tl::data::train_and_test data = load(a);
  return (a.width == 8 ? run<8>(a, data) : run<64>(a, data)) ? 0 : 1;
} catch (const tl::error& e) {
  return std::fprintf(stderr, "%s\n", e.what()), 1;
}
