// SPDX-License-Identifier: BSL-1.0
// 04  Handwritten digits, two layers: the "hello, world" of the field.
//
// Problem   60,000 pictures of 28 x 28 pixels, each of a digit (MNIST; LeCun, Cortes and Burges). Which one
//           is it?
// Idea      One hidden layer of 128 units, each of which looks for a pattern of ink; ten outputs weigh the
//           patterns.
// Formula   logits = W2 relu(W1 pixels + b1) + b2,   L = -mean log softmax(logits)[digit]
// Here      The ready-made loop: a data set whose columns are named like the inputs, fit with batches in
//           random order, samples held back and a line for each epoch, evaluate with uncertainties. The
//           weights go into a file that PyTorch reads.
// Picture   What 60 of the units look for: white is ink that they like, black is ink that they do not.
// Usage     04_mnist [FOLDER]     with the four files of MNIST, plain or .gz; without, on digits that the
//           program draws
// Try       tl::dropout<0.2>(...) behind relu; 16 units, whose patterns are more like digits; more epochs.
#include <tapeless/tapeless.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "common/png.hpp"
#include "digits/digits.hpp"

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto batch = tl::dyn<"batch">;

constexpr auto model = [] {
  auto image = tl::input<"image", float, batch, 1, 28, 28>;
  auto label = tl::input<"label", std::int32_t, batch>;
  auto hidden = tl::relu(tl::linear<"fc1", 128>(tl::flatten(image)));
  auto logits = tl::linear<"fc2", 10>(hidden);
  return tl::outputs(tl::cross_entropy(logits, label), tl::named<"logits">(logits));
};

int main(int argc, char** argv) try {
  const bool real = argc > 1;
  const auto [train, test] = real ? tl::data::mnist(argv[1])
                                  : tl::data::train_and_test{digits::draw(20'000, 1), digits::draw(4'000, 2)};

  tl::trainer net{model, tl::adamw({.learning_rate = 2e-3, .weight_decay = 1e-2}), tl::cpu{.threads = 2}, 1};
  tl::accuracy<"logits", "label"> accuracy;
  tl::fit(net, train, {.epochs = 8, .batch = 100, .validation_split = 0.05, .seed = 1}, accuracy,
          tl::progress_bar{});
  const auto report = tl::evaluate(net, test, accuracy);
  std::printf("of %lld other digits, %.2f+-%.2f %% are read right\n", static_cast<long long>(test.size()),
              100 * report["accuracy"].mean, 100 * report["accuracy"].uncertainty);
  tl::save(net, "04_mnist.safetensors");
  std::puts("the weights are in 04_mnist.safetensors");

  // Where there is never ink, a weight keeps its random start: each counts by the ink that it sees.
  const auto* const ink = reinterpret_cast<const float*>(train.column("image").storage.get());
  std::array<float, 784> usual{};
  for (std::size_t i = 0; i < 784 * 1000; ++i) usual[i % 784] += ink[i] / 1000;

  const auto weight = net.parameter<"fc1.weight">();  // [128, 784]
  png::sheet units(20, 3, 28, 28);
  for (int i = 0; i < 60; ++i) {
    std::array<float, 784> picture{};
    std::copy_n(&weight[static_cast<std::size_t>(784 * i)], 784, picture.begin());
    for (std::size_t k = 0; k < 784; ++k) picture[k] *= std::sqrt(usual[k]);
    float largest = 0;
    for (const float w : picture) largest = std::max(largest, std::abs(w));
    for (float& w : picture) w = 0.5f + 0.5f * w / largest;
    units.set(i, picture.data());
  }
  units.write("04_mnist_units.png");
  return report["accuracy"].mean > (real ? 0.97 : 0.95) ? 0 : 1;
} catch (const tl::error& e) {
  return std::fprintf(stderr, "%s\n", e.what()), 1;
}
