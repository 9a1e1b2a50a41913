// SPDX-License-Identifier: BSL-1.0
// A program that is compiled with -ffast-math trains: no number of the library's own depends on NaN.
#include <tapeless/tapeless.hpp>

#include <vector>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto model = [] {
  auto x = tl::input<"x", float, tl::dyn<"batch">, 2>;
  auto y = tl::input<"y", std::int32_t, tl::dyn<"batch">>;
  return tl::cross_entropy(tl::linear<"out", 2>(tl::tanh(tl::linear<"hidden", 16>(x))), y);
};

int main() {
  tl::trainer net{model, tl::adamw({.learning_rate = tl::cosine_schedule({.start = 2e-2, .steps = 1000})})};
  const std::vector<float> x{0, 0, 0, 1, 1, 0, 1, 1};
  const std::vector<std::int32_t> y{0, 1, 1, 0};
  float loss = 0;
  for (int step = 0; step < 400; ++step) {
    if (step == 200) net.set<"weight_decay">(0.0);
    loss = net.step("x"_t = x, "y"_t = y).loss();
  }
  return loss < 0.02f ? 0 : 1;
}
