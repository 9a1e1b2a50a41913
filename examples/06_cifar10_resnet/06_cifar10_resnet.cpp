// SPDX-License-Identifier: BSL-1.0
// 06  Photographs, and a network with shortcuts.
//
// Problem   Photographs of 32 x 32 pixels, of ten kinds of things (CIFAR-10; Krizhevsky, 2009).
// Idea      Deep networks are hard to train, unless each block only adds something to what it is given (He et
//           al., 2016).
// Formula   y = relu(x + norm(conv(relu(norm(conv(x))))))
// Here      Pixels go in as bytes; the model itself makes numbers of them. batch_norm uses the batch while
//           training and its running means in evaluation, by itself. Half of the pictures are mirrored in
//           each step.
// Usage     06_cifar10_resnet [FOLDER]    with the binary files of CIFAR-10; without, on coloured digits that
//           it draws
// Try       more blocks (alike, they share their kernels); a stem without stride (four times as dear, and
//           better); more channels where the picture shrinks, past which a convolution of 1 x 1 leads;
//           cifar10_speedrun, beside this.
#include <tapeless/data/cifar10.hpp>
#include <tapeless/tapeless.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "cifar10_speedrun/colored_digits.hpp"
#include "common/svg.hpp"

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto batch = tl::dyn<"batch">;

template <tl::name Name, int Stride = 1>
constexpr auto conv_norm(tl::expression auto x) {
  constexpr tl::conv options{.kernel = 3, .stride = Stride, .padding = 1, .bias = false};
  return tl::batch_norm<Name + ".norm">(tl::conv2d<Name + ".conv", 32, options>(x));
}

template <tl::name Name>
constexpr auto block(tl::expression auto x) {
  return tl::relu(x + conv_norm<Name + ".2">(tl::relu(conv_norm<Name + ".1">(x))));
}

constexpr auto model = [] {
  auto image = tl::input<"image", std::uint8_t, batch, 3, 32, 32>;
  auto label = tl::input<"label", std::int32_t, batch>;
  auto x = tl::cast<float>(image) / 64_c - 2_c;
  auto stem = tl::max_pool2d<tl::pool{.kernel = 2}>(tl::relu(conv_norm<"stem", 2>(x)));  // [batch, 32, 8, 8]
  auto y = block<"block2">(block<"block1">(stem));
  auto logits = tl::linear<"head", 10>(tl::mean<2, 3>(y));
  return tl::outputs(tl::cross_entropy(logits, label), tl::named<"logits">(logits));
};

struct images {
  const std::uint8_t* pixels;
  const std::int32_t* labels;
  std::size_t count;
  explicit images(const tl::data::dataset& from)
      : pixels(reinterpret_cast<const std::uint8_t*>(from.column("image").storage.get())),
        labels(reinterpret_cast<const std::int32_t*>(from.column("label").storage.get())),
        count(static_cast<std::size_t>(from.size())) {}
};

int main(int argc, char** argv) try {
  const bool real = argc > 1;
  const auto data =
      real ? tl::data::cifar10(argv[1])
           : tl::data::train_and_test{speedrun::colored_digits(5000, 1), speedrun::colored_digits(1000, 2)};
  const images train(data.train), test(data.test);

  constexpr std::size_t size = 100, all = 3 * 32 * 32;
  const std::size_t steps = real ? 1000 : 250;
  tl::trainer net{
      model,
      tl::sgd({.learning_rate = tl::one_cycle({.peak = 0.1, .steps = static_cast<std::int64_t>(steps)}),
               .momentum = 0.9,
               .weight_decay = 5e-4,
               .nesterov = true}),
      tl::cpu{.threads = 2}, 1};
  std::vector<std::size_t> order(train.count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::mt19937 random{1};
  std::vector<std::uint8_t> image(all * size);
  std::vector<std::int32_t> label(size);
  std::puts("pictures seen   training loss");
  double loss = 0;
  for (std::size_t step = 0; step < steps; ++step) {
    for (std::size_t i = 0; i < size; ++i) {
      const std::size_t at = (step * size + i) % train.count;
      if (at == 0) std::shuffle(order.begin(), order.end(), random);
      const std::uint8_t* from = train.pixels + all * order[at];
      const bool mirrored = real && random() % 2 == 0;  // a mirrored digit is none
      for (std::size_t line = 0; line < 96; ++line, from += 32) {
        std::uint8_t* to = &image[all * i + 32 * line];
        if (mirrored)
          std::reverse_copy(from, from + 32, to);
        else
          std::copy_n(from, 32, to);
      }
      label[i] = train.labels[order[at]];
    }
    loss += net.step("image"_t = image, "label"_t = label).loss() / static_cast<double>(steps / 10);
    if ((step + 1) % (steps / 10) == 0) std::printf("%9zu         %.3f\n", (step + 1) * size, loss), loss = 0;
  }

  std::array<int, 100> confusion{};  // [truth][guess]
  for (std::size_t from = 0; from < test.count; from += 500) {
    const std::size_t count = std::min<std::size_t>(500, test.count - from);
    const auto logits =
        net.predict("image"_t = std::span(test.pixels + all * from, all * count)).get<"logits">();
    for (std::size_t i = 0; i < count; ++i) {
      const auto guess = std::max_element(&logits[10 * i], &logits[10 * i] + 10) - &logits[10 * i];
      ++confusion[static_cast<std::size_t>(10 * test.labels[from + i] + guess)];
    }
  }
  const std::array<const char*, 10> things{"plane", "car",  "bird",  "cat",  "deer",
                                           "dog",   "frog", "horse", "ship", "truck"};
  const auto name = [&](std::size_t k) { return real ? std::string(things[k]) : std::to_string(k); };
  int right = 0;
  svg::axes plot({.title = "what is taken for what",
                  .x_label = "guess",
                  .y_label = "truth",
                  .x = {-2, 9.5},
                  .y = {-1, 9.5},
                  .ticks = false,
                  .width = 460,
                  .height = 300});
  for (std::size_t truth = 0; truth < 10; ++truth) {
    const auto row = std::span(confusion).subspan(10 * truth, 10);
    const int count = std::accumulate(row.begin(), row.end(), 0);
    right += row[truth];
    plot.text(-1.3, 9 - static_cast<double>(truth), name(truth))
        .text(static_cast<double>(truth), -0.75, name(truth).substr(0, 5));
    for (std::size_t guess = 0; guess < 10; ++guess) {
      const double x = static_cast<double>(guess), y = 9 - static_cast<double>(truth),
                   share = row[guess] / static_cast<double>(count);
      plot.box({x - 0.5, x + 0.5}, {y - 0.5, y + 0.5},
               {.color = truth == guess ? svg::purple : svg::orange,
                .opacity = std::min(1.0, (truth == guess ? 0.7 : 3.0) * share)});
      plot.text(x, y, std::to_string(row[guess]));
    }
  }
  svg::write("06_cifar10_resnet.svg", {plot});
  const double accuracy = 100.0 * right / static_cast<double>(test.count);
  std::printf("of %zu other pictures, %.1f %% are recognized\n", test.count, accuracy);
  return accuracy > (real ? 60 : 85) ? 0 : 1;
} catch (const tl::error& e) {
  return std::fprintf(stderr, "%s\n", e.what()), 1;
}
