// SPDX-License-Identifier: BSL-1.0
// sharpness_aware under mixed_precision: shifts that are smaller than a step of 16 bits count in the mean.
#include "catch.hpp"
#include "program.hpp"

#include <cmath>
#include <vector>

#include <tapeless/optim/optim.hpp>
#include <tapeless/train/trainer/trainer.hpp>

namespace {

struct quartic {
  constexpr auto operator()() const {
    auto y = tl::matmul(tl::input<"x", float, 2, 256>, tl::param<"w", float, 256, 2>(tl::normal(1)));
    return tl::mean(tl::square(tl::square(y)));
  }
};

std::vector<float> inputs() {
  std::vector<float> x;
  for (int i = 0; i < 512; ++i) x.push_back(std::sin(0.7f * static_cast<float>(i)) / 16);
  return x;
}

auto rule_of(double radius) { return tl::sharpness_aware(tl::sgd({.learning_rate = 1}), {.radius = radius}); }

/// How far a step goes, over all weights.
template <class View>
double length_of_step(const std::vector<float>& before, const View& after) {
  double sum = 0;
  for (std::size_t i = 0; i < before.size(); ++i)
    sum += std::abs(static_cast<double>(after[i]) - static_cast<double>(before[i]));
  return sum;
}

double step_in_float(double radius) {
  tl::trainer net{quartic{}, rule_of(radius), tl::cpu{}, 3};
  const auto w = net.parameter<"w">();
  const std::vector<float> before(w.begin(), w.end());
  net.step("x"_t = inputs());
  return length_of_step(before, w);
}
template <class T, class Scale>
double step_in(double radius, Scale scale) {
  tl::trainer net{quartic{}, tl::mixed_precision<T>(rule_of(radius), scale), tl::cpu{}, 3};
  const auto w = net.template master<"w">();
  const std::vector<float> before(w.begin(), w.end());
  net.step("x"_t = inputs());
  return length_of_step(before, w);
}

}  // namespace

// Shifts of 2^-12 in the mean, of weights whose steps are 2^-8 and more in bf16.
TEST_CASE("a radius that moves few 16-bit weights by a step changes gradients as in float") {
  const double exact = step_in_float(0.005) - step_in_float(0);
  const auto in_bf16 = [](double radius) { return step_in<tl::bf16>(radius, tl::no_loss_scale{}); };
  const auto in_f16 = [](double radius) { return step_in<tl::f16>(radius, tl::fixed_loss_scale{64}); };
  CHECK(exact > 0.3);
  CHECK(in_bf16(0.005) - in_bf16(0) == test::Approx(exact).epsilon(0.2));
  CHECK(in_f16(0.005) - in_f16(0) == test::Approx(exact).epsilon(0.2));
}

TEST_CASE("a step, and gradients that are applied, start from the same float copies") {
  const auto rule =
      tl::mixed_precision<tl::f16>(tl::sharpness_aware(tl::adamw({})), tl::dynamic_loss_scale<64>{});
  tl::trainer net{quartic{}, rule, tl::cpu{}, 3}, other{quartic{}, rule, tl::cpu{}, 3};
  for (int i = 0; i < 3; ++i) {
    net.step("x"_t = inputs());
    other.gradients("x"_t = inputs());
    other.apply();
  }
  const auto w = net.master<"w">(), v = other.master<"w">();
  CHECK(std::equal(w.begin(), w.end(), v.begin()));
}
