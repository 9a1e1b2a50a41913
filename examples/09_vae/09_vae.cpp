// SPDX-License-Identifier: BSL-1.0
// 09  A variational autoencoder: all digits on one sheet.
//
// Problem   Describe a picture of 784 pixels by two numbers, so that neighbours look alike and any two
//           numbers make a digit.
// Idea      An encoder says where a picture lies in the plane, and how sure it is; a point is drawn there,
//           and a decoder draws the picture from the point. A penalty pulls all points towards a normal
//           distribution, which fills the plane without holes (Kingma and Welling, 2014).
// Formula   z = mean + deviation e, e ~ N(0, 1)         L = -sum over pixels of log p(pixel | z)
//             + sum of (mean^2 + deviation^2 - 1 - log deviation^2) / 2
// Here      normal<"z">(mean, deviation) draws inside the model, and the gradient goes through mean and
//           deviation. The decoder is a function of its own on the trainer's weights. The pictures are PNG
//           files that the program writes.
// Usage     09_vae [FOLDER]     with the files of MNIST; without, on digits that the program draws itself
// Try       eight numbers instead of two: sharper digits, but no sheet; no penalty: a plane with holes.
#include <tapeless/tapeless.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <span>
#include <vector>

#include "common/png.hpp"
#include "digits/digits.hpp"

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto batch = tl::dyn<"batch">;

constexpr auto decode(tl::expression auto z) {  // logits of the pixels, [batch, 784]
  auto h = tl::relu(tl::linear<"decoder.fc2", 256>(tl::relu(tl::linear<"decoder.fc1", 128>(z))));
  return tl::linear<"decoder.out", 784>(h);
}

constexpr auto model = [] {
  auto image = tl::flatten(tl::input<"image", float, batch, 1, 28, 28>);
  auto h = tl::relu(tl::linear<"encoder.fc2", 128>(tl::relu(tl::linear<"encoder.fc1", 256>(image))));
  auto mean = tl::linear<"encoder.mean", 2>(h);
  auto log_variance = tl::linear<"encoder.log_variance", 2>(h);
  auto z = tl::normal<"z">(mean, tl::exp(0.5_c * log_variance));
  auto logits = decode(z);
  auto pixels = tl::bce_with_logits_loss<tl::loss{.reduce = tl::reduction::batch_mean}>(logits, image);
  auto penalty = 0.5_c * tl::mean(tl::sum<1>(tl::square(mean) + tl::exp(log_variance) - 1_c - log_variance));
  return tl::outputs(pixels + penalty, tl::named<"pixels">(pixels), tl::named<"penalty">(penalty),
                     tl::named<"drawn">(tl::sigmoid(logits)));
};

constexpr auto decoder = [] {
  return tl::named<"image">(tl::sigmoid(decode(tl::input<"z", float, batch, 2>)));
};

// The number below which a normally distributed one is with the probability p.
float quantile(double p) {
  double low = -6, high = 6;
  for (int k = 0; k < 50; ++k)
    (std::erfc(-(low + high) / 2 / std::sqrt(2.0)) / 2 < p ? low : high) = (low + high) / 2;
  return static_cast<float>(low);
}

int main(int argc, char** argv) try {
  const auto train = argc > 1 ? tl::data::mnist(argv[1]).train.first(30'000) : digits::draw(20'000, 1);
  const float* const images = reinterpret_cast<const float*>(train.column("image").storage.get());
  const auto count = static_cast<std::size_t>(train.size());

  tl::trainer net{model, tl::adam({.learning_rate = tl::cosine_schedule({.start = 2e-3, .steps = 3000})}),
                  tl::cpu{.threads = 2}, 1};
  std::puts("step   loss for each picture   of the pixels   penalty");
  double loss = 0, first = 0, pixels = 0, penalty = 0;
  for (std::size_t step = 0; step < 3000; ++step) {
    const std::size_t from = step * 100 % (count - 99);
    const auto r = net.step("image"_t = std::span(images + 784 * from, 784 * 100));
    loss += r.loss() / 500, pixels += r.get<"pixels">()[0] / 500, penalty += r.get<"penalty">()[0] / 500;
    if (step % 500 < 499) continue;
    std::printf("%4zu          %6.1f            %6.1f        %5.1f\n", step + 1, loss, pixels, penalty);
    if (step == 499) first = loss;
    if (step < 2999) loss = pixels = penalty = 0;
  }

  constexpr int side = 15;
  const tl::function draw{decoder, tl::weights(net)};
  std::vector<float> z;
  for (int row = 0; row < side; ++row)
    for (int column = 0; column < side; ++column)
      for (const int k : {column, row}) z.push_back(quantile((k + 0.5) / side));
  const auto made = draw("z"_t = z).get<"image">();
  png::sheet plane(side, side, 28, 28);
  for (int i = 0; i < side * side; ++i) plane.set(i, &made[static_cast<std::size_t>(784 * i)]);
  plane.write("09_vae_plane.png");

  const auto back =
      net.predict("image"_t = std::span(images, 784 * 15)).get<"drawn">();  // through the two numbers
  png::sheet pairs(15, 2, 28, 28);
  for (int i = 0; i < 15; ++i) {
    pairs.set(i, images + 784 * i);
    pairs.set(15 + i, &back[static_cast<std::size_t>(784 * i)]);
  }
  pairs.write("09_vae_pairs.png");
  std::printf("the loss went from %.1f to %.1f; 784 pixels through 2 numbers of %.1f nats\n", first, loss,
              penalty);
  return loss < first && loss < (argc > 1 ? 165 : 245) && penalty > 3 ? 0 : 1;
} catch (const tl::error& e) {
  return std::fprintf(stderr, "%s\n", e.what()), 1;
}
