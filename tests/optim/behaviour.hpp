// SPDX-License-Identifier: BSL-1.0
// What every rule must do: go down where the gradient stays, stay where there is none, show a gradient that
// is NaN, and find the minimum of a quadratic function and of Rosenbrock's.
#pragma once

#include "optim/reference.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace behaviour {

/// A matrix and a vector with any gradient, a quadratic function of a matrix, and Rosenbrock's function (1 -
/// x)^2
/// + 100 (y - x^2)^2 of the two elements of another; what is weighted with 0 has no gradient.
struct model {
  constexpr auto operator()() const {
    auto q = tl::param<"q", float, 2, 3>;
    auto r = tl::param<"r", float, 1, 2>;
    auto x = tl::slice<1, 0, 1>(r);
    auto y = tl::slice<1, 1, 2>(r);
    auto quadratic = tl::sum(tl::input<"curvature", float, 2, 3> * tl::square(q - 1_c));
    auto rosenbrock = tl::sum(tl::square(1_c - x) + 100_c * tl::square(y - tl::square(x)));
    return tl::sum(tl::param<"a", float, 2, 2> * tl::input<"ga", float, 2, 2>) +
           tl::sum(tl::param<"b", float, 3> * tl::input<"gb", float, 3>) +
           tl::input<"wq", float> * quadratic + tl::input<"wr", float> * rosenbrock;
  }
};

template <class Rule>
class trained {
 public:
  explicit trained(const Rule& rule) : net_(model{}, rule) {
    std::fill(a.begin(), a.end(), 0.5f);
    std::fill(b.begin(), b.end(), 0.5f);
    for (std::size_t i = 0; i < 6; ++i) q[i] = i % 2 == 0 ? -1 : 2;  // not all through 0 at the same time
    r[0] = -1.2f;
    r[1] = 1;
  }

  void step(const std::vector<float>& ga, const std::vector<float>& gb, float wq = 0, float wr = 0) {
    net_.step("ga"_t = ga, "gb"_t = gb, "wq"_t = wq, "wr"_t = wr, "curvature"_t = curvature);
  }

  bool is_finite() const {
    const auto all = [](const auto& view) {
      return std::all_of(view.begin(), view.end(), [](float w) { return std::isfinite(w); });
    };
    return all(a) && all(b);
  }
  double quadratic() const {
    double sum = 0;
    for (std::size_t i = 0; i < 6; ++i) sum += curvature[i] * (q[i] - 1) * (q[i] - 1);
    return sum;
  }
  double rosenbrock() const {
    return (1.0 - r[0]) * (1.0 - r[0]) + 100 * std::pow(static_cast<double>(r[1]) - r[0] * r[0], 2);
  }

 private:
  tl::trainer<model, Rule> net_;
  std::vector<float> curvature{0.5f, 1, 2, 1, 3, 0.7f};

 public:
  tl::tensor_view<float> a = net_.template parameter<"a">(), b = net_.template parameter<"b">();
  tl::tensor_view<float> q = net_.template parameter<"q">(), r = net_.template parameter<"r">();
};

/// Whether NaN spreads from one parameter to the others.
enum class spreads { where_the_rule_looks_at_all, not_at_all };

/// Under so many steps of a constant gradient parameters stay finite, in float: means of squares less squares
/// of means turn negative there where they are not kept from it.
///
/// The rule's learning rates for the quadratic and for Rosenbrock's function are its own; both fall to 0.
template <class MakeRule>
void check(MakeRule make, double quadratic_rate, double rosenbrock_rate,
           spreads nan = spreads::where_the_rule_looks_at_all, int constant_steps = 2000) {
  const auto rule = make(0.01);
  using rule_type = std::remove_cvref_t<decltype(rule)>;
  const std::vector<float> zero_a(4), zero_b(3);
  {
    INFO("constant gradient");  // of rank 1, so that muon keeps its signs
    const std::vector<float> ga{1, -2, -0.5f, 1}, gb{0.1f, -3, 20};
    trained<rule_type> t(rule);
    for (int i = 0; i < 50; ++i) t.step(ga, gb);
    for (std::size_t i = 0; i < 4; ++i) CHECK(ga[i] * (t.a[i] - 0.5f) < 0);
    for (std::size_t i = 0; i < 3; ++i) CHECK(gb[i] * (t.b[i] - 0.5f) < 0);
    for (int i = 50; i < constant_steps; ++i) t.step(ga, gb);
    CHECK(t.is_finite());
  }
  {
    INFO("no gradient at first");
    const std::vector<float> ga{1, -2, -0.5f, 1}, gb{0.1f, -3, 20};
    trained<rule_type> t(rule);
    for (int i = 0; i < 3; ++i) t.step(zero_a, zero_b);
    for (int i = 0; i < 50; ++i) t.step(ga, gb);
    CHECK(t.is_finite());
    for (std::size_t i = 0; i < 4; ++i) CHECK(ga[i] * (t.a[i] - 0.5f) < 0);
    for (std::size_t i = 0; i < 3; ++i) CHECK(gb[i] * (t.b[i] - 0.5f) < 0);
  }
  {
    INFO("no gradient");  // weight decay may act, if there is some
    trained<rule_type> t(rule);
    t.b[1] = 0;
    std::fill(t.a.begin(), t.a.end(), 0.0f);
    for (int i = 0; i < 5; ++i) t.step(zero_a, zero_b);
    for (float w : t.a) CHECK(w == 0);
    CHECK(t.b[1] == 0);
    CHECK(t.b[0] <= 0.5f);
    CHECK(t.b[0] > 0.49f);
  }
  {
    INFO("a gradient that is NaN");  // shows in its element; elsewhere only where the rule looks at all
    trained<rule_type> t(rule);
    const std::vector<float> gb{1, 1, 1};
    t.step({std::numeric_limits<float>::quiet_NaN(), 1, 1, 1}, gb);
    t.step({1, 1, 1, 1}, gb);
    CHECK(std::isnan(t.a[0]));
    CHECK(std::isnan(t.b[0]) == (rule_type::waits_for_all_gradients && nan != spreads::not_at_all));
  }
  constexpr int steps = 3000;
  const auto falling = [](double rate) {
    return tl::linear_schedule({.start = rate, .end = 0, .steps = steps});
  };
  {
    INFO("a quadratic function");
    trained<rule_type> t(make(falling(quadratic_rate)));
    const double before = t.quadratic();
    for (int i = 0; i < steps; ++i) t.step(zero_a, zero_b, 1);
    CHECK(t.quadratic() < 1e-4 * before);
  }
  {
    INFO("Rosenbrock's function");
    trained<rule_type> t(make(falling(rosenbrock_rate)));
    const double before = t.rosenbrock();
    for (int i = 0; i < steps; ++i) t.step(zero_a, zero_b, 0, 1);
    CHECK(t.rosenbrock() < 0.01 * before);
  }
}

}  // namespace behaviour
