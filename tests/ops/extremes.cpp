// SPDX-License-Identifier: BSL-1.0
// Functions of very large numbers, of infinities and near 0: no NaN, no overflow, in values and gradients.
#include "catch.hpp"
#include "program.hpp"

#include <cmath>
#include <limits>

namespace {

constexpr double infinity = tl::infinity;
constexpr auto n = tl::dyn<"n">;

/// y(x), the gradient of sum(w y), and that of its own sum.
template <class F, class T>
struct derivatives_of {
  constexpr auto operator()() const {
    auto x = tl::input<"x", T, n>;
    auto y = F{}(x);
    auto g = tl::grad(tl::sum(y * y), x);
    return tl::outputs(tl::named<"y">(y), tl::named<"g">(g), tl::named<"h">(tl::vjp(g, x, x)));
  }
};

void require_finite(const std::vector<double>& all) {
  for (double x : all) CHECK(std::isfinite(x));
}

template <class T, class F>
std::vector<double> finite_at(F, const std::vector<T>& x) {
  tl::function f{derivatives_of<F, T>{}};
  auto r = f("x"_t = x);
  const std::vector<double> y = test::elements(r.template get<"y">());
  require_finite(y);
  require_finite(test::elements(r.template get<"g">()));
  require_finite(test::elements(r.template get<"h">()));
  return y;
}

}  // namespace

TEMPLATE_TEST_CASE("activations of large numbers are finite, with both derivatives", "", float, double) {
  const std::vector<TestType> x{-1e4, -100, -20, -1, 0, 1e-20f, 1, 20, 100, 1e4, -1e12f, 1e12f};
  // A part of the sum for each, so that one kernel serves them all.
  finite_at([](auto v) { return tl::mish(v) + tl::softplus(v, 3_c) + tl::silu(v); }, x);
  finite_at([](auto v) { return tl::gelu(v) + tl::gelu<tl::approximation::tanh>(v); }, x);
  finite_at([](auto v) { return tl::elu(v) + tl::celu(v, 0.1_c) + tl::selu(v); }, x);
  finite_at([](auto v) { return tl::hard_sigmoid(v) + tl::hard_swish(v) + tl::leaky_relu(v); }, x);
  finite_at([](auto v) { return tl::atan(v) + tl::sigmoid(v) + tl::tanh(v) + tl::erf(v); }, x);
  finite_at([](auto v) { return tl::atan2(v, 3_c * v); }, x);
}

namespace {

constexpr auto activations = [] {
  auto x = tl::input<"x", double, n>;
  return tl::outputs(
      tl::named<"mish">(tl::mish(x)), tl::named<"silu">(tl::silu(x)), tl::named<"softplus">(tl::softplus(x)),
      tl::named<"gelu">(tl::gelu(x)), tl::named<"tanh_gelu">(tl::gelu<tl::approximation::tanh>(x)),
      tl::named<"elu">(tl::elu(x)), tl::named<"selu">(tl::selu(x)), tl::named<"celu">(tl::celu(x)),
      tl::named<"hard_swish">(tl::hard_swish(x)), tl::named<"hard_sigmoid">(tl::hard_sigmoid(x)));
};

template <class View>
void check(const View& found, const std::vector<double>& expected) {
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    INFO("element " << i << ": " << found[i] << ", expected " << expected[i]);
    const double margin = 4e-16 * std::abs(expected[i]);
    CHECK((found[i] == expected[i] || std::abs(found[i] - expected[i]) <= margin));
  }
}

}  // namespace

TEST_CASE("activations keep their digits near 0, and go straight far from it") {
  tl::function f{activations};
  auto r = f("x"_t = std::vector<double>{-1e4, -1e-30, 0, 1e-30, 1e4});
  const double log_2 = std::log(2.0), s = 1.0507009873554804934, a = 1.6732632423543772848;
  check(r.get<"softplus">(), {0, log_2, log_2, log_2, 1e4});
  check(r.get<"mish">(), {0, -0.6e-30, 0, 0.6e-30, 1e4});
  check(r.get<"silu">(), {0, -0.5e-30, 0, 0.5e-30, 1e4});
  check(r.get<"gelu">(), {0, -0.5e-30, 0, 0.5e-30, 1e4});
  check(r.get<"tanh_gelu">(), {0, -0.5e-30, 0, 0.5e-30, 1e4});
  check(r.get<"elu">(), {-1, -1e-30, 0, 1e-30, 1e4});
  check(r.get<"celu">(), {-1, -1e-30, 0, 1e-30, 1e4});
  check(r.get<"selu">(), {-s * a, -s * a * 1e-30, 0, s * 1e-30, s * 1e4});
  check(r.get<"hard_swish">(), {0, -0.5e-30, 0, 0.5e-30, 1e4});
  check(r.get<"hard_sigmoid">(), {0, 0.5, 0.5, 0.5, 1});
}

namespace {

// Values, gradients, and for the softmax the second derivative.
template <class T>
struct softmaxes {
  constexpr auto operator()() const {
    auto x = tl::input<"x", T, n, 3>;
    auto w = tl::input<"w", T, n, 3>;
    auto p = tl::softmax(x);
    auto log_p = tl::log_softmax(x);
    auto total = tl::logsumexp<-1>(x);
    auto g = tl::grad(tl::sum(p * w), x);
    return tl::outputs(tl::named<"p">(p), tl::named<"log_p">(log_p), tl::named<"total">(total),
                       tl::named<"gp">(g), tl::named<"glog">(tl::vjp(log_p, x, w)),
                       tl::named<"gtotal">(tl::grad(tl::sum(tl::sum<-1>(w) * total), x)),
                       tl::named<"ggp">(tl::vjp(g, x, w)));
  }
};

}  // namespace

TEMPLATE_TEST_CASE("softmax and logsumexp of -infinity and of large numbers", "", float, double) {
  const auto low = -static_cast<TestType>(infinity);
  const std::vector<TestType> x{low, 1, 2, low, low, low, 1e4, -1e4, 1e4, low, 5, low, 0, low, -1e4};
  tl::function f{softmaxes<TestType>{}};
  auto r = f("x"_t = x, "w"_t = test::numbers().vector<TestType>(15));
  const auto p = test::elements(r.template get<"p">()), log_p = test::elements(r.template get<"log_p">()),
             total = test::elements(r.template get<"total">());
  require_finite(p);
  require_finite(test::elements(r.template get<"gp">()));
  require_finite(test::elements(r.template get<"glog">()));
  require_finite(test::elements(r.template get<"gtotal">()));
  require_finite(test::elements(r.template get<"ggp">()));
  for (std::size_t i = 0; i < 15; ++i) {
    if (std::isfinite(x[i])) continue;
    CHECK(p[i] == 0);
    CHECK(log_p[i] == -infinity);
    CHECK(r.template get<"gp">()[i] == 0);
    CHECK(r.template get<"gtotal">()[i] == 0);
  }
  CHECK(p[2] == test::Approx(1 / (1 + std::exp(-1.0))));
  CHECK(p[6] == 0.5);
  CHECK(p[7] == 0);
  CHECK(p[10] == 1);
  CHECK(total[1] == -infinity);
  CHECK(total[2] == test::Approx(1e4 + std::log(2.0)));
  CHECK(total[3] == 5);
  CHECK(log_p[14] == -1e4);
}
