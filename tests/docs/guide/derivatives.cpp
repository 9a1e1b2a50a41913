// SPDX-License-Identifier: BSL-1.0
// The guide of derivatives: of the solution of an equation, of single samples, of a roll-out, and products
// with the Hessian.
#include <tapeless/tapeless.hpp>

#include <cmath>
#include <cstdio>
#include <tuple>
#include <vector>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto batch = tl::dyn<"batch">;

// u'' = -u with u(0) = 0 and u'(0) = 1: the sine.
constexpr auto oscillation = [] {
  auto t = tl::input<"t", float, batch, 1>;
  auto u = t + t * t * tl::linear<"out", 1>(tl::tanh(tl::linear<"in", 16>(t)));
  auto velocity = tl::grad(tl::sum(u), t);
  auto acceleration = tl::grad(tl::sum(velocity), t);
  return tl::outputs(tl::mean(tl::square(acceleration + u)), tl::named<"u">(u));
};

// Each sample's gradient is clipped by itself before they are added up.
constexpr auto clipped_gradients = [] {
  auto x = tl::input<"x", float, batch, 3>;
  auto y = tl::input<"y", float, batch>;
  auto w = tl::input<"w", float, 3>;
  auto [sum, same] = tl::scan(
      [](auto sum, auto w, auto x, auto y) {
        auto loss = tl::square(tl::dot(w, x) - y);
        auto gradient = tl::grad(loss, w);
        auto norm = tl::sqrt(tl::sum(tl::square(gradient)));
        return std::tuple{sum + gradient * tl::min(1_c, 1_c / norm), w};
      },
      std::tuple{0_c * w, w}, x, y);
  return tl::named<"gradient">(sum);
};

// How the end of a pendulum's swing depends on each of the pushes that it gets.
constexpr auto sensitivities = [] {
  auto pushes = tl::input<"pushes", double, 10>;
  auto [angle, speed] = tl::scan(
      [](auto angle, auto speed, auto push) {
        auto next = speed - 0.1_c * tl::sin(angle) + push;
        return std::tuple{angle + 0.1_c * next, next};
      },
      std::tuple{tl::input<"angle", double>, tl::input<"speed", double>}, pushes);
  return tl::outputs(tl::named<"by_push">(tl::jacobian(tl::stack<0>(angle, speed), pushes)),
                     tl::named<"curvature">(tl::hessian(tl::square(angle), pushes)));
};

// H v without H, for conjugate gradients: Rosenbrock's function at w.
constexpr auto hessian_times = [] {
  auto w = tl::input<"w", double, 2>;
  auto v = tl::input<"v", double, 2>;
  auto loss = tl::square(1_c - tl::at<0>(w)) + 100_c * tl::square(tl::at<1>(w) - tl::square(tl::at<0>(w)));
  return tl::named<"Hv">(tl::jvp(tl::grad(loss, w), w, v));
};

int main() {
  tl::trainer net{oscillation, tl::adam({.learning_rate = 1e-2f})};
  std::vector<float> t(32);
  for (std::size_t i = 0; i < t.size(); ++i) t[i] = 0.1f * static_cast<float>(i);
  for (int step = 0; step < 400; ++step) net.step("t"_t = t);
  const double u = net.predict("t"_t = {1.5f}).get<"u">()[0];
  std::printf("u(1.5) = %.1f, the sine %.1f\n", u, std::sin(1.5));

  tl::trainer exact{oscillation, tl::lbfgs({.history = 20})};
  tl::copy_parameters(net, exact);
  const float first = exact.step("t"_t = t).loss();  // as Adam left it
  for (int step = 0; step < 100; ++step) exact.step("t"_t = t);

  const bool closer = exact.evaluate("t"_t = t).loss() < 0.1f * first;

  tl::function clipped{clipped_gradients};
  const std::vector<float> x{1, 0, 0, 0, 10, 0}, y{-0.1f, -5}, w{0, 0, 0};
  const auto sum = clipped("x"_t = x, "y"_t = y, "w"_t = w).get<"gradient">().copy();
  std::printf("%.1f %.1f %.1f\n", sum[0], sum[1], sum[2]);

  tl::function swing{sensitivities};
  const auto s = swing("pushes"_t = std::vector<double>(10, 0.05), "angle"_t = 0.5, "speed"_t = 0.0);
  std::printf("the first push moves the angle by %.2f, the last by %.2f\n", s.get<"by_push">()[0],
              s.get<"by_push">()[9]);

  tl::function product{hessian_times};
  const auto hv = product("w"_t = {1.0, 1.0}, "v"_t = {1.0, 0.0}).get<"Hv">().copy();
  std::printf("%.0f %.0f\n", hv[0], hv[1]);
  return closer && std::abs(u - std::sin(1.5)) < 0.05 && std::abs(sum[0] - 0.2f) < 1e-5 &&
                 std::abs(sum[1] - 1) < 1e-5 && s.get<"by_push">()[0] > s.get<"by_push">()[9] &&
                 hv[0] == 802 && hv[1] == -400
             ? 0
             : 1;
}
