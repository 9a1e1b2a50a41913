// SPDX-License-Identifier: BSL-1.0
// Losses of classes against plain loops: weights, smoothing, ignored labels, probabilities, reductions;
// masked rows and batches in which no row counts.
#include "catch.hpp"
#include "program.hpp"

#include <cmath>
#include <limits>

namespace {

using tl::loss, tl::reduction;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr auto n = tl::dyn<"n">;

void check(const std::vector<double>& found, const std::vector<double>& expected) {
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    INFO("element " << i << ": " << found[i] << ", expected " << expected[i]);
    CHECK((found[i] == expected[i] || std::abs(found[i] - expected[i]) < 1e-12));
  }
}

/// The same by loops: rows of `classes` logits, w one weight a class.
struct loops {
  std::size_t classes;
  std::vector<double> logits, w;
  double smoothing = 0;
  int ignored = tl::no_index;

  double log_probability(std::size_t row, std::size_t c) const {
    double sum = 0;
    for (std::size_t k = 0; k < classes; ++k) sum += std::exp(logits[classes * row + k]);
    return logits[classes * row + c] - std::log(sum);
  }
  std::vector<double> losses(const std::vector<int>& labels) const {
    std::vector<double> all;
    for (std::size_t row = 0; row < labels.size(); ++row) {
      double one = 0;
      if (labels[row] != ignored) {
        const auto y = static_cast<std::size_t>(labels[row]);
        one = -(1 - smoothing) * w[y] * log_probability(row, y);
        for (std::size_t c = 0; c < classes; ++c)
          one -= smoothing / double(classes) * w[c] * log_probability(row, c);
      }
      all.push_back(one);
    }
    return all;
  }
  double weight(const std::vector<int>& labels) const {
    double sum = 0;
    for (int y : labels) sum += y == ignored ? 0 : w[static_cast<std::size_t>(y)];
    return sum;
  }
};

double sum(const std::vector<double>& x) {
  double total = 0;
  for (double v : x) total += v;
  return total;
}

constexpr loss squared{.reduce = reduction::none, .margin = 0.5, .power = 2};
constexpr loss each{.reduce = reduction::none}, total{.reduce = reduction::sum},
    by_batch{.reduce = reduction::batch_mean}, smooth{.label_smoothing = 0.25},
    all_options{.label_smoothing = 0.25, .ignore_index = -100}, without_two{.ignore_index = 2},
    each_without_two{.reduce = reduction::none, .ignore_index = 2};

template <class T>
struct models {
  constexpr auto operator()() const {
    auto x = tl::input<"x", double, n, 2, 5>;
    auto y = tl::input<"y", T, n, 2>;
    auto w = tl::input<"w", double, 5>;
    return tl::outputs(tl::named<"mean">(tl::cross_entropy(x, y)),
                       tl::named<"sum">(tl::cross_entropy<total>(x, y)),
                       tl::named<"none">(tl::cross_entropy<each>(x, y)),
                       tl::named<"batch">(tl::cross_entropy<by_batch>(x, y)),
                       tl::named<"weighted">(tl::cross_entropy(x, y, w)),
                       tl::named<"smooth">(tl::cross_entropy<smooth>(x, y)),
                       tl::named<"two">(tl::cross_entropy<without_two>(x, y)),
                       tl::named<"nll">(tl::nll_loss<each_without_two>(tl::log_softmax(x), y, w)),
                       tl::named<"weighted nll">(tl::nll_loss(tl::log_softmax(x), y, w)));
  }
};

}  // namespace

TEMPLATE_TEST_CASE("cross_entropy and nll_loss agree with loops", "", std::int32_t, std::int64_t) {
  tl::function f{models<TestType>{}};
  for (const std::size_t batch : {1u, 4u}) {
    const auto x = test::numbers(5).vector(10 * batch, -3, 3), w = test::numbers(6).vector(5, 0.1, 2);
    std::vector<TestType> y(2 * batch);
    std::vector<int> labels(2 * batch);
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = labels[i] = static_cast<int>(3 * i % 5);
    auto r = f("x"_t = x, "y"_t = y, "w"_t = w);
    const std::vector<double> ones(5, 1);
    const double rows = 2 * double(batch);
    const loops plain{5, x, ones}, weighted{5, x, w}, smoothed{5, x, ones, 0.25}, two{5, x, ones, 0, 2},
        weighted_two{5, x, w, 0, 2};
    const std::vector<double> single = plain.losses(labels);
    check(test::elements(r.template get<"none">()), single);
    check({r.template get<"mean">()[0], r.template get<"sum">()[0], r.template get<"batch">()[0]},
          {sum(single) / rows, sum(single), sum(single) / double(batch)});
    check({r.template get<"weighted">()[0]}, {sum(weighted.losses(labels)) / weighted.weight(labels)});
    check({r.template get<"smooth">()[0]}, {sum(smoothed.losses(labels)) / rows});
    check({r.template get<"two">()[0]}, {sum(two.losses(labels)) / two.weight(labels)});
    check(test::elements(r.template get<"nll">()), weighted_two.losses(labels));
    check({r.template get<"weighted nll">()[0]}, {sum(weighted.losses(labels)) / weighted.weight(labels)});
  }
}

namespace {

constexpr auto ignoring = [] {
  auto x = tl::input<"x", double, n, 3>;
  auto y = tl::input<"y", int, n>;
  auto l = tl::cross_entropy<all_options>(x, y, tl::input<"w", double, 3>);
  return tl::outputs(tl::named<"l">(l), tl::named<"g">(tl::grad(l, x)));
};

}  // namespace

TEST_CASE("rows with the ignored label count nothing, whatever their logits") {
  tl::function f{ignoring};
  const std::vector<double> w{0.5, 1, 2}, one{0.3, -0.2, 1, 1, 0, -2};
  std::vector<double> x = one;
  x.insert(x.begin() + 3, {-infinity, -infinity, -infinity});
  x.insert(x.end(), {infinity, 0, std::nan("")});
  auto r = f("x"_t = x, "y"_t = std::vector<int>{2, -100, 0, -100}, "w"_t = w);
  const loops expected{3, one, w, 0.25};
  check({r.get<"l">()[0]}, {sum(expected.losses({2, 0})) / 2.5});
  const std::vector<double> with = test::elements(r.get<"g">());
  auto s = f("x"_t = one, "y"_t = std::vector<int>{2, 0}, "w"_t = w);
  const std::vector<double> without = test::elements(s.get<"g">());
  check({with.begin(), with.begin() + 3}, {without.begin(), without.begin() + 3});
  check({with.begin() + 6, with.begin() + 9}, {without.begin() + 3, without.end()});
  check({with.begin() + 3, with.begin() + 6}, {0, 0, 0});
  check({with.begin() + 9, with.end()}, {0, 0, 0});
  CHECK_THROWS_WITH(f("x"_t = one, "y"_t = std::vector<int>{2, -99}, "w"_t = w),
                    test::contains("input \"y\" holds -99 at position 1"));
}

TEST_CASE("the mean over no rows is NaN, and its gradient 0") {
  tl::function f{ignoring};
  const std::vector<double> w{0.5, 1, 2};
  auto r = f("x"_t = std::vector<double>(6, 1), "y"_t = std::vector<int>{-100, -100}, "w"_t = w);
  CHECK(std::isnan(r.get<"l">()[0]));
  check(test::elements(r.get<"g">()), std::vector<double>(6, 0));
  auto none = f("x"_t = std::vector<double>{}, "y"_t = std::vector<int>{}, "w"_t = w);
  CHECK(std::isnan(none.get<"l">()[0]));
}

TEST_CASE("a row of logits that are all -infinity has the loss NaN, and leaves the others alone") {
  tl::function f{[] {
    auto x = tl::input<"x", double, n, 3>;
    auto l = tl::cross_entropy<total>(x, tl::input<"y", int, n>);
    auto single = tl::cross_entropy<each>(x, tl::input<"y", int, n>);
    return tl::outputs(tl::named<"l">(single), tl::named<"g">(tl::grad(l, x)));
  }};
  auto r = f("x"_t = std::vector<double>{1, 1, -infinity, -infinity, -infinity, -infinity, 0, 0, -infinity},
             "y"_t = std::vector<int>{0, 1, 2});
  CHECK(r.get<"l">()[0] == test::Approx(std::log(2.0)));
  CHECK(std::isnan(r.get<"l">()[1]));
  CHECK(r.get<"l">()[2] == infinity);
  const std::vector<double> g = test::elements(r.get<"g">());
  check({g[0], g[1], g[2], g[6], g[7], g[8]}, {-0.5, 0.5, 0, 0.5, 0.5, -1});
  for (double v : g) CHECK(std::isfinite(v));
}

TEST_CASE("cross_entropy of probabilities") {
  tl::function f{[] {
    auto x = tl::input<"x", double, n, 3>;
    auto q = tl::input<"q", double, n, 3>;
    auto w = tl::input<"w", double, 3>;
    auto l = tl::cross_entropy<each>(x, q);
    return tl::outputs(tl::named<"l">(l), tl::named<"g">(tl::grad(tl::sum(l), x)),
                       tl::named<"mean">(tl::cross_entropy<smooth>(x, q, w)));
  }};
  const std::vector<double> x{0.5, -1, 2, 0, 1, 1}, q{0.2, 0.3, 0.5, 1, 0, 0}, w{0.5, 1, 2};
  auto r = f("x"_t = x, "q"_t = q, "w"_t = w);
  const loops by{3, x, w};
  std::vector<double> expected(2), g(6);
  double mean = 0;
  for (std::size_t row = 0; row < 2; ++row)
    for (std::size_t c = 0; c < 3; ++c) {
      const double surprise = -by.log_probability(row, c);
      expected[row] += q[3 * row + c] * surprise;
      g[3 * row + c] = std::exp(-surprise) - q[3 * row + c];
      mean += w[c] * (0.75 * q[3 * row + c] + 0.25 / 3) * surprise / 2;
    }
  check(test::elements(r.get<"l">()), expected);
  check(test::elements(r.get<"g">()), g);
  check({r.get<"mean">()[0]}, {mean});
  // What cannot be, and is not expected, adds nothing.
  auto s =
      f("x"_t = std::vector<double>{0, 0, -infinity}, "q"_t = std::vector<double>{0.5, 0.5, 0}, "w"_t = w);
  check(test::elements(s.get<"l">()), {std::log(2.0)});
  check(test::elements(s.get<"g">()), {0, 0, 0});
}

TEST_CASE("multi_margin_loss") {
  tl::function f{[] {
    auto x = tl::input<"x", double, n, 3>;
    auto y = tl::input<"y", std::int64_t, n>;
    return tl::outputs(tl::named<"mean">(tl::multi_margin_loss(x, y)),
                       tl::named<"squared">(tl::multi_margin_loss<squared>(x, y)));
  }};
  auto r = f("x"_t = std::vector<double>{1, 2, 0.5, 3, 0, 0}, "y"_t = std::vector<std::int64_t>{0, 0});
  check({r.get<"mean">()[0]}, {(2 + 0.5) / 3 / 2});
  check(test::elements(r.get<"squared">()), {1.5 * 1.5 / 3, 0});
}
