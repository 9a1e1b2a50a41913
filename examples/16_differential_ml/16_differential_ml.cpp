// SPDX-License-Identifier: BSL-1.0
// 16  Differential machine learning: learn a function from values and derivatives (Huge and Savine, 2020).
//
// Problem   The price of an option is the mean payoff over all futures. A path simulated from each state of
//           the market costs little, but its payoff is mostly noise. Which price does each state have?
// Idea      A path also tells how its payoff changes with the state it began in (by the chain rule, along the
//           path). A network whose own derivative has to fit these numbers needs far fewer paths.
// Formula   L = mean (f(x) - payoff)^2 + lambda mean |grad f(x) - d payoff / dx|^2
// Here      A call on a basket of seven stocks in Bachelier's model, whose price is known: with the basket's
//           value b, strike K and deviation s, (b - K) Phi(d) + s phi(d) with d = (b - K) / s. grad(sum(f),
//           x) is an expression like others; training differentiates it again.
// Try       more paths; relu in place of softplus, which has no second derivative to learn by; another
//           lambda.
#include <tapeless/tapeless.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <random>
#include <span>
#include <vector>

#include "common/svg.hpp"

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto batch = tl::dyn<"batch">;
constexpr int stocks = 7, paths = 2048;

constexpr auto model = [] {
  auto x = tl::input<"x", float, batch, stocks>;
  auto payoff = tl::input<"payoff", float, batch, 1>;
  auto slopes = tl::input<"slopes", float, batch, stocks>;  // d payoff / dx
  auto lambda = tl::input<"lambda", float>;                 // 0: values alone
  auto h = tl::softplus(tl::linear<"fc2", 32>(tl::softplus(tl::linear<"fc1", 32>(x))));
  auto price = tl::linear<"out", 1>(h);
  auto delta = tl::grad(tl::sum(price), x);  // each price depends on its own row alone
  auto value_loss = tl::mse_loss(price, payoff);
  auto slope_loss = tl::mse_loss(delta, slopes);
  return tl::outputs(value_loss + lambda * slope_loss, tl::named<"price">(price), tl::named<"delta">(delta));
};

// Stocks start around 1 at time 0; the state is their values at time 1, the payoff is paid at time 2.
struct market {
  static constexpr double strike = 1.1;
  std::array<double, stocks> weight{}, deviation{};
  double basket_deviation = 0;  // from time 1 to 2
  std::mt19937 random{7};
  std::normal_distribution<double> normal;

  market() {
    double variance = 0;
    for (int i = 0; i < stocks; ++i) {
      weight[static_cast<std::size_t>(i)] = (1 + i % 3) / 13.0;  // they add up to 1
      deviation[static_cast<std::size_t>(i)] = 0.25 + 0.05 * i;
    }
    for (int i = 0; i < stocks; ++i)  // the correlation is 1/2
      for (int j = 0; j < stocks; ++j)
        variance += weight[static_cast<std::size_t>(i)] * deviation[static_cast<std::size_t>(i)] *
                    weight[static_cast<std::size_t>(j)] * deviation[static_cast<std::size_t>(j)] *
                    (i == j ? 1 : 0.5);
    basket_deviation = std::sqrt(variance);
  }
  std::array<double, stocks> moved(std::array<double, stocks> from, double scale) {
    const double common = normal(random);
    for (std::size_t i = 0; i < stocks; ++i)
      from[i] += scale * deviation[i] * std::sqrt(0.5) * (common + normal(random));
    return from;
  }
  double basket(const std::array<double, stocks>& x) const {
    double sum = 0;
    for (std::size_t i = 0; i < stocks; ++i) sum += weight[i] * x[i];
    return sum;
  }
  double price(double b) const {
    const double d = (b - strike) / basket_deviation;
    return (b - strike) * cumulative(d) + basket_deviation * std::exp(-d * d / 2) / std::sqrt(2 * M_PI);
  }
  double delta(double b) const { return cumulative((b - strike) / basket_deviation); }  // by the basket
  static double cumulative(double d) { return std::erfc(-d / std::sqrt(2.0)) / 2; }
};

struct samples {
  std::vector<float> x, payoff, slopes;
  std::vector<double> basket;
};
samples simulate(market& m, int count) {
  samples s;
  for (int k = 0; k < count; ++k) {
    std::array<double, stocks> start;
    start.fill(1);
    const auto state = m.moved(start, 1.5);  // wider than the market would go, so that the ends are seen too
    const double end = m.basket(m.moved(state, 1));
    s.basket.push_back(m.basket(state));
    s.payoff.push_back(static_cast<float>(std::max(end - m.strike, 0.0)));
    for (std::size_t i = 0; i < stocks; ++i) {
      s.x.push_back(static_cast<float>(state[i] - 1));
      s.slopes.push_back(end > m.strike ? static_cast<float>(m.weight[i])
                                        : 0);  // d end / d state_i = weight_i
    }
  }
  return s;
}

struct outcome {
  std::vector<float> price, delta;
  double price_error = 0, delta_error = 0;
};
outcome train(const market& m, const samples& seen, const samples& fresh, float lambda) {
  tl::trainer net{model, tl::adam({.learning_rate = tl::cosine_schedule({.start = 1e-2, .steps = 1600})}),
                  tl::cpu{}, 1};
  constexpr std::size_t size = 256;
  for (int step = 0; step < 1600; ++step) {
    const std::size_t from = static_cast<std::size_t>(step) % (paths / size) * size;
    const auto part = [&](const std::vector<float>& v, std::size_t n) {
      return std::span(v).subspan(from * n, size * n);
    };
    net.step("x"_t = part(seen.x, stocks), "payoff"_t = part(seen.payoff, 1),
             "slopes"_t = part(seen.slopes, stocks), "lambda"_t = lambda);
  }
  const auto r = net.predict("x"_t = fresh.x);
  const auto price = r.get<"price">(), delta = r.get<"delta">();
  outcome o;
  for (std::size_t k = 0; k < price.size(); ++k) {
    float sum = 0;  // the basket moves by 1 if all stocks do
    for (std::size_t i = 0; i < stocks; ++i) sum += delta[stocks * k + i];
    o.price.push_back(price[k]);
    o.delta.push_back(sum);
    o.price_error += std::pow(price[k] - m.price(fresh.basket[k]), 2) / static_cast<double>(price.size());
    o.delta_error += std::pow(sum - m.delta(fresh.basket[k]), 2) / static_cast<double>(price.size());
  }
  o.price_error = std::sqrt(o.price_error);
  o.delta_error = std::sqrt(o.delta_error);
  return o;
}

int main() {
  market m;
  const samples seen = simulate(m, paths), fresh = simulate(m, 600);
  const outcome values = train(m, seen, fresh, 0), both = train(m, seen, fresh, stocks);

  std::printf("%d paths, root mean square error on 600 other states\n", paths);
  std::printf("                          price      delta\n");
  std::printf("values alone             %.4f     %.4f\n", values.price_error, values.delta_error);
  std::printf("values and derivatives   %.4f     %.4f\n", both.price_error, both.delta_error);
  std::printf("the derivatives make the price's error %.1f times smaller\n",
              values.price_error / both.price_error);

  std::vector<double> b, price, delta;
  for (double x = 0; x <= 2.2; x += 0.02)
    b.push_back(x), price.push_back(m.price(x)), delta.push_back(m.delta(x));
  svg::axes prices({.title = "price", .x_label = "value of the basket", .x = {0.1, 2}, .y = {-0.15, 1.7}});
  prices.points(std::span(seen.basket).first(800), seen.payoff,
                {.color = svg::grey, .width = 1, .opacity = 0.25, .label = "payoffs"});
  svg::axes deltas({.title = "delta, the derivative",
                    .x_label = "value of the basket",
                    .x = {0.1, 2},
                    .y = {-0.2, 1.3},
                    .legend = 150});
  prices.points(fresh.basket, values.price,
                {.color = svg::blue, .width = 1.4, .opacity = 0.6, .label = "values alone"});
  deltas.points(fresh.basket, values.delta,
                {.color = svg::blue, .width = 1.4, .opacity = 0.6, .label = "values alone"});
  prices.points(fresh.basket, both.price,
                {.color = svg::orange, .width = 1.4, .opacity = 0.9, .label = "with derivatives"});
  deltas.points(fresh.basket, both.delta,
                {.color = svg::orange, .width = 1.4, .opacity = 0.9, .label = "with derivatives"});
  prices.line(b, price, {.color = svg::green, .width = 1.5, .label = "exact"});
  deltas.line(b, delta, {.color = svg::green, .width = 1.5, .label = "exact"});
  svg::write("16_differential_ml.svg", {prices, deltas});
  return both.price_error < values.price_error / 2 && both.delta_error < values.delta_error / 2 ? 0 : 1;
}
