// SPDX-License-Identifier: BSL-1.0
// binary_focal_loss against its formula, as sigmoid_focal_loss of logits and as bce_loss; of probabilities 0
// and 1.
#include "catch.hpp"
#include "check.hpp"
#include "program.hpp"

#include <tapeless/ops/loss/binary_focal_loss.hpp>
#include <tapeless/ops/loss/sigmoid_focal_loss.hpp>
#include <tapeless/ops/pointwise/sigmoid.hpp>

#include <cmath>
#include <vector>

namespace {

using test::check;
using tl::loss, tl::reduction;

constexpr auto n = tl::dyn<"n">;
constexpr loss each{.reduce = reduction::none};
constexpr loss root{.reduce = reduction::none, .alpha = -1, .gamma = 0.5};
constexpr loss line{.alpha = 0.75, .gamma = 1}, odd{.gamma = 2.5}, plain{.alpha = -1, .gamma = 0};

}  // namespace

// The values are Keras' formula of BinaryFocalCrossentropy(apply_class_balancing=True), by hand.
TEST_CASE("binary_focal_loss weighs the cross-entropy by what is wrong") {
  tl::function f{[] {
    auto p = tl::input<"p", double, n>;
    auto t = tl::input<"t", double, n>;
    return tl::outputs(tl::named<"each">(tl::binary_focal_loss<each>(p, t)),
                       tl::named<"line">(tl::binary_focal_loss<line>(p, t)),
                       tl::named<"of a number">(tl::binary_focal_loss<each>(p, 1_c)),
                       tl::named<"plain">(tl::binary_focal_loss<plain>(p, t)),
                       tl::named<"entropy">(tl::bce_loss(p, t)));
  }};
  const std::vector<double> p{0.9, 0.2, 0.5, 0.6}, t{1, 0, 1, 0.25};
  const auto r = f("p"_t = p, "t"_t = t);
  std::vector<double> single, of_one;
  double of_line = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    const double entropy = -t[i] * std::log(p[i]) - (1 - t[i]) * std::log(1 - p[i]);
    const double wrong = t[i] * (1 - p[i]) + (1 - t[i]) * p[i];
    single.push_back((0.25 * t[i] + 0.75 * (1 - t[i])) * wrong * wrong * entropy);
    of_one.push_back(0.25 * (1 - p[i]) * (1 - p[i]) * -std::log(p[i]));
    of_line += (0.75 * t[i] + 0.25 * (1 - t[i])) * wrong * entropy / 4;
  }
  check(r.get<"each">(), single);
  check(r.get<"of a number">(), of_one);
  check(r.get<"line">(), {of_line});
  check(r.get<"plain">(), test::elements(r.get<"entropy">()));
}

TEST_CASE("binary_focal_loss of sigmoids is sigmoid_focal_loss, with its slopes") {
  tl::function f{[] {
    auto x = tl::input<"x", double, n>;
    auto t = tl::input<"t", double, n>;
    auto w = tl::input<"w", double, n>;
    auto p = tl::sigmoid(x);
    auto of_p =
        tl::sum(tl::binary_focal_loss<root>(p, t)) + tl::binary_focal_loss<odd>(p, t, tl::sample_weights(w));
    auto of_x = tl::sum(tl::sigmoid_focal_loss<root>(x, t)) +
                tl::sigmoid_focal_loss<odd>(x, t, tl::sample_weights(w));
    return tl::outputs(tl::named<"p">(of_p), tl::named<"p by x">(tl::grad(of_p, x)),
                       tl::named<"p by t">(tl::grad(of_p, t)), tl::named<"x">(of_x),
                       tl::named<"x by x">(tl::grad(of_x, x)), tl::named<"x by t">(tl::grad(of_x, t)));
  }};
  const auto r =
      f("x"_t = test::numbers(1).vector(6, -3, 3), "t"_t = std::vector<double>{1, 0, 0.25, 1, 0, 0.5},
        "w"_t = test::numbers(2).vector(6, 0.5, 2));
  check(r.get<"p">(), test::elements(r.get<"x">()));
  check(r.get<"p by x">(), test::elements(r.get<"x by x">()));
  check(r.get<"p by t">(), test::elements(r.get<"x by t">()));
}

TEST_CASE("binary_focal_loss is finite, with its slopes, where probabilities are 0 and 1") {
  tl::function f{[] {
    auto p = tl::input<"p", float, 4>;
    auto t = tl::input<"t", float, 4>;
    auto l = tl::binary_focal_loss<root>(p, t);
    return tl::outputs(tl::named<"l">(l), tl::named<"by p">(tl::grad(tl::sum(l), p)));
  }};
  const auto r = f("p"_t = std::vector<float>{1, 0, 0, 1}, "t"_t = std::vector<float>{1, 0, 1, 0});
  check(r.get<"l">(), {0, 0, 100, 100});
  check(r.get<"by p">(), {0, 0, -50, 50});
  tl::function half{
      [] { return tl::named<"y">(tl::binary_focal_loss<each>(tl::input<"p", tl::f16, 1>, 1_c)); }};
  CHECK(float(half("p"_t = std::vector<tl::f16>{tl::f16(0.5)}).get<"y">()[0]) ==
        test::Approx(0.0625 * std::log(2)).epsilon(1e-3));
}
