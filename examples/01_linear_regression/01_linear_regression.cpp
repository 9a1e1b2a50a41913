// SPDX-License-Identifier: BSL-1.0
// 01  Linear regression: a line through points.
//
// Problem   40 noisy points (x, y). Which line y = w x + b comes closest to them?
// Idea      Write the mean squared error as an expression of w and b, and walk downhill.
// Formula   L(w, b) = mean (w x + b - y)^2,   w -= rate dL/dw,   b -= rate dL/db
// Here      The loss is a bowl with one lowest point, which the normal equations give in closed form: so we
//           can see that the walk ends where it should.
// Try       other learning rates: 0.1 creeps along the valley, 0.5 is thrown out of it (2 / the largest
//           second derivative is the limit); momentum, .momentum = 0.5f; tl::lbfgs({}) in place of sgd.
#include <tapeless/tapeless.hpp>

#include <cmath>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include "common/svg.hpp"

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto points = tl::dyn<"points">;

constexpr auto model = [] {
  auto x = tl::input<"x", float, points>;
  auto y = tl::input<"y", float, points>;
  auto w = tl::param<"w", float>;  // a scalar that starts at zero
  auto b = tl::param<"b", float>;
  return tl::mean(tl::square(w * x + b - y));
};

struct line {
  double w, b;
};

// The moments of the points are all that the loss depends on.
struct moments {
  double x = 0, y = 0, xx = 0, xy = 0, yy = 0;
  line best() const {
    const double w = (xy - x * y) / (xx - x * x);
    return {w, y - w * x};
  }
  double loss(line l) const {
    return l.w * l.w * xx + l.b * l.b + yy + 2 * l.w * l.b * x - 2 * l.w * xy - 2 * l.b * y;
  }
};

svg::axes picture_of_points(const std::vector<float>& x, const std::vector<float>& y,
                            const std::vector<line>& path) {
  svg::axes plot(
      {.title = "the line turns into place", .x_label = "x", .y_label = "y", .x = {0, 2}, .y = {-1.5, 3.2}});
  for (const int step : {0, 1, 3}) {
    const line l = path[static_cast<std::size_t>(step)];
    plot.line(std::vector{0.0, 2.0}, std::vector{l.b, 2 * l.w + l.b},
              {.color = svg::orange, .width = 1.2, .opacity = 0.5});
    plot.text(0.25, 0.25 * l.w + l.b + 0.2, "step " + std::to_string(step));
  }
  const line l = path.back();
  plot.points(x, y, {.color = svg::blue, .width = 2.5, .opacity = 0.8});
  plot.line(std::vector{0.0, 2.0}, std::vector{l.b, 2 * l.w + l.b}, {.color = svg::orange, .width = 2.5});
  return plot;
}

// Lines of equal loss around the best line are ellipses: L - L_min = [dw db] H [dw db]^T with H = [xx x; x
// 1].
svg::axes picture_of_loss(const moments& m, const std::vector<line>& path) {
  svg::axes plot(
      {.title = "the walk on the loss", .x_label = "w", .y_label = "b", .x = {-0.3, 2.9}, .y = {-2, 1.2}});
  const line best = m.best();
  for (const double above : {0.01, 0.05, 0.15, 0.4, 0.8, 1.6, 3.2}) {
    std::vector<double> w, b;
    for (int k = 0; k <= 90; ++k) {  // H = R^T R with the triangle R, so [dw db] = R^-1 (a circle)
      const double angle = k * 2 * M_PI / 90, r = std::sqrt(above), root = std::sqrt(m.xx);
      const double db = r * std::sin(angle) / std::sqrt(1 - m.x * m.x / m.xx);
      w.push_back(best.w + (r * std::cos(angle) - m.x / root * db) / root);
      b.push_back(best.b + db);
    }
    plot.line(w, b, {.color = svg::grey, .width = 1, .opacity = 0.6});
  }
  std::vector<double> w, b;
  for (const line& l : path) w.push_back(l.w), b.push_back(l.b);
  plot.line(w, b, {.color = svg::orange});
  plot.points(w, b, {.color = svg::orange, .width = 2.5});
  plot.points(std::vector{best.w}, std::vector{best.b},
              {.color = svg::blue, .width = 4, .label = "normal equations"});
  return plot;
}

int main() {
  std::mt19937 random{1};
  std::normal_distribution<float> noise{0, 0.25f};
  std::vector<float> x(40), y(40);
  moments m;
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = 2 * static_cast<float>(i) / 39;
    y[i] = 1.5f * x[i] - 0.5f + noise(random);
    m.x += x[i] / 40, m.y += y[i] / 40;
    m.xx += x[i] * x[i] / 40, m.xy += x[i] * y[i] / 40, m.yy += y[i] * y[i] / 40;
  }

  tl::trainer net{model, tl::sgd({.learning_rate = 0.4f})};
  auto w = net.parameter<"w">();
  auto b = net.parameter<"b">();
  std::vector<line> path{{w[0], b[0]}};
  std::puts("step       w        b     loss");
  for (int step = 0; step < 200; ++step) {
    const float loss = net.step("x"_t = x, "y"_t = y).loss();  // of the parameters before the step
    if (step < 4 || step == 10 || step == 30 || step == 100)
      std::printf("%4d  %7.4f  %7.4f  %7.4f\n", step, path.back().w, path.back().b, loss);
    path.push_back({w[0], b[0]});
  }

  const line found = path.back(), best = m.best();
  std::printf("gradient descent:  y = %.4f x %+.4f, loss %.5f\n", found.w, found.b, m.loss(found));
  std::printf("normal equations:  y = %.4f x %+.4f, loss %.5f\n", best.w, best.b, m.loss(best));
  svg::write("01_linear_regression.svg", {picture_of_points(x, y, path), picture_of_loss(m, path)});
  return std::abs(found.w - best.w) < 1e-4 && std::abs(found.b - best.b) < 1e-4 ? 0 : 1;
}
