// SPDX-License-Identifier: BSL-1.0
// The guide of the first ten minutes: a network learns the sine.
#include <tapeless/tapeless.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto batch = tl::dyn<"batch">;

constexpr auto model = [] {
  auto x = tl::input<"x", float, batch, 1>;
  auto y = tl::input<"y", float, batch, 1>;
  auto h = tl::tanh(tl::linear<"fc1", 32>(x));
  auto guess = tl::linear<"fc2", 1>(h);
  return tl::outputs(tl::mse_loss(guess, y), tl::named<"guess">(guess));
};

int main() {
  std::vector<float> x(256), y(256);
  for (int i = 0; i < 256; ++i) {
    x[i] = -3.0f + 6.0f * i / 255;
    y[i] = std::sin(x[i]);
  }

  tl::trainer net{model, tl::adam({.learning_rate = 1e-2f})};
  for (int step = 0; step < 1000; ++step) net.step("x"_t = x, "y"_t = y);

  const std::vector<float> asked{-1.5, 0.5, 2};
  auto guess = net.predict("x"_t = asked).get<"guess">();  // y is not needed
  for (int i = 0; i < 3; ++i) std::printf("sin(%g) is about %.1f\n", asked[i], guess[i]);

  tl::save(net, "sine.safetensors");
  tl::trainer other{model, tl::adam({})};
  tl::load(other, "sine.safetensors");
  return other.evaluate("x"_t = x, "y"_t = y).loss() < 1e-3f ? 0 : 1;
}
