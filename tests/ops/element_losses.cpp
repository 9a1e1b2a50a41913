// SPDX-License-Identifier: BSL-1.0
// Losses of two operands, element by element: values, gradients at kinks and ends, options, numbers as
// targets.
#include "catch.hpp"
#include "policies.hpp"
#include "program.hpp"

#include <tapeless/ops/loss/hinge_loss.hpp>
#include <tapeless/ops/loss/log_cosh_loss.hpp>
#include <tapeless/ops/loss/poisson_nll_loss.hpp>
#include <tapeless/ops/loss/quantile_loss.hpp>

#include <cmath>
#include <limits>
#include <numbers>

namespace {

using tl::loss, tl::reduction;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr auto n = tl::dyn<"n">;
constexpr loss each{.reduce = reduction::none};
constexpr loss total{.reduce = reduction::sum};
constexpr loss batch{.reduce = reduction::batch_mean};
constexpr loss smooth_to_half{.reduce = reduction::none, .beta = 0.5};
constexpr loss bent_at_half{.reduce = reduction::none, .delta = 0.5};
constexpr loss high{.reduce = reduction::none, .quantile = 0.75};
constexpr loss at_once{.reduce = reduction::none, .beta = 0};
constexpr loss logarithms{.reduce = reduction::none, .log_target = true};
constexpr loss squared{.reduce = reduction::none, .margin = 2, .power = 2};
constexpr loss full{.reduce = reduction::none, .full = true};
constexpr loss rates{.reduce = reduction::none, .log_input = false};

/// A loss and its gradients by both operands.
template <class F, class T = double>
struct model {
  constexpr auto operator()() const {
    auto x = tl::input<"x", T, n>;
    auto t = tl::input<"t", T, n>;
    auto l = F{}(x, t);
    return tl::outputs(tl::named<"l">(l), tl::named<"dx">(tl::grad(tl::sum(l), x)),
                       tl::named<"dt">(tl::grad(tl::sum(l), t)));
  }
};

struct result {
  std::vector<double> l, dx, dt;
};

template <class T = double, class F>
result evaluate(F, const std::vector<T>& x, const std::vector<T>& t) {
  tl::function f{model<F, T>{}};
  auto r = f("x"_t = x, "t"_t = t);
  return {test::elements(r.template get<"l">()), test::elements(r.template get<"dx">()),
          test::elements(r.template get<"dt">())};
}

void check(const std::vector<double>& found, const std::vector<double>& expected, double margin = 1e-13) {
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    INFO("element " << i << ": " << found[i] << ", expected " << expected[i]);
    CHECK((found[i] == expected[i] || std::abs(found[i] - expected[i]) < margin));
  }
}

}  // namespace

TEST_CASE("reductions of losses") {
  tl::function f{[] {
    auto x = tl::input<"x", float, n, 2>;
    auto t = tl::input<"t", float, n, 2>;
    return tl::outputs(tl::named<"mean">(tl::mse_loss(x, t)), tl::named<"sum">(tl::mse_loss<total>(x, t)),
                       tl::named<"none">(tl::mse_loss<each>(x, t)),
                       tl::named<"batch">(tl::mse_loss<batch>(x, t)),
                       tl::named<"zero">(tl::mse_loss(x, 0_c)));
  }};
  auto r = f("x"_t = std::vector<float>{1, 2, 3, 4}, "t"_t = std::vector<float>{0, 2, 5, 1});
  check(test::elements(r.get<"none">()), {1, 0, 4, 9});
  check({r.get<"mean">()[0], r.get<"sum">()[0], r.get<"batch">()[0], r.get<"zero">()[0]}, {3.5, 14, 7, 7.5});
  auto none = f("x"_t = std::vector<float>{}, "t"_t = std::vector<float>{});
  CHECK(none.get<"sum">()[0] == 0);
  CHECK(std::isnan(none.get<"mean">()[0]));
}

TEST_CASE("l1, smooth l1 and Huber's loss: values and gradients on both sides of the bend, and at it") {
  const std::vector<double> x{1, 0.5, 0.25, 0, -0.25, -0.5, -3}, zero(7);
  const result l1 = evaluate([](auto a, auto b) { return tl::l1_loss<each>(a, b); }, x, zero);
  check(l1.l, {1, 0.5, 0.25, 0, 0.25, 0.5, 3});
  check(l1.dx, {1, 1, 1, 0, -1, -1, -1});
  check(l1.dt, {-1, -1, -1, 0, 1, 1, 1});
  const result smooth =
      evaluate([](auto a, auto b) { return tl::smooth_l1_loss<smooth_to_half>(a, b); }, x, zero);
  check(smooth.l, {0.75, 0.25, 0.0625, 0, 0.0625, 0.25, 2.75});
  check(smooth.dx, {1, 1, 0.5, 0, -0.5, -1, -1});
  check(evaluate([](auto a, auto b) { return tl::smooth_l1_loss<at_once>(a, b); }, x, zero).l, l1.l);
  const result huber = evaluate([](auto a, auto b) { return tl::huber_loss<bent_at_half>(a, b); }, x, zero);
  check(huber.l, {0.375, 0.125, 0.03125, 0, 0.03125, 0.125, 1.375});
  check(huber.dx, {0.5, 0.5, 0.25, 0, -0.25, -0.5, -0.5});
  check(evaluate([](auto a, auto b) { return tl::huber_loss<each>(a, b); }, {1e200, -1e200}, {0, 0}).dx,
        {1, -1});
}

namespace {

/// The second derivatives by x, of sums with their own factors.
constexpr auto curvatures = [] {
  auto x = tl::input<"x", double, n>;
  auto t = tl::input<"t", double, n>;
  auto huber = tl::grad(tl::sum(tl::huber_loss<bent_at_half>(x, t)), x);
  auto smooth = tl::grad(tl::sum(tl::smooth_l1_loss<smooth_to_half>(x, t)), x);
  return tl::outputs(tl::named<"huber">(huber), tl::named<"huber twice">(tl::grad(tl::sum(huber), x)),
                     tl::named<"smooth">(smooth), tl::named<"smooth twice">(tl::grad(tl::sum(smooth), x)));
};

}  // namespace

TEST_CASE("Huber's and smooth l1 loss are parabolas near the target, and lines up to infinity") {
  test::on_each_policy([]<class Policy>() {
    tl::function<std::remove_const_t<decltype(curvatures)>, Policy> f{curvatures};
    auto r = f("x"_t = std::vector<double>{1, 1.25, 0.75, 3, infinity, -infinity},
               "t"_t = std::vector<double>{1, 1, 1, 1, 1, 1});
    check(test::elements(r.template get<"huber">()), {0, 0.25, -0.25, 0.5, 0.5, -0.5});
    check(test::elements(r.template get<"huber twice">()), {1, 1, 1, 0, 0, 0});
    check(test::elements(r.template get<"smooth">()), {0, 0.5, -0.5, 1, 1, -1});
    check(test::elements(r.template get<"smooth twice">()), {2, 2, 2, 0, 0, 0});
  });
}

TEST_CASE("bce_loss: no logarithm is below -100, and no gradient is NaN") {
  const auto bce = [](auto p, auto t) { return tl::bce_loss<each>(p, t); };
  const result r = evaluate(bce, {0.25, 0.25, 0, 0, 1, 1}, {1, 0.5, 0, 1, 0, 1});
  check(r.l, {-std::log(0.25), -0.5 * std::log(0.25) - 0.5 * std::log(0.75), 0, 100, 100, 0});
  check({r.dx[0], r.dx[1]}, {-4, -0.5 / 0.25 + 0.5 / 0.75});
  check({r.dx[2], r.dx[3], r.dx[4], r.dx[5]}, {1, 0, 0, -1});
  for (double g : r.dt) CHECK(std::isfinite(g));
  const result single = evaluate<float>(bce, {0, 1e-40f, 1}, {1, 1, 0});
  check(single.l, {100, -std::log(double(1e-40f)), 100}, 1e-4);
  CHECK(std::isfinite(single.dx[0]));
  tl::function f{[] { return tl::bce_loss(tl::input<"p", float, n>, 1_c); }};
  CHECK(f("p"_t = std::vector<float>{0.5f, 0.25f}).loss() == test::Approx(-std::log(0.125) / 2));
}

TEST_CASE("bce_with_logits_loss keeps the digits of small losses, and does not overflow") {
  const auto bce = [](auto x, auto t) { return tl::bce_with_logits_loss<each>(x, t); };
  const result r = evaluate(bce, {0, 0.5, 50, -50, 1e4, -1e4, 1e4}, {0.3, 1, 1, 0, 0, 1, 1});
  check(r.l, {std::log(2.0), std::log1p(std::exp(-0.5)), std::exp(-50), std::exp(-50), 1e4, 1e4, 0});
  CHECK(r.l[2] == test::Approx(std::exp(-50)).epsilon(1e-12));
  CHECK(r.l[3] == test::Approx(std::exp(-50)).epsilon(1e-12));
  check(r.dx, {0.2, -1 / (1 + std::exp(0.5)), -std::exp(-50), std::exp(-50), 1, -1, 0});
  CHECK(r.dx[3] == test::Approx(std::exp(-50)).epsilon(1e-12));
  tl::function f{[] {
    auto x = tl::input<"x", double, n, 2>;
    return tl::outputs(tl::named<"l">(
        tl::bce_with_logits_loss<each>(x, tl::input<"t", double, n, 2>, tl::input<"w", double, 2>)));
  }};
  auto s = f("x"_t = std::vector<double>{0.5, -1, 2, 0}, "t"_t = std::vector<double>{1, 0, 0.5, 1},
             "w"_t = std::vector<double>{3, 0.5});
  const auto softplus = [](double x) { return std::log1p(std::exp(x)); };
  check(test::elements(s.get<"l">()),
        {3 * softplus(-0.5), softplus(-1), 1.5 * softplus(-2) + 0.5 * softplus(2), 0.5 * softplus(0)});
}

TEST_CASE("kl_div is 0 where nothing is expected") {
  const auto kl = [](auto q, auto p) { return tl::kl_div<each>(q, p); };
  const result r = evaluate(kl, {-1, -2, -infinity, 0.5}, {0.5, 1, 0, 0});
  check(r.l, {0.5 * (std::log(0.5) + 1), 2, 0, 0});
  check(r.dx, {-0.5, -1, 0, 0});
  check(r.dt, {std::log(0.5) + 2, 3, 0, 0});
  const auto log_kl = [](auto q, auto p) { return tl::kl_div<logarithms>(q, p); };
  const result s = evaluate(log_kl, {-1, -2, -infinity, 0.5}, {std::log(0.5), 0, -infinity, -infinity});
  check(s.l, r.l);
  check(s.dx, r.dx);
  check(s.dt, {0.5 * (std::log(0.5) + 1) + 0.5, 3, 0, 0});
}

TEST_CASE("hinge_loss and its square") {
  const std::vector<double> x{2, 0.25, -1, 0.5}, y{1, 1, 1, -1};
  const result r = evaluate([](auto a, auto b) { return tl::hinge_loss<each>(a, b); }, x, y);
  check(r.l, {0, 0.75, 2, 1.5});
  check(r.dx, {0, -1, -1, 1});
  const result s = evaluate([](auto a, auto b) { return tl::hinge_loss<squared>(a, b); }, x, y);
  check(s.l, {0, 1.75 * 1.75, 9, 2.5 * 2.5});
  check(s.dx, {0, -3.5, -6, 5});
}

TEST_CASE("poisson_nll_loss of rates and of their logarithms, with and without Stirling's term") {
  const std::vector<double> x{0.5, 1, 0}, t{0, 3, 1};
  const result r = evaluate([](auto a, auto b) { return tl::poisson_nll_loss<full>(a, b); }, x, t);
  const double stirling = 3 * std::log(3.0) - 3 + 0.5 * std::log(6 * std::numbers::pi);
  check(r.l, {std::exp(0.5), std::exp(1.0) - 3 + stirling, 1});
  for (double g : r.dt) CHECK(std::isfinite(g));
  const result s = evaluate([](auto a, auto b) { return tl::poisson_nll_loss<rates>(a, b); }, x, t);
  check(s.l, {0.5, 1 - 3 * std::log(1 + 1e-8), -std::log(1e-8)});
}

TEST_CASE("quantile_loss weighs what is too low by the quantile, what is too high by the rest") {
  const auto r =
      evaluate([](auto x, auto t) { return tl::quantile_loss<high>(x, t); }, {1, 2, 5, 0}, {1, 1.5, 2, 4});
  check(r.l, {0, 0.125, 0.75, 3});
  check({r.dx[1], r.dx[2], r.dx[3]}, {0.25, 0.25, -0.75});
  check({r.dt[1], r.dt[2], r.dt[3]}, {-0.25, -0.25, 0.75});
  const auto half = evaluate([](auto x, auto t) { return tl::quantile_loss(x, t); }, {1, 2, 5}, {1, 1.5, 2});
  check(half.l, {3.5 / 6});
}

TEST_CASE("log_cosh_loss is exact near 0 and finite far from it") {
  const auto each_one = [](auto x, auto t) { return tl::log_cosh_loss<each>(x, t); };
  const auto r = evaluate(each_one, {1e-9, -1e-4, 0.5, -3, 1000, 0}, {0, 0, 1, 0, 0, 0});
  check(r.l, {5e-19, 4.99999999166666667e-9, 0.120114506957521, 2.309328504577785, 999.3068528194401, 0},
        1e-12);
  CHECK(r.l[0] == test::Approx(5e-19).epsilon(1e-9));
  CHECK(r.dx[0] == test::Approx(1e-9).epsilon(1e-12));
  check(r.dx, {1e-9, -std::tanh(1e-4), -std::tanh(0.5), -std::tanh(3.0), 1, 0});
  tl::function curvature{[] {
    auto x = tl::input<"x", double>;
    return tl::outputs(tl::named<"c">(tl::grad(tl::grad(tl::log_cosh_loss(x, 0_c), x), x)));
  }};
  CHECK(curvature("x"_t = 0.0).get<"c">()[0] == 1);
  CHECK(curvature("x"_t = 2.0).get<"c">()[0] == test::Approx(1 - std::tanh(2.0) * std::tanh(2.0)));
}
