// SPDX-License-Identifier: BSL-1.0
// A sample of the weight 0 counts nothing even where its loss is NaN: neither in the loss nor in gradients.
#include "catch.hpp"
#include "program.hpp"

#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include <tapeless/ops/loss.hpp>
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;
using namespace tl::literals;

namespace {

constexpr auto n = tl::dyn<"n">;
constexpr tl::loss total{.reduce = tl::reduction::sum}, smoothed{.label_smoothing = 0.1};

/// Losses whose second sample is removed, and their gradients by the predictions.
struct removed_samples {
  constexpr auto operator()() const {
    auto x = tl::input<"x", double, n, 3>;
    auto t = tl::input<"t", double, n, 3>;
    auto column = tl::input<"column", double, n>;
    auto y = tl::input<"y", int, n>;
    auto w = tl::sample_weights(tl::input<"w", double, n>);
    auto p = tl::exp(x);
    auto by_x = [=](auto l) { return tl::grad(l, x); };
    auto mse = tl::mse_loss(x, t, w);
    auto huber = tl::huber_loss<total>(x, t, w);
    auto soft = tl::cross_entropy(x, t, w);
    auto labels = tl::cross_entropy(tl::log(p), y, w);
    auto bce = tl::bce_loss(tl::sigmoid(x), t, w);
    auto logits = tl::bce_with_logits_loss(x, t, w);
    auto gaussian = tl::gaussian_nll_loss(x, t, p, w);
    auto cosine = tl::cosine_embedding_loss(x, t, column, w);
    return tl::outputs(
        tl::named<"mse">(mse), tl::named<"mse by x">(by_x(mse)), tl::named<"huber">(huber),
        tl::named<"huber by x">(by_x(huber)), tl::named<"soft">(soft), tl::named<"soft by x">(by_x(soft)),
        tl::named<"labels">(labels), tl::named<"labels by x">(by_x(labels)), tl::named<"bce">(bce),
        tl::named<"bce by x">(by_x(bce)), tl::named<"logits">(logits), tl::named<"logits by x">(by_x(logits)),
        tl::named<"gaussian">(gaussian), tl::named<"gaussian by x">(by_x(gaussian)),
        tl::named<"cosine">(cosine), tl::named<"cosine by x">(by_x(cosine)));
  }
};

constexpr auto regression = [] {
  auto x = tl::input<"x", float, n, 2>;
  auto y = tl::input<"y", float, n, 1>;
  return tl::mse_loss(tl::linear<"out", 1>(x), y, tl::sample_weights(tl::input<"w", float, n>));
};

/// A loss of values, targets and labels, and its gradient.
template <class Loss>
struct one_loss {
  constexpr auto operator()() const {
    auto x = tl::input<"x", double, n, 3>;
    auto w = tl::sample_weights(tl::input<"w", double, n>);
    auto t = tl::input<"t", double, n, 3>;
    auto y = tl::input<"y", int, n>;
    auto loss = Loss{}(x, t, y, w);
    return tl::outputs(tl::named<"loss">(loss), tl::named<"by x">(tl::grad(loss, x)), tl::named<"t">(t),
                       tl::named<"y">(y));
  }
};
/// Its second sample, of which nothing is a number, counts nothing.
template <class Loss>
void leaves_out(const Loss&) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  tl::function f{one_loss<Loss>{}};
  const std::vector<double> x{0.5, -1, 0.25, nan, nan, nan, 0.75, 0.5, -2},
      t{0.25, 0.5, 0.75, nan, nan, nan, 0.5, 0.125, 0.375}, two_x{0.5, -1, 0.25, 0.75, 0.5, -2},
      two_t{0.25, 0.5, 0.75, 0.5, 0.125, 0.375};
  const auto all =
      f("x"_t = x, "t"_t = t, "y"_t = std::vector<int>{0, 1, 2}, "w"_t = std::vector<double>{1, 0, 2});
  const double loss = all.template get<"loss">()[0];
  const std::vector<double> by_x = test::elements(all.template get<"by x">());
  const auto two =
      f("x"_t = two_x, "t"_t = two_t, "y"_t = std::vector<int>{0, 2}, "w"_t = std::vector<double>{1, 2});
  CHECK(loss == test::Approx(two.template get<"loss">()[0]).epsilon(1e-12));
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(by_x[i] == test::Approx(two.template get<"by x">()[i]).epsilon(1e-12));
    CHECK(by_x[3 + i] == 0);
    CHECK(by_x[6 + i] == test::Approx(two.template get<"by x">()[3 + i]).epsilon(1e-12));
  }
}

}  // namespace

TEST_CASE("a sample of the weight 0 may be no numbers at all") {
  leaves_out([](auto x, auto, auto y, auto w) { return tl::nll_loss(x, y, w); });
  leaves_out([](auto x, auto, auto y, auto w) { return tl::multi_margin_loss(x, y, w); });
  leaves_out([](auto x, auto, auto y, auto w) { return tl::focal_loss(x, y, w); });
  leaves_out([](auto x, auto t, auto, auto w) { return tl::dice_loss(x, t, w); });
  leaves_out([](auto x, auto t, auto, auto w) { return tl::tversky_loss(x, t, w); });
  leaves_out([](auto x, auto t, auto, auto w) { return tl::margin_ranking_loss(x, 2_c * x, t, w); });
  leaves_out([](auto x, auto t, auto, auto w) { return tl::triplet_margin_loss(x, t, -t, w); });
  leaves_out([](auto x, auto t, auto, auto w) { return tl::multilabel_soft_margin_loss(x, t, w); });
  leaves_out([](auto x, auto t, auto, auto w) { return tl::wasserstein_loss(x, t, w); });
}

namespace {

/// The gradients of a loss by the weights of three classes.
template <class Loss>
struct by_class_weights {
  constexpr auto operator()() const {
    auto x = tl::input<"x", double, n, 3>;
    auto c = tl::input<"c", double, 3>;
    auto y = tl::input<"y", int, n>;
    auto loss = Loss{}(x, y, c, tl::sample_weights(tl::input<"w", double, n>));
    return tl::outputs(tl::named<"by c">(tl::grad(loss, c)), tl::named<"y">(y));
  }
};
template <class Loss>
void leaves_class_weights(const Loss&) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  tl::function f{by_class_weights<Loss>{}};
  const std::vector<double> c{0.5, 1, 2};
  const auto all = f("x"_t = std::vector<double>{0.5, -1, 0.25, nan, nan, nan, 0.75, 0.5, -2}, "c"_t = c,
                     "y"_t = std::vector<int>{0, 1, 2}, "w"_t = std::vector<double>{1, 0, 2});
  const auto two = f("x"_t = std::vector<double>{0.5, -1, 0.25, 0.75, 0.5, -2}, "c"_t = c,
                     "y"_t = std::vector<int>{0, 2}, "w"_t = std::vector<double>{1, 2});
  for (std::size_t i = 0; i < 3; ++i)
    CHECK(all.template get<"by c">()[i] == test::Approx(two.template get<"by c">()[i]).epsilon(1e-12));
}

}  // namespace

TEST_CASE("weights of classes get no NaN from a sample of the weight 0 that is no numbers") {
  leaves_class_weights([](auto x, auto y, auto c, auto w) { return tl::cross_entropy(x, y, c, w); });
  leaves_class_weights(
      [](auto x, auto y, auto c, auto w) { return tl::cross_entropy<smoothed>(x, y, c, w); });
  leaves_class_weights([](auto x, auto, auto c, auto w) { return tl::cross_entropy(x, x * x, c, w); });
  leaves_class_weights([](auto x, auto y, auto c, auto w) { return tl::nll_loss(x, y, c, w); });
  leaves_class_weights([](auto x, auto y, auto c, auto w) { return tl::multi_margin_loss(x, y, c, w); });
  leaves_class_weights(
      [](auto x, auto, auto c, auto w) { return tl::multilabel_soft_margin_loss(x, x * x, c, w); });
  leaves_class_weights([](auto x, auto, auto c, auto w) {
    return tl::bce_with_logits_loss(x, x * x, tl::element_weights(c), w);
  });
  leaves_class_weights([](auto x, auto, auto c, auto w) { return tl::bce_with_logits_loss(x, x * x, c, w); });
  leaves_class_weights([](auto x, auto y, auto c, auto w) { return tl::focal_loss(x, y, c, w); });
}

TEST_CASE("a sample of the weight 0 may have a target that is NaN") {
  tl::function f{removed_samples{}};
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> x{0.5, -1, 0.25, 1, 2, -0.5, 0.75, 0.5, -2},
      t{0.25, 0.5, 0.25, nan, nan, nan, 0.5, 0.125, 0.375}, w{1, 0, 2}, column{1, nan, -1};
  const auto without = [](std::vector<double> all, std::ptrdiff_t width) {
    all.erase(all.begin() + width, all.begin() + 2 * width);
    return all;
  };
  const auto found =
      f("x"_t = x, "t"_t = t, "column"_t = column, "y"_t = std::vector<int>{0, 1, 2}, "w"_t = w);
  tl::function g{removed_samples{}};
  const auto expected = g("x"_t = without(x, 3), "t"_t = without(t, 3), "column"_t = without(column, 1),
                          "y"_t = std::vector<int>{0, 2}, "w"_t = without(w, 1));
  const auto compare = [&]<tl::name Name>() {
    INFO(std::string(Name.view()));
    CHECK(found.get<Name>()[0] == test::Approx(expected.get<Name>()[0]).epsilon(1e-12));
  };
  compare.operator()<"mse">();
  compare.operator()<"huber">();
  compare.operator()<"soft">();
  compare.operator()<"labels">();
  compare.operator()<"bce">();
  compare.operator()<"logits">();
  compare.operator()<"gaussian">();
  compare.operator()<"cosine">();
  const auto compare_gradient = [&]<tl::name Name>() {
    INFO(std::string(Name.view()));
    const auto all = test::elements(found.get<Name>()), few = test::elements(expected.get<Name>());
    for (std::size_t i = 0; i < 3; ++i) {
      CHECK(all[i] == test::Approx(few[i]).epsilon(1e-12));
      CHECK(all[3 + i] == 0);
      CHECK(all[6 + i] == test::Approx(few[3 + i]).epsilon(1e-12));
    }
  };
  compare_gradient.operator()<"mse by x">();
  compare_gradient.operator()<"huber by x">();
  compare_gradient.operator()<"soft by x">();
  compare_gradient.operator()<"labels by x">();
  compare_gradient.operator()<"bce by x">();
  compare_gradient.operator()<"logits by x">();
  compare_gradient.operator()<"gaussian by x">();
  compare_gradient.operator()<"cosine by x">();
}

TEST_CASE("parameters stay finite where an unknown target has the weight 0; of no weight the mean is NaN") {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  tl::trainer net{regression, tl::sgd({.learning_rate = 0.1f})};
  const std::vector<float> x{1, 2, 3, 4}, y{1, nan}, w{1, 0};
  const float first = net.step("x"_t = x, "y"_t = y, "w"_t = w).loss();
  const float second = net.step("x"_t = x, "y"_t = y, "w"_t = w).loss();
  CHECK((std::isfinite(first) && second < first));
  CHECK(std::isfinite(net.parameter<"out.weight">()[0]));
  CHECK(std::isnan(net.step("x"_t = x, "y"_t = y, "w"_t = std::vector<float>{0, 0}).loss()));
}

TEST_CASE("a removed element may have an unknown target, where its variance is that of a whole row") {
  tl::function f{[] {
    auto v = tl::input<"v", double, n>;
    auto loss = tl::gaussian_nll_loss<total>(tl::input<"x", double, n, 2>, tl::input<"t", double, n, 2>, v,
                                             tl::sample_weights(tl::input<"w", double, n, 2>));
    return tl::outputs(tl::named<"loss">(loss), tl::named<"by v">(tl::grad(loss, v)));
  }};
  const double unknown = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> v{2, 3}, x{1, 2, 3, 4}, t{2, 4, unknown, 1}, w{1, 2, 0, 1};
  const auto r = f("v"_t = v, "x"_t = x, "t"_t = t, "w"_t = w);
  double loss = 0, by_v[2] = {};
  for (std::size_t i = 0; i < 4; ++i) {
    if (w[i] == 0) continue;
    const double d = x[i] - t[i], of = v[i / 2];
    loss += w[i] * 0.5 * (std::log(of) + d * d / of);
    by_v[i / 2] += w[i] * 0.5 * (1 / of - d * d / (of * of));
  }
  CHECK(r.get<"loss">()[0] == test::Approx(loss).epsilon(1e-13));
  for (std::size_t i = 0; i < 2; ++i) CHECK(r.get<"by v">()[i] == test::Approx(by_v[i]).epsilon(1e-13));
}
