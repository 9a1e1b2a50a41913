// SPDX-License-Identifier: BSL-1.0
// Trains a classifier of handwritten digits: on MNIST where a folder with its four files (plain or .gz) is
// given, otherwise on 20,000 digits that it draws itself. Usage: mnist [FOLDER]
#include <tapeless/tapeless.hpp>

#include <cstdio>
#include <filesystem>

#include "digits/digits.hpp"

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto batch = tl::dyn<"batch">;

constexpr auto model = [] {
  auto image = tl::input<"image", float, batch, 1, 28, 28>;
  auto label = tl::input<"label", std::int32_t, batch>;
  auto hidden = tl::relu(tl::linear<"fc1", 500>(tl::flatten(image)));
  auto logits = tl::linear<"fc2", 10>(hidden);
  return tl::outputs(tl::cross_entropy(logits, label), tl::named<"logits">(logits));
};

tl::data::train_and_test load(int argc, char** argv) {
  if (argc > 1) return tl::data::mnist(argv[1]);
  return {digits::draw(20'000, 1), digits::draw(4'000, 2)};
}

int main(int argc, char** argv) try {
  auto [train, test] = load(argc, argv);
  std::printf("%s: %lld digits to train on, %lld to test with\n", argc > 1 ? argv[1] : "drawn by the program",
              static_cast<long long>(train.size()), static_cast<long long>(test.size()));

  tl::trainer net{model, tl::adamw({.learning_rate = 1e-3f})};
  tl::accuracy<"logits", "label"> accuracy;
  tl::fit(net, train, {.epochs = 5, .batch = 100, .validation_split = 0.05, .seed = 1}, accuracy,
          tl::progress_bar{});
  const auto report = tl::evaluate(net, test, accuracy);
  std::printf("test accuracy %.4f+-%.4f\n", report["accuracy"].mean, report["accuracy"].uncertainty);

  tl::save(net, "mnist.safetensors");
  std::printf("the weights are in %s\n", std::filesystem::absolute("mnist.safetensors").string().c_str());
  return 0;
} catch (const tl::error& e) {
  return std::fprintf(stderr, "%s\n", e.what()), 1;
}
