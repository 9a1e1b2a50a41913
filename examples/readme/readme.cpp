// SPDX-License-Identifier: BSL-1.0
// The program in README.md, to the letter.
#include <tapeless/tapeless.hpp>

#include <cstdio>
#include <vector>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto batch = tl::dyn<"batch">;  // an extent that is known when the program runs

constexpr auto model = [] {
  auto x = tl::input<"x", float, batch, 2>;
  auto y = tl::input<"y", std::int32_t, batch>;
  auto hidden = tl::tanh(tl::linear<"fc1", 16>(x));
  auto logits = tl::linear<"fc2", 2>(hidden);
  return tl::outputs(tl::cross_entropy(logits, y), tl::named<"logits">(logits));
};

int main() {
  tl::trainer net{model, tl::adam({.learning_rate = 1e-2f})};

  const std::vector<float> x{0, 0, 0, 1, 1, 0, 1, 1};
  const std::vector<std::int32_t> y{0, 1, 1, 0};  // exclusive or
  float loss = 0;
  for (int step = 0; step < 500; ++step) loss = net.step("x"_t = x, "y"_t = y).loss();

  auto logits = net.predict("x"_t = x).get<"logits">();
  for (std::size_t i = 0; i < y.size(); ++i)
    std::printf("%g xor %g = %d\n", x[2 * i], x[2 * i + 1], logits[2 * i + 1] > logits[2 * i]);
  return loss < 0.01f ? 0 : 1;
}
