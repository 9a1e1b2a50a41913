// SPDX-License-Identifier: BSL-1.0
// Values and gradients where a function has a kink, overflows or ends: the conventions that are documented.
#include <tapeless/ops/activation/celu.hpp>
#include <tapeless/ops/activation/hardtanh.hpp>
#include <tapeless/ops/pointwise/logaddexp.hpp>

#include "catch.hpp"
#include "policies.hpp"
#include "program.hpp"
#include "value_graph.hpp"

#include <cmath>
#include <limits>

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr auto n = tl::dyn<"n">;

template <class F>
struct gradient_of {
  constexpr auto operator()() const {
    auto x = tl::input<"x", double, n>;
    auto y = F{}(x);
    return tl::outputs(tl::named<"y">(y), tl::named<"g">(tl::grad(tl::sum(y), x)));
  }
};

template <class F>
struct gradients_of {
  constexpr auto operator()() const {
    auto a = tl::input<"a", double, n>;
    auto b = tl::input<"b", double, n>;
    auto y = F{}(a, b);
    auto [da, db] = tl::grad(tl::sum(y), a, b);
    return tl::outputs(tl::named<"y">(y), tl::named<"da">(da), tl::named<"db">(db));
  }
};

struct both {
  std::vector<double> y, g;
};

template <class F>
both evaluate(F, const std::vector<double>& x) {
  tl::function f{gradient_of<F>{}};
  auto r = f("x"_t = x);
  return {test::elements(r.template get<"y">()), test::elements(r.template get<"g">())};
}

void check(const std::vector<double>& found, const std::vector<double>& expected) {
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    INFO("element " << i << ": " << found[i] << ", expected " << expected[i]);
    CHECK((found[i] == expected[i] || std::abs(found[i] - expected[i]) < 1e-14 ||
           (std::isnan(found[i]) && std::isnan(expected[i]))));
  }
}

}  // namespace

TEST_CASE("gradients at kinks") {
  check(evaluate([](auto x) { return tl::relu(x); }, {-1, 0, 2}).g, {0, 0, 1});
  check(evaluate([](auto x) { return tl::abs(x); }, {-1, 0, 2}).g, {-1, 0, 1});
  check(evaluate([](auto x) { return tl::sqrt(x); }, {0, 4}).g, {infinity, 0.25});
  check(evaluate([](auto x) { return tl::pow(x, 0_c); }, {0, 4}).g, {0, 0});
  check(evaluate([](auto x) { return tl::pow(x, 2_c); }, {0, -3}).g, {0, -6});
  check(evaluate([](auto x) { return tl::pow(x, 1_c); }, {0, -3}).g, {1, 1});
  check(evaluate([](auto x) { return tl::pow(0_c * tl::floor(x), tl::square(x)); }, {1, 2}).g, {0, 0});
}

namespace {

constexpr bool is_power(double exponent, tl::element type = tl::element::f32) {
  tl::graph g;
  return tl::pow(test::input<"x">(g, {3}, type), exponent).is(tl::operation_of<tl::pow_operation>);
}
static_assert(!is_power(-1) && !is_power(2) && !is_power(3) && !is_power(4) && is_power(5) && is_power(0.5));
static_assert(is_power(3, tl::element::bf16) && is_power(-1, tl::element::f16));  // each product would round

}  // namespace

TEST_CASE("powers by a whole number are products, with their derivatives") {
  const auto third = evaluate([](auto x) { return tl::pow(x, 3_c); }, {0, -1.7, infinity});
  check(third.y, {0, -1.7 * (-1.7 * -1.7), infinity});
  check(third.g, {0, 3 * (-1.7 * -1.7), infinity});
  const auto fourth = evaluate([](auto x) { return tl::pow(x, 4_c); }, {0, -1.7, -infinity});
  check(fourth.y, {0, (-1.7 * -1.7) * (-1.7 * -1.7), infinity});
  check(fourth.g, {0, 4 * (-1.7 * (-1.7 * -1.7)), -infinity});
  const auto inverse = evaluate([](auto x) { return tl::pow(x, -1_c); }, {0, -1.7, infinity});
  check(inverse.y, {infinity, 1 / -1.7, 0});
  check(inverse.g, {-infinity, -1 / (1.7 * 1.7), 0});
}

TEST_CASE("a comparison with NaN is false, so its derivative is 0 or 1") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  check(evaluate([](auto x) { return tl::relu(x); }, {nan}).g, {0});
  check(evaluate([](auto x) { return tl::max(x, 1_c); }, {nan}).g, {0});
  check(evaluate([](auto x) { return tl::min(x, 1_c); }, {nan}).g, {0});
  check(evaluate([](auto x) { return tl::clamp(x, -1_c, 1_c); }, {nan}).g, {1});
  check(evaluate([](auto x) { return tl::hardtanh(x); }, {nan}).g, {1});
}

TEST_CASE("two operands where they are zero, infinite or NaN: values and gradients are PyTorch's") {
  struct outcome {
    std::vector<double> y, da, db;
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto outcome_of = [](auto op, const std::vector<double>& a, const std::vector<double>& b) {
    tl::function f{gradients_of<decltype(op)>{}};
    auto r = f("a"_t = a, "b"_t = b);
    return outcome{test::elements(r.template get<"y">()), test::elements(r.template get<"da">()),
                   test::elements(r.template get<"db">())};
  };
  const auto power = outcome_of([](auto a, auto b) { return tl::pow(a, b); },
                                {0, 0, 0, 0, -2, -2, 2, infinity, infinity, nan, -1, 0.5},
                                {0, 2, 0.5, -1, 3, 0.5, 0, 0, -1, 0, infinity, infinity});
  check(power.y, {1, 0, 0, infinity, -8, nan, 1, 1, 0, 1, 1, 0});
  check(power.da, {0, 0, infinity, -infinity, 12, nan, 0, 0, 0, 0, infinity, nan});
  check(power.db, {0, 0, 0, -infinity, nan, nan, std::log(2), infinity, nan, nan, nan, 0});
  const auto remainder = outcome_of([](auto a, auto b) { return tl::fmod(a, b); }, {-5, 5, 1, 1, infinity},
                                    {3, infinity, 0, nan, 2});
  check(remainder.y, {-2, 5, nan, nan, nan});
  check(remainder.da, {1, 1, 1, 1, 1});
  check(remainder.db, {1, 0, nan, nan, nan});  // PyTorch: infinite where y is NaN
  const auto sum =
      outcome_of([](auto a, auto b) { return tl::logaddexp(a, b); },
                 {-infinity, infinity, -infinity, infinity, nan}, {-infinity, infinity, 3, 3, 3});
  check(sum.y, {-infinity, infinity, 3, infinity, nan});
  check(sum.da, {0.5, 0.5, 0, 1, nan});  // PyTorch: NaN where both are the same infinity
  check(sum.db, {0.5, 0.5, 1, 0, nan});
}

TEST_CASE("ties share the gradient evenly") {
  check(evaluate([](auto x) { return tl::max(x, 1_c); }, {0, 1, 2}).g, {0, 0.5, 1});
  check(evaluate([](auto x) { return tl::min(x, 1_c); }, {0, 1, 2}).g, {1, 0.5, 0});
  check(evaluate([](auto x) { return tl::max(x, 2_c * x); }, {-1, 0, 1}).g, {1, 1.5, 2});
  check(evaluate([](auto x) { return tl::max(x); }, {3, 1, 3, 3, 2}).g, {1.0 / 3, 0, 1.0 / 3, 1.0 / 3, 0});
  check(evaluate([](auto x) { return tl::min<0>(x, tl::keep_dims); }, {3, 1, 1, 3}).g, {0, 0.5, 0.5, 0});
}

namespace {

// Sums of pieces, each with its kinks where the others have none.
constexpr auto pieces = [] {
  auto x = tl::input<"x", double, n>;
  auto gradient = [x](auto y) { return tl::grad(tl::sum(y), x); };
  return tl::outputs(
      tl::named<"leaky_relu">(gradient(tl::leaky_relu(x) + tl::leaky_relu(x, 0.25_c))),
      tl::named<"elu">(gradient(tl::elu(x) + tl::elu(x, 2_c) + tl::celu(x, 3_c))),
      tl::named<"selu">(gradient(tl::selu(x))), tl::named<"clamp">(gradient(tl::clamp(x, -3_c, 3_c))),
      tl::named<"hard_sigmoid">(gradient(tl::hard_sigmoid(x))),
      tl::named<"hard_swish">(gradient(tl::hard_swish(x))),
      tl::named<"softplus">(gradient(gradient(tl::softplus(x)))),
      tl::named<"atan2">(gradient(tl::atan2(x, 2_c * x))), tl::named<"asin">(gradient(tl::asin(x / 3_c))),
      tl::named<"rounded">(gradient(x * (tl::round(x) + tl::trunc(x)))));
};

// a^b with both derivatives, the mixed one, and the second and third by a.
constexpr auto power = [] {
  auto a = tl::input<"a", double, n>;
  auto b = tl::input<"b", double, n>;
  auto by_a = tl::grad(tl::sum(tl::pow(a, b)), a);
  auto twice = tl::grad(tl::sum(by_a), a);
  return tl::outputs(tl::named<"a">(by_a), tl::named<"b">(tl::grad(tl::sum(tl::pow(a, b)), b)),
                     tl::named<"ab">(tl::grad(tl::sum(by_a), b)), tl::named<"aa">(twice),
                     tl::named<"aaa">(tl::grad(tl::sum(twice), a)));
};

}  // namespace

// Where a library computes them along with the product, too.
TEST_CASE("activations of products: NaN stays NaN, and the slope of a ReLU at 0 is 0") {
  constexpr auto activations = [] {
    constexpr auto near = tl::approximation::tanh;
    auto product = tl::matmul(tl::input<"x", float, n, 4>, tl::input<"w", float, 4, 8>);
    auto b = tl::input<"b", float, 8>;
    return tl::outputs(tl::named<"relu">(tl::relu(product)), tl::named<"biased relu">(tl::relu(product + b)),
                       tl::named<"gelu">(tl::gelu<near>(product)),
                       tl::named<"biased gelu">(tl::gelu<near>(product + b)));
  };
  constexpr auto slopes = [] {
    auto product = tl::matmul(tl::input<"x", float, n, 4>, tl::input<"w", float, 4, 8>);
    auto b = tl::input<"b", float, 8>;
    return tl::named<"slope">(tl::grad(tl::sum(tl::relu(product + b)), b));
  };
  const std::vector<float> zero(8), w(32, 0.5f);
  std::vector<float> x(8, 1.0f);
  x[2] = std::numeric_limits<float>::quiet_NaN();  // in the first of two rows
  tl::function f{activations};
  const auto r = f("x"_t = x, "w"_t = w, "b"_t = zero);
  const auto is_right = [](const auto& y, float expected) {
    bool right = true;
    for (std::size_t i = 0; i < 8; ++i)
      right = right && y[i] != y[i] && std::abs(y[8 + i] - expected) < 1e-5f;
    return right;
  };
  CHECK(is_right(r.get<"relu">(), 2));
  CHECK(is_right(r.get<"biased relu">(), 2));
  CHECK(is_right(r.get<"gelu">(), 1.9545977f));
  CHECK(is_right(r.get<"biased gelu">(), 1.9545977f));

  tl::function g{slopes};
  for (const double slope : test::elements(g("x"_t = zero, "w"_t = w, "b"_t = zero).get<"slope">()))
    CHECK(slope == 0);
}

TEST_CASE("pieces that meet: the derivative where they do") {
  tl::function f{pieces};
  auto r = f("x"_t = std::vector<double>{-4, -3, 0, 3, 4});
  const auto of = [](const auto& view) { return test::elements(view); };
  check(of(r.get<"leaky_relu">()), {0.26, 0.26, 0.26, 2, 2});
  check({of(r.get<"elu">())[2], of(r.get<"elu">())[3]}, {1 + 2 + 1, 3});
  check({of(r.get<"selu">())[2]}, {1.0507009873554804934 * 1.6732632423543772848});
  check(of(r.get<"clamp">()), {0, 1, 1, 1, 0});
  check(of(r.get<"hard_sigmoid">()), {0, 0, 1.0 / 6, 0, 0});
  check(of(r.get<"hard_swish">()), {0, 0, 0.5, 1, 1});
  check({of(r.get<"softplus">())[2]}, {0.25});
  check(of(r.get<"atan2">()), {0, 0, 0, 0, 0});
  check({of(r.get<"asin">())[1], of(r.get<"asin">())[3]}, {infinity, infinity});
  check(of(r.get<"rounded">()), {-8, -6, 0, 6, 8});
}

TEST_CASE("powers of 0, and to the power of 0") {
  tl::function f{power};
  auto r = f("a"_t = std::vector<double>{0, 0, 0, 0, 0, 2, -2},
             "b"_t = std::vector<double>{0, 1, 2, 3, 0.5, 0, 3});
  const auto first = [](const auto& view, std::size_t count) {
    const auto all = test::elements(view);
    return std::vector<double>(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count));
  };
  check(test::elements(r.get<"a">()), {0, 1, 0, 0, infinity, 0, 12});
  check(first(r.get<"b">(), 6), {0, 0, 0, 0, 0, std::log(2.0)});
  check(first(r.get<"aa">(), 4), {0, 0, 2, 0});
  check(first(r.get<"aaa">(), 4), {0, 0, 0, 6});
  CHECK(r.get<"ab">()[5] == 0.5);
  CHECK(r.get<"ab">()[2] == 0);
}

TEST_CASE("powers whose derivative is not the formula's: those of NaN, of the smallest numbers, by 0") {
  const double nan = std::nan(""), smallest = 5e-324;
  check(evaluate([](auto x) { return tl::pow(x, 0_c); }, {nan, smallest, -smallest, infinity, 0}).g,
        {0, 0, 0, 0, 0});
  test::on_each_policy([&]<class Policy>() {
    tl::function<std::remove_const_t<decltype(power)>, Policy> f{power};
    auto r = f("a"_t = std::vector<double>{nan, smallest, infinity, 1e-200, 0, 2},
               "b"_t = std::vector<double>{0, 0, 0, 0, -1, nan});
    const auto by_a = test::elements(r.template get<"a">());
    check({by_a[0], by_a[1], by_a[2], by_a[3]}, {0, 0, 0, 0});
    CHECK(std::isnan(by_a[5]));
    CHECK(r.template get<"ab">()[3] == test::Approx(1e200));
    CHECK(r.template get<"b">()[3] == test::Approx(std::log(1e-200)));
    CHECK(r.template get<"b">()[4] == -infinity);
  });
}

TEST_CASE("exponentials of large numbers") {
  const both large = evaluate([](auto x) { return tl::logsumexp(x); }, {1e4, 1e4, -1e4, 9e3});
  check(large.y, {1e4 + std::log(2.0)});
  check(large.g, {0.5, 0.5, 0, 0});
  check(evaluate([](auto x) { return tl::softplus(x); }, {-1e4, 0, 1e4}).y, {0, std::log(2.0), 1e4});
  check(evaluate([](auto x) { return tl::softplus(x); }, {-1e4, 1e4}).g, {0, 1});
  check(evaluate([](auto x) { return tl::sigmoid(x); }, {-1e4, 0, 1e4}).y, {0, 0.5, 1});
  check(evaluate([](auto x) { return tl::sigmoid(x); }, {-1e4, 0, 1e4}).g, {0, 0.25, 0});
  check(evaluate([](auto x) { return tl::softmax(x); }, {1e4, -1e4, 1e4}).y, {0.5, 0, 0.5});
  check(evaluate([](auto x) { return tl::log_softmax(x); }, {1e4, -1e4}).y, {0, -2e4});
}

TEST_CASE("a softmax and a logsumexp with elements that are -infinity") {
  const both some = evaluate([](auto x) { return tl::logsumexp(x); }, {-infinity, 1, -infinity, 1});
  check(some.y, {1 + std::log(2.0)});
  check(some.g, {0, 0.5, 0, 0.5});
  check(evaluate([](auto x) { return tl::softmax(x); }, {-infinity, 1, -infinity, 1}).y, {0, 0.5, 0, 0.5});
  const both none = evaluate([](auto x) { return tl::logsumexp(x); }, {-infinity, -infinity});
  check(none.y, {-infinity});
  check(none.g, {0, 0});
  check(evaluate([](auto x) { return tl::logsumexp(x); }, {infinity, 1}).y, {infinity});
}

namespace {

template <class T>
struct classifier {
  constexpr auto operator()() const {
    auto logits = tl::input<"logits", double, n, 5>;
    auto loss = tl::cross_entropy(logits, tl::input<"label", T, n>);
    return tl::outputs(tl::named<"loss">(loss), tl::named<"g">(tl::grad(loss, logits)),
                       tl::named<"p">(tl::softmax(logits)));
  }
};

}  // namespace

TEMPLATE_TEST_CASE("cross-entropy: its gradient is the softmax without the label, over the batch", "",
                   std::int32_t, std::int64_t) {
  tl::function f{classifier<TestType>{}};
  for (const std::size_t batch : {1u, 3u, 16u}) {
    auto logits = test::numbers().vector(5 * batch, -3, 3);
    logits[0] = 1e4;
    std::vector<TestType> labels(batch);
    for (std::size_t i = 0; i < batch; ++i) labels[i] = static_cast<TestType>(i * 2 % 5);
    auto r = f("logits"_t = logits, "label"_t = labels);
    double loss = 0;
    for (std::size_t i = 0; i < batch; ++i) {
      double largest = -infinity, sum = 0;
      for (std::size_t k = 0; k < 5; ++k) largest = std::max(largest, logits[5 * i + k]);
      for (std::size_t k = 0; k < 5; ++k) sum += std::exp(logits[5 * i + k] - largest);
      for (std::size_t k = 0; k < 5; ++k) {
        const double p = std::exp(logits[5 * i + k] - largest) / sum;
        const bool right = k == static_cast<std::size_t>(labels[i]);
        CHECK(r.template get<"p">()[5 * i + k] == test::Approx(p).margin(1e-15));
        CHECK(r.template get<"g">()[5 * i + k] ==
              test::Approx((p - (right ? 1 : 0)) / static_cast<double>(batch)).margin(1e-15));
        if (right) loss += largest + std::log(sum) - logits[5 * i + k];
      }
    }
    CHECK(r.template get<"loss">()[0] == test::Approx(loss / static_cast<double>(batch)));
  }
}

TEST_CASE("a label outside the classes is an error that names it") {
  tl::function f{classifier<int>{}};
  const std::vector<double> logits(10);
  CHECK_THROWS_WITH(f("logits"_t = logits, "label"_t = std::vector<int>{1, 5}),
                    test::contains("input \"label\" holds 5 at position 1") && test::contains("from 0 to 4"));
  CHECK_THROWS_AS(f("logits"_t = logits, "label"_t = std::vector<int>{-1, 2}), tl::error);
}

TEST_CASE("a softmax of large numbers in float is exact to its last digits") {
  tl::function f{[] {
    auto x = tl::input<"x", float, 3>;
    return tl::outputs(tl::named<"p">(tl::softmax(x)), tl::named<"log">(tl::log_softmax(x)));
  }};
  auto r = f("x"_t = std::vector<float>{1e4f, 1e4f, 9999});
  const double sum = 2 + std::exp(-1.0);
  CHECK(r.get<"p">()[0] == test::Approx(1 / sum).epsilon(1e-6));
  CHECK(r.get<"p">()[2] == test::Approx(std::exp(-1.0) / sum).epsilon(1e-6));
  CHECK(r.get<"log">()[2] == test::Approx(-1 - std::log(sum)).epsilon(1e-6));
}
