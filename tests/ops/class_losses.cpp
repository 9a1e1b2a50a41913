// SPDX-License-Identifier: BSL-1.0
// Losses of classes against plain loops: weights, smoothing, ignored labels, probabilities, reductions;
// masked rows and batches in which no row counts.
#include "catch.hpp"
#include "policies.hpp"
#include "program.hpp"

#include <tapeless/ops/loss/multi_margin_loss.hpp>

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

namespace {

/// By labels and by probabilities, with smoothing; second derivatives along v.
template <class T>
struct of_large_logits {
  constexpr auto operator()() const {
    auto x = tl::input<"x", T, n, 3>;
    auto v = tl::input<"v", T, n, 3>;
    auto y = tl::input<"y", int, n>;
    auto l = tl::cross_entropy<each>(x, y);
    auto smoothed = tl::cross_entropy<loss{.reduce = reduction::none, .label_smoothing = 0.25}>(x, y);
    auto uniform = tl::cross_entropy<each>(x, 0_c * v + 0.25_c);
    auto g = tl::grad(tl::sum(l), x);
    return tl::outputs(tl::named<"l">(l), tl::named<"smoothed">(smoothed), tl::named<"uniform">(uniform),
                       tl::named<"margin">(tl::multi_margin_loss<each>(x, y)), tl::named<"g">(g),
                       tl::named<"h">(tl::vjp(g, x, v)));
  }
};

}  // namespace

TEMPLATE_TEST_CASE("losses of large logits are those of their differences", "", float, double) {
  test::on_each_policy([]<class Policy>() {
    tl::function<of_large_logits<TestType>, Policy> f{of_large_logits<TestType>{}};
    const auto big = TestType(1e30f);
    // The difference of the fourth row is one in float, too.
    const std::vector<TestType> x{1e8f, 1e8f, 1e8f,     -big, -big, -big, big, big, big,
                                  1e8f, 1e8f, 99999992, 0,    40,   0,    0.5, -1,  2};
    const std::vector<TestType> v{1, 2, 4, 1, 2, 4, 1, 2, 4, 1, 2, 4, 1, 2, 4, 1, 2, 4};
    const std::vector<int> y{0, 1, 2, 2, 1, 0};
    auto r = f("x"_t = x, "v"_t = v, "y"_t = y);
    for (std::size_t row = 0; row < 6; ++row) {
      INFO("row " << row);
      double p[3], sum = 0, mean = 0, expected = 0, all = 0, within = 0;
      const auto label = static_cast<std::size_t>(y[row]);
      const TestType* const at = &x[3 * row];
      for (std::size_t c = 0; c < 3; ++c) sum += p[c] = std::exp(double(at[c]) - double(at[label]));
      for (std::size_t c = 0; c < 3; ++c) {
        p[c] /= sum;
        mean += p[c] * double(v[3 * row + c]);
        all += std::log(sum) - (double(at[c]) - double(at[label]));
        within += c == label ? 0 : std::max(0.0, 1 + (double(at[c]) - double(at[label]))) / 3;
      }
      expected = std::log(sum);
      const auto close = [](double to) { return test::Approx(to).epsilon(1e-6).margin(1e-12); };
      CHECK(r.template get<"l">()[row] == close(expected));
      CHECK(r.template get<"smoothed">()[row] == close(0.75 * expected + 0.25 / 3 * all));
      CHECK(r.template get<"uniform">()[row] == close(0.25 * all));
      CHECK(r.template get<"margin">()[row] == close(within));
      for (std::size_t c = 0; c < 3; ++c) {
        CHECK(r.template get<"g">()[3 * row + c] == close(p[c] - (c == label ? 1 : 0)).margin(1e-7));
        CHECK(r.template get<"h">()[3 * row + c] ==
              close(p[c] * (double(v[3 * row + c]) - mean)).margin(1e-6));
      }
    }
  });
}

namespace {

// Labels that nobody can check before they are computed.
template <class T>
struct computed_labels {
  constexpr auto operator()() const {
    auto x = tl::input<"x", double, n, 3>;
    auto y = tl::cast<T>(tl::input<"y", double, n>);
    auto w = tl::input<"w", double, 3>;
    constexpr loss ignoring_two{.reduce = reduction::none, .ignore_index = -2};
    auto plain = tl::cross_entropy<each>(x, y);
    auto ignored = tl::cross_entropy<ignoring_two>(x, y, w);
    return tl::outputs(tl::named<"plain">(plain), tl::named<"mean">(tl::cross_entropy(x, y)),
                       tl::named<"ignored">(ignored), tl::named<"nll">(tl::nll_loss<ignoring_two>(x, y)),
                       tl::named<"margin">(tl::multi_margin_loss<each>(x, y)),
                       tl::named<"hot">(tl::one_hot<3, double>(y)),
                       tl::named<"g">(tl::grad(tl::sum(ignored), x)));
  }
};

}  // namespace

TEMPLATE_TEST_CASE("labels that are computed and none of the classes give NaN, and no others", "",
                   std::int32_t, std::int64_t) {
  test::on_each_policy([]<class Policy>() {
    tl::function<computed_labels<TestType>, Policy> f{computed_labels<TestType>{}};
    const double none = std::nan("");
    const std::vector<double> y{0, 2, 3, -1, -2, 1e30, -1e30, none, infinity, -infinity, 1};
    const bool is_class[] = {true, true, false, false, false, false, false, false, false, false, true};
    const std::size_t rows = y.size();
    auto r = f("x"_t = test::numbers().vector(3 * rows), "y"_t = y, "w"_t = std::vector<double>{1, 2, 3});
    for (std::size_t i = 0; i < rows; ++i) {
      INFO("row " << i);
      const bool is_ignored = i == 4;
      CHECK(std::isnan(r.template get<"plain">()[i]) == !is_class[i]);
      CHECK(std::isnan(r.template get<"margin">()[i]) == !is_class[i]);
      CHECK(std::isnan(r.template get<"ignored">()[i]) == !(is_class[i] || is_ignored));
      CHECK(std::isnan(r.template get<"nll">()[i]) == !(is_class[i] || is_ignored));
      if (is_ignored) CHECK(r.template get<"nll">()[i] == 0);
      double hot = 0;
      for (std::size_t c = 0; c < 3; ++c) {
        hot += r.template get<"hot">()[3 * i + c];
        CHECK(std::isnan(r.template get<"g">()[3 * i + c]) == !(is_class[i] || is_ignored));
        if (is_ignored) CHECK(r.template get<"g">()[3 * i + c] == 0);
      }
      CHECK(hot == (is_class[i] ? 1 : 0));
    }
    CHECK(std::isnan(r.template get<"mean">()[0]));
    const std::vector<double> classes{0, 1, 2};
    auto all = f("x"_t = test::numbers().vector(9), "y"_t = classes, "w"_t = std::vector<double>{1, 2, 3});
    CHECK(std::isfinite(all.template get<"mean">()[0]));
  });
}
