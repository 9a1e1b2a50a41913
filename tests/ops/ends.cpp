// SPDX-License-Identifier: BSL-1.0
// Derivatives of the functions of one number at the ends of its range: at the largest numbers, the smallest
// and infinity they are what their limits are, and never NaN where that is a number.
#include "catch.hpp"
#include "policies.hpp"
#include "program.hpp"

#include <tapeless/ops/activation/celu.hpp>

#include <cmath>
#include <limits>
#include <numbers>

namespace {

constexpr auto n = tl::dyn<"n">;

template <class T>
struct slopes {
  constexpr auto operator()() const {
    auto x = tl::input<"x", T, n>;
    auto w = tl::input<"w", T, n>;
    const auto slope = [&](auto y) { return tl::vjp(y, x, w); };
    return tl::outputs(
        tl::named<"exp">(slope(tl::exp(x))), tl::named<"exp2">(slope(tl::exp2(x))),
        tl::named<"expm1">(slope(tl::expm1(x))), tl::named<"log">(slope(tl::log(x))),
        tl::named<"log2">(slope(tl::log2(x))), tl::named<"log1p">(slope(tl::log1p(x))),
        tl::named<"sin">(slope(tl::sin(x))), tl::named<"cos">(slope(tl::cos(x))),
        tl::named<"tan">(slope(tl::tan(x))), tl::named<"asin">(slope(tl::asin(x))),
        tl::named<"acos">(slope(tl::acos(x))), tl::named<"atan">(slope(tl::atan(x))),
        tl::named<"sinh">(slope(tl::sinh(x))), tl::named<"cosh">(slope(tl::cosh(x))),
        tl::named<"tanh">(slope(tl::tanh(x))), tl::named<"erf">(slope(tl::erf(x))),
        tl::named<"sigmoid">(slope(tl::sigmoid(x))), tl::named<"softplus">(slope(tl::softplus(x))),
        tl::named<"silu">(slope(tl::silu(x))), tl::named<"gelu">(slope(tl::gelu(x))),
        tl::named<"gelu_tanh">(slope(tl::gelu<tl::approximation::tanh>(x))),
        tl::named<"mish">(slope(tl::mish(x))), tl::named<"elu">(slope(tl::elu(x))),
        tl::named<"celu">(slope(tl::celu(x))), tl::named<"selu">(slope(tl::selu(x))),
        tl::named<"hard_swish">(slope(tl::hard_swish(x))),
        tl::named<"hard_sigmoid">(slope(tl::hard_sigmoid(x))),
        tl::named<"leaky_relu">(slope(tl::leaky_relu(x))), tl::named<"relu">(slope(tl::relu(x))),
        tl::named<"abs">(slope(tl::abs(x))), tl::named<"square">(slope(tl::square(x))),
        tl::named<"cube">(slope(tl::cube(x))), tl::named<"sqrt">(slope(tl::sqrt(x))),
        tl::named<"rsqrt">(slope(tl::rsqrt(x))), tl::named<"recip">(slope(tl::recip(x))));
  }
};

using real = long double;

/// 0 on the left, 1 on the right, and something in between near 0.
real between(real x, real at_0) { return std::abs(x) < 1 ? at_0 : x > 0 ? 1 : x < 0 ? 0 : x; }
/// 0 far from 0, and something near it.
real near_0(real x, real at_0) { return std::abs(x) < 1 ? at_0 : x == x ? 0 : x; }

template <class T, class View, class F>
void check(const char* name, const std::vector<T>& x, const View& found, F slope) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    const real exact = slope(static_cast<real>(x[i]));
    const T expected = static_cast<T>(exact);
    INFO(name << "'(" << x[i] << ") = " << found[i] << ", expected " << expected);
    if (std::isnan(expected)) {
      CHECK(std::isnan(found[i]));
    } else if (std::isinf(expected)) {
      CHECK(found[i] == expected);
    } else {
      CHECK(std::abs(found[i] - expected) <= std::abs(expected) * T(1e-3) + std::numeric_limits<T>::min());
    }
  }
}

template <class T, class Policy>
void check_ends() {
  using limits = std::numeric_limits<T>;
  const T most = limits::max(), least = limits::denorm_min();
  const std::vector<T> x{most,  -most,  most / 2,  -most / 3,     limits::infinity(), -limits::infinity(),
                         least, -least, 3 * least, limits::min(), -limits::min()};
  tl::function<slopes<T>, Policy> f{slopes<T>{}};
  auto r = f("x"_t = x, "w"_t = std::vector<T>(x.size(), T(1)));
  const auto ln_2 = std::numbers::ln2_v<real>, scale = real(1.0507009873554804934L),
             alpha = real(1.6732632423543772848L);
  check("exp", x, r.template get<"exp">(), [](real t) { return std::exp(t); });
  check("exp2", x, r.template get<"exp2">(), [=](real t) { return ln_2 * std::exp2(t); });
  check("expm1", x, r.template get<"expm1">(), [](real t) { return std::exp(t); });
  check("log", x, r.template get<"log">(), [](real t) { return 1 / t; });
  check("log2", x, r.template get<"log2">(), [=](real t) { return 1 / t / ln_2; });
  check("log1p", x, r.template get<"log1p">(), [](real t) { return 1 / (1 + t); });
  check("sin", x, r.template get<"sin">(), [](real t) { return std::cos(t); });
  check("cos", x, r.template get<"cos">(), [](real t) { return -std::sin(t); });
  check("tan", x, r.template get<"tan">(), [](real t) { return 1 + std::tan(t) * std::tan(t); });
  check("asin", x, r.template get<"asin">(), [](real t) { return std::abs(t) < 1 ? 1 : NAN; });
  check("acos", x, r.template get<"acos">(), [](real t) { return std::abs(t) < 1 ? -1 : NAN; });
  check("atan", x, r.template get<"atan">(), [](real t) { return near_0(t, 1); });
  check("sinh", x, r.template get<"sinh">(), [](real t) { return std::cosh(t); });
  check("cosh", x, r.template get<"cosh">(), [](real t) { return std::sinh(t); });
  check("tanh", x, r.template get<"tanh">(), [](real t) { return near_0(t, 1); });
  check("erf", x, r.template get<"erf">(),
        [](real t) { return near_0(t, 2 * std::numbers::inv_sqrtpi_v<real>); });
  check("sigmoid", x, r.template get<"sigmoid">(), [](real t) { return near_0(t, real(0.25)); });
  for (const auto& all : {r.template get<"softplus">(), r.template get<"silu">(), r.template get<"gelu">(),
                          r.template get<"gelu_tanh">(), r.template get<"hard_swish">()})
    check("softplus, silu, gelu or hard_swish", x, all, [](real t) { return between(t, real(0.5)); });
  check("mish", x, r.template get<"mish">(), [](real t) { return between(t, real(0.6)); });
  check("elu", x, r.template get<"elu">(), [](real t) { return between(t, 1); });
  check("celu", x, r.template get<"celu">(), [](real t) { return between(t, 1); });
  check("selu", x, r.template get<"selu">(), [=](real t) { return scale * between(t, t < 0 ? alpha : 1); });
  check("hard_sigmoid", x, r.template get<"hard_sigmoid">(), [](real t) { return near_0(t, 1 / real(6)); });
  check("leaky_relu", x, r.template get<"leaky_relu">(), [](real t) { return t < 0 ? real(0.01) : 1; });
  check("relu", x, r.template get<"relu">(), [](real t) { return t < 0 ? 0 : 1; });
  check("abs", x, r.template get<"abs">(), [](real t) { return t < 0 ? -1 : 1; });
  check("square", x, r.template get<"square">(), [](real t) { return 2 * t; });
  check("cube", x, r.template get<"cube">(), [](real t) { return 3 * t * t; });
  check("sqrt", x, r.template get<"sqrt">(), [](real t) { return 1 / (2 * std::sqrt(t)); });
  check("rsqrt", x, r.template get<"rsqrt">(), [](real t) { return -1 / (2 * t * std::sqrt(t)); });
  check("recip", x, r.template get<"recip">(), [](real t) { return -1 / t / t; });
}

}  // namespace

TEMPLATE_TEST_CASE("derivatives at the ends of the range are their limits", "", float, double) {
  test::on_each_policy([]<class Policy>() { check_ends<TestType, Policy>(); });
}

TEST_CASE("x + 0 is x, also where that is -0; constants keep the sign of 0") {
  const auto r = tl::function{[] {
    auto x = tl::input<"x", float, 2>;
    return tl::outputs(tl::named<"right">(x + 0_c), tl::named<"left">(0_c + x), tl::named<"less">(x - 0_c),
                       tl::named<"from">(0_c - x), tl::named<"below">(x + 1_c / tl::constant<-0.0>),
                       tl::named<"above">(x + 1_c / tl::constant<0.0>));
  }}("x"_t = std::vector<float>{-0.0f, 0.0f});
  for (const auto& kept : {r.get<"right">(), r.get<"left">(), r.get<"less">()}) {
    CHECK(std::signbit(kept[0]));
    CHECK(!std::signbit(kept[1]));
  }
  CHECK(!std::signbit(r.get<"from">()[0]));
  CHECK(!std::signbit(r.get<"from">()[1]));
  CHECK(r.get<"below">()[0] == -std::numeric_limits<float>::infinity());
  CHECK(r.get<"above">()[0] == std::numeric_limits<float>::infinity());
}
