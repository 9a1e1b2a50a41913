// SPDX-License-Identifier: BSL-1.0
// 11  A physics-informed network: solve Burgers' equation without a grid.
//
// Problem   u_t + u u_x = nu u_xx for x in [-1, 1], with u(x, 0) = -sin(pi x) and u(-1, t) = u(1, t) = 0: a
//           wave that steepens into a front at x = 0.
// Idea      Let a network be the solution, and its loss be how much it violates the equation (Raissi,
//           Perdikaris and Karniadakis, 2019). There are no data at all.
// Formula   u(x, t) = -sin(pi x) + t (1 - x^2) net(x, t)        meets the conditions by itself
//           L = mean (u_t + u u_x - nu u_xx)^2                  at points inside
// Here      u_x, u_t and u_xx are expressions (grad, and grad of it), and training differentiates them again.
//           Adam first, which is robust far from the solution; then L-BFGS, which is fast near it, in double
//           precision.
// Check     Against finite differences on a fine grid.
// Try       nu = 0.01 / pi, the value of the paper, needs more points, layers and time; L-BFGS alone; Adam
//           alone.
#include <tapeless/tapeless.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <vector>

#include "common/svg.hpp"

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto points = tl::dyn<"points">;
constexpr double viscosity = 0.03;

constexpr auto model = [] {
  auto x = tl::input<"x", double, points, 1>;
  auto t = tl::input<"t", double, points, 1>;
  auto h = tl::tanh(tl::linear<"fc2", 24>(tl::tanh(tl::linear<"fc1", 24>(tl::concat<1>(x, t)))));
  auto net = tl::linear<"out", 1>(tl::tanh(tl::linear<"fc3", 24>(h)));
  auto u = t * (1_c - x * x) * net - tl::sin(tl::constant<std::numbers::pi> * x);
  auto [u_x, u_t] = tl::grad(tl::sum(u), x, t);  // each u depends on its own point alone
  auto u_xx = tl::grad(tl::sum(u_x), x);
  auto violation = u_t + u * u_x - tl::constant<viscosity> * u_xx;
  return tl::outputs(tl::mean(tl::square(violation)), tl::named<"u">(u));
};

// Central differences in conservative form, small steps: u(x_i, t) for the times 0, 1/10, .. 1.
std::vector<std::vector<double>> finite_differences(int cells) {
  const double dx = 2.0 / cells;
  const int steps = 10 * static_cast<int>(std::ceil(viscosity / (0.25 * dx * dx) / 10));
  const double dt = 1.0 / steps;
  const auto n = static_cast<std::size_t>(cells);
  std::vector<double> u(n + 1), next(n + 1);
  for (std::size_t i = 0; i <= n; ++i)
    u[i] = -std::sin(std::numbers::pi * (-1 + dx * static_cast<double>(i)));
  u[0] = u[n] = 0;
  std::vector<std::vector<double>> all{u};
  for (int step = 1; step <= steps; ++step) {
    for (std::size_t i = 1; i < n; ++i)
      next[i] = u[i] + dt * (viscosity * (u[i + 1] - 2 * u[i] + u[i - 1]) / (dx * dx) -
                             (u[i + 1] * u[i + 1] - u[i - 1] * u[i - 1]) / (4 * dx));
    std::swap(u, next);
    if (step % (steps / 10) == 0) all.push_back(u);
  }
  return all;
}

int main() {
  // Points that fill the square evenly: the additive sequence of Roberts (2018).
  constexpr std::size_t count = 1000;
  std::vector<double> x(count), t(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double k = static_cast<double>(i) + 0.5;
    x[i] = 2 * std::fmod(0.7548776662466927 * k, 1) - 1;
    t[i] = std::fmod(0.5698402909980532 * k, 1);
  }

  std::vector<double> steps, losses;
  tl::trainer first{model,
                    tl::adam({.learning_rate = tl::exponential_schedule({.start = 1e-2, .factor = 0.998})}),
                    tl::cpu{}, 1};
  tl::trainer second{model, tl::lbfgs({.history = 30}), tl::cpu{}, 1};
  const auto note = [&](double loss) {
    steps.push_back(static_cast<double>(steps.size()));
    losses.push_back(loss);
  };
  for (int step = 0; step < 800; ++step) note(first.step("x"_t = x, "t"_t = t).loss());
  const std::size_t change = losses.size();
  tl::copy_parameters(first, second);
  for (int step = 0; step < 1200; ++step) note(second.step("x"_t = x, "t"_t = t).loss());
  std::printf("loss: %.3g at first, %.3g after Adam, %.3g after L-BFGS\n", losses[0], losses[change],
              losses.back());

  constexpr int cells = 512;
  const auto right = finite_differences(cells), coarse = finite_differences(cells / 2);
  double worst = 0, squares = 0, size = 0, own = 0;
  std::vector<std::vector<double>> found;
  for (std::size_t k = 0; k <= 10; ++k) {
    std::vector<double> xs, ts;
    for (int i = 0; i <= cells; ++i)
      xs.push_back(-1 + 2.0 * i / cells), ts.push_back(static_cast<double>(k) / 10);
    const auto u = second.predict("x"_t = xs, "t"_t = ts).get<"u">();
    found.emplace_back(u.begin(), u.end());
    for (std::size_t i = 0; i <= cells; ++i) {
      const double difference = found[k][i] - right[k][i];
      worst = std::max(worst, std::abs(difference));
      squares += difference * difference;
      size += right[k][i] * right[k][i];
      if (i % 2 == 0) own = std::max(own, std::abs(coarse[k][i / 2] - right[k][i]) / 3);  // second order
    }
  }
  const double relative = std::sqrt(squares / size);
  std::printf("against finite differences (whose own error is %.1e): relative error %.1e, at most %.1e\n",
              own, relative, worst);

  svg::axes map(
      {.title = "u(x, t)", .x_label = "t", .y_label = "x", .x = {0, 1}, .y = {-1, 1}, .width = 250});
  std::vector<double> xs, ts;
  for (int row = 0; row < 60; ++row)
    for (int column = 0; column < 60; ++column)
      xs.push_back(-1 + (row + 0.5) / 30), ts.push_back((column + 0.5) / 60);
  map.cells(second.predict("x"_t = xs, "t"_t = ts).get<"u">(), 60, 60);
  svg::axes slices({.title = "lines: network, dots: differences",
                    .x_label = "x",
                    .x = {-1, 1},
                    .y = {-1.1, 1.1},
                    .width = 270});
  const char* const colors[] = {svg::grey, svg::blue, svg::green, svg::orange};
  const char* const labels[] = {"t = 0", "t = 0.3", "t = 0.6", "t = 1"};
  const std::size_t times[] = {0, 3, 6, 10};
  for (std::size_t k = 0; k < 4; ++k) {
    std::vector<double> at, some;
    for (std::size_t i = 0; i <= cells; i += 4)
      at.push_back(-1 + 2.0 * static_cast<double>(i) / cells), some.push_back(found[times[k]][i]);
    slices.line(at, some, {.color = colors[k], .label = labels[k]});
    std::vector<double> dots_at, dots;
    for (std::size_t i = 0; i <= cells; i += 16)
      dots_at.push_back(-1 + 2.0 * static_cast<double>(i) / cells), dots.push_back(right[times[k]][i]);
    slices.points(dots_at, dots, {.color = colors[k], .width = 2, .opacity = 0.6});
  }
  svg::axes descent({.title = "loss",
                     .x_label = "step",
                     .x = {0, static_cast<double>(losses.size())},
                     .y = {1e-7, 10},
                     .log_y = true,
                     .width = 250});
  const auto half = static_cast<std::ptrdiff_t>(change);
  descent.line(std::vector(steps.begin(), steps.begin() + half), losses,
               {.color = svg::blue, .label = "Adam"});
  descent.line(std::vector(steps.begin() + half, steps.end()),
               std::vector(losses.begin() + half, losses.end()), {.color = svg::orange, .label = "L-BFGS"});
  svg::write("11_pinn_burgers.svg", {map, slices, descent});
  return relative < 5e-3 ? 0 : 1;
}
