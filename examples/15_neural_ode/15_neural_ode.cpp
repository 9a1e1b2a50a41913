// SPDX-License-Identifier: BSL-1.0
// 15  A neural ordinary differential equation: learn the law of a motion from where it leads.
//
// Problem   Seen are places z(0) and where each is a quarter of a second later. What is the field f with
// dz/dt =
//           f(z)?
// Idea      Let a network be the field, solve the equation, and compare where it leads. The derivative of the
//           solution is the solution of another equation, which runs backwards (Pontryagin, 1962; Chen et
//           al., 2018):
// Formula   a = dL/dz      da/dt = -a df/dz      dL/dtheta = the integral of a df/dtheta
// Here      The solver is an operation with a derivative of its own (custom_op). Its backward pass solves for
//           z again, from the end to the start, with a and dL/dtheta beside it: nothing is kept from the way
//           there, so that memory hardly grows with the number of steps. Both passes are the Runge-Kutta
//           method of order 4.
// Check     The derivative is compared with finite differences. The learned field then runs for 20 seconds.
// Try       another field; fewer steps (the adjoint is as exact as the solver); a field with a memory (more
//           dimensions).
#include <tapeless/tapeless.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <random>
#include <tuple>
#include <vector>

#include "common/svg.hpp"

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto batch = tl::dyn<"batch">;
constexpr int hidden = 32, steps = 2;
constexpr double horizon = 0.25;

// f(z) = tanh(z A^T + b^T) C, where theta = [A b C] has the columns 0 and 1, 2, 3 and 4: z [batch, 2] ->
// [batch, 2].
struct field {
  tl::value z, a, c, h;
  constexpr field(tl::value at, tl::value theta)
      : z(at),
        a(tl::slice<1, 0, 2>(theta)),
        c(tl::slice<1, 3, 5>(theta)),
        h(tl::tanh(tl::matmul(z, tl::transpose(a)) + tl::transpose(tl::slice<1, 2, 3>(theta)))) {}
  constexpr tl::value dz() const { return tl::matmul(h, c); }

  struct change {  // of z, of the adjoint and of the gradient, by time
    tl::value z, adjoint, gradient;
  };
  constexpr change backwards(tl::value adjoint) const {
    const tl::value at_h = tl::matmul(adjoint, tl::transpose(c)) * (1.0 - h * h);
    const tl::value parts[] = {tl::matmul(tl::transpose(at_h), z),
                               tl::transpose(tl::sum<0>(at_h, tl::keep_dims)),
                               tl::matmul(tl::transpose(h), adjoint)};
    return {dz(), -tl::matmul(at_h, a), tl::concat(parts, 3, 1)};
  }
};

template <int Steps>
struct solver : tl::custom_op {
  static constexpr double dt = horizon / Steps;

  static constexpr tl::value forward(tl::value z, tl::value theta) {
    for (int i = 0; i < Steps; ++i) {
      const tl::value k1 = field(z, theta).dz(), k2 = field(z + dt / 2 * k1, theta).dz(),
                      k3 = field(z + dt / 2 * k2, theta).dz(), k4 = field(z + dt * k3, theta).dz();
      z = z + dt / 6 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
    }
    return z;
  }

  // From the end z and its cotangent to those of the start and of theta.
  static constexpr auto backward(tl::value adjoint, tl::value, tl::value theta, tl::value z) {
    tl::value gradient;
    for (int i = 0; i < Steps; ++i) {
      const auto at = [&](double t, const field::change& k) {
        return field(z - t * k.z, theta).backwards(adjoint - t * k.adjoint);
      };
      const auto k1 = field(z, theta).backwards(adjoint), k2 = at(dt / 2, k1), k3 = at(dt / 2, k2),
                 k4 = at(dt, k3);
      z = z - dt / 6 * (k1.z + 2.0 * k2.z + 2.0 * k3.z + k4.z);
      adjoint = adjoint - dt / 6 * (k1.adjoint + 2.0 * k2.adjoint + 2.0 * k3.adjoint + k4.adjoint);
      const tl::value more = dt / 6 * (k1.gradient + 2.0 * k2.gradient + 2.0 * k3.gradient + k4.gradient);
      gradient = gradient.exists() ? gradient + more : more;
    }
    return std::tuple(adjoint, gradient);
  }
};

template <int Steps>
struct model_of {
  constexpr auto operator()() const {
    auto start = tl::input<"start", double, batch, 2>;
    auto end = tl::input<"end", double, batch, 2>;
    auto theta = tl::param<"theta", double, hidden, 5>(tl::normal(0.7));
    auto loss = tl::mse_loss(tl::apply<solver<Steps>>(start, theta), end);
    return tl::outputs(loss, tl::named<"gradient">(tl::grad(loss, theta)));
  }
};
constexpr model_of<steps> model;

constexpr auto flow = [] {  // without the gradient, on the same weights
  auto start = tl::input<"start", double, batch, 2>;
  return tl::named<"end">(tl::apply<solver<steps>>(start, tl::param<"theta", double, hidden, 5>));
};

using place = std::array<double, 2>;
place van_der_pol(place z, double time) {  // x'' = (1 - x^2) x' - x, which ends in a cycle, by small steps
  const auto f = [](place p) { return place{p[1], (1 - p[0] * p[0]) * p[1] - p[0]}; };
  const int count = static_cast<int>(std::lround(time / 0.01));
  for (int i = 0; i < count; ++i) {
    const place k1 = f(z), k2 = f({z[0] + 0.005 * k1[0], z[1] + 0.005 * k1[1]});
    z = {z[0] + 0.01 * k2[0], z[1] + 0.01 * k2[1]};
  }
  return z;
}

int main() {
  tl::trainer net{model, tl::lbfgs({.history = 30}), tl::cpu{}, 1};  // there is no noise in these data
  std::mt19937 random{1};
  std::uniform_real_distribution<double> uniform{-3, 3};
  std::vector<double> start, end;
  for (int i = 0; i < 512; ++i) {
    const place from{uniform(random), uniform(random)}, to = van_der_pol(from, horizon);
    start.insert(start.end(), from.begin(), from.end());
    end.insert(end.end(), to.begin(), to.end());
  }

  // The derivative of the loss by some of the parameters, against central differences.
  const tl::function follow{flow, tl::weights(net)};
  const auto loss_of_flow = [&] {
    const auto found = follow("start"_t = start).get<"end">();
    double sum = 0;
    for (std::size_t i = 0; i < end.size(); ++i) sum += (found[i] - end[i]) * (found[i] - end[i]);
    return sum / static_cast<double>(end.size());
  };
  const auto theta = net.parameter<"theta">();
  const auto before = theta.copy();
  const auto gradient = net.step("start"_t = start, "end"_t = end).get<"gradient">().copy();
  double difference = 0, largest = 0;
  std::copy(before.begin(), before.end(), theta.begin());
  for (std::size_t i = 0; i < gradient.size(); i += 7) {
    theta[i] = before[i] + 1e-5;
    const double above = loss_of_flow();
    theta[i] = before[i] - 1e-5;
    const double below = loss_of_flow();
    theta[i] = before[i];
    difference = std::max(difference, std::abs((above - below) / 2e-5 - gradient[i]));
    largest = std::max(largest, std::abs(gradient[i]));
  }
  std::printf("the adjoint's gradient and finite differences differ by %.1e of the largest\n",
              difference / largest);

  // Kept on the way there, one value of each stage would be 64 KiB for each step of the solver.
  const auto few = net.plan("batch"_t = 64);
  const auto many = tl::trainer{model_of<2 * steps>{}, tl::lbfgs({})}.plan("batch"_t = 64);
  std::printf("activations of 64 places: %lld bytes for %d steps of the solver, %lld bytes for %d\n",
              static_cast<long long>(few.activations), steps, static_cast<long long>(many.activations),
              2 * steps);

  std::puts("step   loss");
  for (int step = 0; step < 1000; ++step) {
    const double loss = net.step("start"_t = start, "end"_t = end).loss();
    if (step % 100 == 99) std::printf("%4d   %.2e\n", step + 1, loss);
  }

  // 20 seconds from places of which most lie outside the cycle, all at once.
  const std::vector<double> begin{2.5, 2.5, 0.1, 0.1, -2.5, 1, -1, -2.8};
  std::vector<double> now = begin;
  std::array<std::vector<double>, 4> x, y, x_true, y_true;
  std::vector<double> time;
  double worst = 0;
  for (int k = 0; k <= 80; ++k) {
    if (k > 0) {
      const auto next = follow("start"_t = now).get<"end">();
      now.assign(next.begin(), next.end());
    }
    time.push_back(k * horizon);
    for (std::size_t i = 0; i < 4; ++i) {
      const place right = van_der_pol({begin[2 * i], begin[2 * i + 1]}, k * horizon);
      x[i].push_back(now[2 * i]), y[i].push_back(now[2 * i + 1]);
      x_true[i].push_back(right[0]), y_true[i].push_back(right[1]);
      worst = std::max(worst, std::hypot(now[2 * i] - right[0], now[2 * i + 1] - right[1]));
    }
  }
  std::printf("after 20 seconds of its own the largest distance from the truth was %.3f\n", worst);

  svg::axes plane({.title = "paths in the plane",
                   .x_label = "x",
                   .y_label = "dx/dt",
                   .x = {-3.2, 3.2},
                   .y = {-3.8, 3.8},
                   .width = 260});
  svg::axes plot(
      {.title = "x over time", .x_label = "seconds", .x = {0, 20}, .y = {-3.2, 3.9}, .width = 400});
  for (std::size_t i = 0; i < 4; ++i) {
    std::vector<double> px, py, pt;
    for (double t = 0; t <= 20; t += 0.05) {
      const place p = van_der_pol({begin[2 * i], begin[2 * i + 1]}, t);
      px.push_back(p[0]), py.push_back(p[1]), pt.push_back(t);
    }
    plane.line(px, py, {.color = svg::blue, .width = 1.2, .opacity = 0.6});
    plane.points(x[i], y[i], {.color = svg::orange, .width = 1.8});
    if (i > 1) continue;
    plot.line(pt, px,
              {.color = svg::blue, .width = 1.2, .opacity = 0.7, .label = i == 0 ? "truth" : nullptr});
    plot.points(time, x[i],
                {.color = svg::orange,
                 .width = 2.5,
                 .label = i == 0 ? "learned, each quarter of a second" : nullptr});
  }
  svg::write("15_neural_ode.svg", {plane, plot});
  return difference < 3e-3 * largest && many.activations < 1.5 * static_cast<double>(few.activations) &&
                 worst < 0.5
             ? 0
             : 1;
}
