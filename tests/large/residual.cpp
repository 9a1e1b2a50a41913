// SPDX-License-Identifier: BSL-1.0
// A model of more than 1,500 nodes, forward, backward and update, compiles within the limits of all
// compilers.
#include <tapeless/tapeless.hpp>

#include <cstdio>
#include <vector>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto model = [] {
  auto x = tl::input<"x", float, tl::dyn<"batch">, 16>;
  auto y = tl::input<"y", float, tl::dyn<"batch">, 16>;
  auto h =
      tl::repeat<30>(x, []<int I>(auto h) { return h + tl::tanh(tl::linear<tl::name{"layer"} + I, 16>(h)); });
  return tl::mean(tl::square(h - y));
};

int main() {
  tl::trainer net{model, tl::adamw({.learning_rate = 1e-3f})};
  static_assert(tl::constant_graph_of<decltype(net)::step_program>.nodes.size() >= 1500);
  const std::vector<float> x(4 * 16, 0.5f), y(4 * 16, 0.25f);
  const float first = net.step("x"_t = x, "y"_t = y).loss();
  float last = first;
  for (int step = 0; step < 20; ++step) last = net.step("x"_t = x, "y"_t = y).loss();
  std::printf("loss %g, then %g\n", first, last);
  return last < first ? 0 : 1;
}
