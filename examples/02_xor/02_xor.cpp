// SPDX-License-Identifier: BSL-1.0
// 02  XOR: why a network needs a hidden layer.
//
// Problem   (0,0) and (1,1) belong to one class, (0,1) and (1,0) to the other. No straight line divides them.
// Idea      A hidden layer bends the plane first; then a straight line will do.
// Formula   linear:  logit = w . x + b             hidden:  logit = v . tanh(W x + b) + c
//           L = mean of -log p(right class), the cross entropy
// Here      Both are trained at once: the losses are added, and neither's gradient reaches the other's
//           weights.
// Try       2 hidden units instead of 4: enough in principle, but some seeds get stuck; relu instead of tanh.
#include <tapeless/tapeless.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

#include "common/svg.hpp"

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto batch = tl::dyn<"batch">;

constexpr auto model = [] {
  auto x = tl::input<"x", float, batch, 2>;
  auto y = tl::input<"y", float, batch, 1>;  // 0 or 1
  auto straight = tl::linear<"straight", 1>(x);
  auto bent = tl::linear<"bent.out", 1>(tl::tanh(tl::linear<"bent.in", 4>(x)));
  auto loss = tl::bce_with_logits_loss(straight, y) + tl::bce_with_logits_loss(bent, y);
  return tl::outputs(loss, tl::named<"straight">(tl::sigmoid(straight)),
                     tl::named<"bent">(tl::sigmoid(bent)));
};

constexpr int side = 60;  // of the pictures, in cells

svg::axes picture(const char* title, const auto& probabilities) {
  svg::axes plot({.title = title,
                  .x_label = "first input",
                  .y_label = "second input",
                  .x = {-0.5, 1.5},
                  .y = {-0.5, 1.5},
                  .width = 210});
  std::vector<float> signs;
  for (const float p : probabilities) signs.push_back(2 * p - 1);
  plot.cells(signs, side, side, svg::blue, svg::orange, 0.5);
  plot.points(std::vector{0, 1}, std::vector{0, 1}, {.color = svg::blue, .width = 7});
  plot.points(std::vector{0, 1}, std::vector{1, 0}, {.color = svg::orange, .width = 7});
  return plot;
}

int main() {
  const std::vector<float> x{0, 0, 0, 1, 1, 0, 1, 1}, y{0, 1, 1, 0};
  tl::trainer net{model, tl::adam({.learning_rate = 0.05f}), tl::cpu{}, 1};
  const auto cost = [&](const auto& p) {
    float sum = 0;
    for (std::size_t i = 0; i < 4; ++i) sum -= std::log(y[i] == 1 ? p[i] : 1 - p[i]) / 4;
    return sum;
  };
  std::puts("step    loss of the straight line   with a hidden layer");
  for (int step = 0; step < 500; ++step) {
    const auto r = net.step("x"_t = x, "y"_t = y);
    if (step % 100 == 0)
      std::printf("%4d             %.4f                  %.4f\n", step, cost(r.get<"straight">()),
                  cost(r.get<"bent">()));
  }

  const auto found = net.predict("x"_t = x);
  const auto straight = found.get<"straight">(), bent = found.get<"bent">();
  int right_straight = 0, right_bent = 0;
  std::puts("  x      xor   straight   hidden");
  for (std::size_t i = 0; i < 4; ++i) {
    std::printf("%g, %g     %g      %.3f      %.3f\n", x[2 * i], x[2 * i + 1], y[i], straight[i], bent[i]);
    right_straight += (straight[i] > 0.5f) == (y[i] == 1);
    right_bent += (bent[i] > 0.5f) == (y[i] == 1);
  }
  std::printf("right: straight line %d of 4, hidden layer %d of 4\n", right_straight, right_bent);

  std::vector<float> grid;
  for (int row = 0; row < side; ++row)
    for (int column = 0; column < side; ++column)
      for (const int k : {column, row}) grid.push_back(-0.5f + 2 * (static_cast<float>(k) + 0.5f) / side);
  const auto seen = net.predict("x"_t = grid);
  svg::write("02_xor.svg", {picture("a straight line: one half everywhere", seen.get<"straight">()),
                            picture("a hidden layer", seen.get<"bent">())});
  return right_bent == 4 && right_straight < 4 ? 0 : 1;
}
