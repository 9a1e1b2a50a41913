// SPDX-License-Identifier: BSL-1.0
// Functions of very large numbers, of infinities and near 0: no NaN, no overflow, in values and gradients.
#include "catch.hpp"
#include "policies.hpp"
#include "program.hpp"

#include <tapeless/ops/activation/celu.hpp>

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
#ifdef __CUDACC__
    const double margin = 2e-15 * std::abs(expected[i]);  // its functions are exact to a few units
#else
    const double margin = 4e-16 * std::abs(expected[i]);
#endif
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

namespace {

// Vectors of three, and angles.
constexpr auto lengths = [] {
  auto a = tl::input<"a", double, n, 3>;
  auto b = tl::input<"b", double, n, 3>;
  auto cosine = tl::cosine_similarity(a, b);
  auto cubes = tl::norm<-1>(a, tl::order<3>);
  auto angle = tl::atan2(a, b);
  return tl::outputs(tl::named<"cosine">(cosine), tl::named<"by a">(tl::grad(tl::sum(cosine), a)),
                     tl::named<"cubes">(cubes), tl::named<"cubes by a">(tl::grad(tl::sum(cubes), a)),
                     tl::named<"roots">(tl::norm<-1>(a, tl::order<0.5>)),
                     tl::named<"angle by a">(tl::grad(tl::sum(angle), a)),
                     tl::named<"angle by b">(tl::grad(tl::sum(angle), b)));
};
using lengths_model = std::remove_const_t<decltype(lengths)>;

// As check, but relative to each number itself.
template <class View>
void check_each(const View& found, const std::vector<double>& expected) {
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    INFO("element " << i << ": " << found[i] << ", expected " << expected[i]);
    const bool both_nan = std::isnan(found[i]) && std::isnan(expected[i]);
    const double margin = 1e-14 * std::abs(expected[i]);
    CHECK((both_nan || found[i] == expected[i] || std::abs(found[i] - expected[i]) <= margin));
  }
}

const double none = std::nan("");

}  // namespace

TEST_CASE("cosines of vectors whose squares overflow, or vanish") {
  test::on_each_policy([]<class Policy>() {
    tl::function<lengths_model, Policy> f{lengths};
    const std::vector<double> huge{1e200, 2e200, 0}, tiny{1e-200, 0, 0}, mixed{1e308, 1e307, 3},
        zero{0, 0, 0}, infinite{infinity, 1, 0};
    std::vector<double> a, b;
    for (const auto& row : {huge, tiny, mixed, zero, infinite, zero})
      a.insert(a.end(), row.begin(), row.end());
    for (const auto& row : {huge, huge, tiny, zero, huge, {1, 0, 0}})
      b.insert(b.end(), row.begin(), row.end());
    auto r = f("a"_t = a, "b"_t = b);
    // Vectors shorter than eps = 1e-8 are divided by that.
    check_each(r.template get<"cosine">(),
               {1, 1e-192 / std::sqrt(5.0), 1e-192 / std::sqrt(1.01), 0, none, 0});
    const std::vector<double> by_a = test::elements(r.template get<"by a">());
    check_each(std::vector<double>(by_a.begin() + 3, by_a.begin() + 6),
               {1e8 / std::sqrt(5.0), 2e8 / std::sqrt(5.0), 0});
    check_each(std::vector<double>(by_a.begin() + 15, by_a.end()), {1e8, 0, 0});
    require_finite(std::vector<double>(by_a.begin(), by_a.begin() + 12));
  });
}

TEST_CASE("norms of any order with an infinite element are infinite") {
  test::on_each_policy([]<class Policy>() {
    tl::function<lengths_model, Policy> f{lengths};
    const std::vector<double> a{1, infinity, 2, -infinity, infinity, 0, infinity, none, 1, 1e300, 1e300, 0};
    auto r = f("a"_t = a, "b"_t = std::vector<double>(12, 1));
    check_each(r.template get<"cubes">(), {infinity, infinity, none, 1e300 * std::cbrt(2.0)});
    check_each(r.template get<"roots">(), {infinity, infinity, none, 4e300});
    // The derivative by the infinite element itself is none.
    const std::vector<double> g = test::elements(r.template get<"cubes by a">());
    check_each(std::vector<double>{g[0], g[2], g[11]}, {0, 0, 0});
  });
}

TEST_CASE("the angle of what is infinitely far away has the derivatives 0") {
  test::on_each_policy([]<class Policy>() {
    tl::function<lengths_model, Policy> f{lengths};
    auto r = f("a"_t = std::vector<double>{1, infinity, infinity, 0, -infinity, none},
               "b"_t = std::vector<double>{infinity, 1, -infinity, -infinity, 0, infinity});
    check_each(r.template get<"angle by a">(), {0, 0, 0, 0, 0, none});
    check_each(r.template get<"angle by b">(), {0, 0, 0, 0, 0, none});
  });
}

namespace {

template <class T>
struct weighted_mish {
  constexpr auto operator()() const {
    auto x = tl::input<"x", T, n>;
    auto y = tl::mish(x);
    auto g = tl::grad(tl::sum(8_c * y), x);
    return tl::outputs(tl::named<"y">(y), tl::named<"g">(g), tl::named<"h">(tl::grad(tl::sum(g), x)));
  }
};

}  // namespace

TEMPLATE_TEST_CASE("mish and its derivatives up to the type's largest number", "", float, double) {
  test::on_each_policy([]<class Policy>() {
    tl::function<weighted_mish<TestType>, Policy> f{weighted_mish<TestType>{}};
    const TestType largest = std::numeric_limits<TestType>::max();
    auto r = f("x"_t = std::vector<TestType>{largest, -largest, largest / 2, -1e6f, 1e6f, 1000, -1000});
    check(r.template get<"y">(), {double(largest), 0, double(largest / 2), 0, 1e6, 1000, 0});
    check(r.template get<"g">(), {8, 0, 8, 0, 8, 8, 0});
    check(r.template get<"h">(), {0, 0, 0, 0, 0, 0, 0});
  });
}

namespace {

template <class T>
struct row_softmax {
  constexpr auto operator()() const {
    auto x = tl::input<"x", T, n, 2>;
    return tl::named<"p">(tl::softmax(x));
  }
};

}  // namespace

TEMPLATE_TEST_CASE("a softmax of the lowest numbers is as one of others", "", float, double, tl::f16) {
  test::on_each_policy([]<class Policy>() {
    tl::function<row_softmax<TestType>, Policy> f{row_softmax<TestType>{}};
    const float lowest = std::is_same_v<TestType, tl::f16> ? -65504.0f : -3e38f;
    std::vector<TestType> x(6, TestType(lowest));
    x[3] = x[4] = x[5] = TestType(-std::numeric_limits<float>::infinity());
    auto r = f("x"_t = x);
    const std::vector<double> p = test::elements(r.template get<"p">());
    CHECK(p == std::vector<double>{0.5, 0.5, 1, 0, 0, 0});
  });
}
