// SPDX-License-Identifier: BSL-1.0
// sigmoid_focal_loss with powers that are no whole numbers, against torchvision's formula in float64; of
// logits that are so certain that 1 - p_t is 0 in float.
#include "catch.hpp"
#include "program.hpp"

#include <tapeless/ops/loss/sigmoid_focal_loss.hpp>

#include <cmath>
#include <vector>

namespace {

using tl::loss, tl::reduction;

constexpr auto n = tl::dyn<"n">;

template <class T, double Gamma>
struct slopes_of {
  constexpr auto operator()() const {
    constexpr loss each{.reduce = reduction::none, .alpha = -1, .gamma = Gamma};
    auto x = tl::input<"x", T, n>;
    auto t = tl::input<"t", T, n>;
    auto l = tl::sigmoid_focal_loss<each>(x, t);
    auto slope = tl::grad(tl::sum(l), x);
    return tl::outputs(tl::named<"each">(l), tl::named<"by x">(slope),
                       tl::named<"by t">(tl::grad(tl::sum(l), t)),
                       tl::named<"of a number">(tl::sigmoid_focal_loss<each>(x, 1_c)),
                       tl::named<"twice">(tl::grad(tl::sum(slope), x)));
  }
};

}  // namespace

TEST_CASE("sigmoid_focal_loss of soft targets and its derivatives are those of PyTorch") {
  tl::function f{slopes_of<double, 0.5>{}};
  auto r = f("x"_t = std::vector<double>{1.5, -0.5, 3, 20}, "t"_t = std::vector<double>{1, 0.25, 0.75, 1});
  const auto check = [](const auto& view, const std::vector<double>& expected) {
    const std::vector<double> found = test::elements(view);
    REQUIRE(found.size() == expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) CHECK(found[i] == test::Approx(expected[i]).epsilon(1e-9));
  };
  check(r.get<"each">(), {0.08602623152992, 0.3968270452549, 0.4178015909413, 9.357622949553e-14});
  check(r.get<"by x">(), {-0.1130827402705, 0.1376173709798, 0.08874221679618, -1.403643440504e-13});
  check(r.get<"by t">(), {-0.7904278109094, 0.4419518067626, -2.260346794146, -0.0009306985591016});
  check(r.get<"twice">(), {0.1353651127043, 0.1841891334249, 0.02978221314894, 2.105465155934e-13});
}

TEMPLATE_TEST_CASE("all derivatives of sigmoid_focal_loss are finite where it is small", "", float, tl::f16) {
  const auto are_small = [](const auto& view) {
    for (const auto e : view) CHECK(std::abs(float(e)) < 1e-4f);
  };
  const auto check = [&](auto program) {
    tl::function f{program};
    std::vector<TestType> x, t;
    for (const float logit : {12.f, 17.f, 25.f, 30.f, 50.f, 70.f, 90.f, 100.f, 120.f, 1000.f})
      for (const float target : {0.f, 1.f}) {
        x.push_back(TestType(target == 1 ? logit : -logit));
        t.push_back(TestType(target));
      }
    auto r = f("x"_t = x, "t"_t = t);
    are_small(r.template get<"each">());
    are_small(r.template get<"by x">());
    are_small(r.template get<"twice">());
    for (std::size_t i = 1; i < x.size(); i += 2)
      CHECK(float(r.template get<"of a number">()[i]) == float(r.template get<"each">()[i]));
    for (const auto e : r.template get<"by t">()) CHECK(std::isfinite(float(e)));
  };
  check(slopes_of<TestType, 0.5>{});
  check(slopes_of<TestType, 1.5>{});
}
