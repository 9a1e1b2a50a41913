// SPDX-License-Identifier: BSL-1.0
// A sample of the weight 2 is the sample twice, one of the weight 0 is as if it were not there: in every
// loss, with every reduction.
#include "catch.hpp"
#include "policies.hpp"
#include "program.hpp"

#include <tapeless/ops/loss.hpp>

#include <limits>

namespace {

using tl::loss, tl::reduction;

constexpr auto n = tl::dyn<"n">;

constexpr loss total{.reduce = reduction::sum}, by_batch{.reduce = reduction::batch_mean},
    smooth{.label_smoothing = 0.25}, ignoring{.ignore_index = 2}, each{.reduce = reduction::none};

template <bool Weighted, class Loss>
constexpr auto with_weights(Loss l) {
  if constexpr (Weighted) {
    return l(tl::sample_weights(tl::input<"w", double, n>));
  } else {
    return l();
  }
}

template <bool Weighted>
struct losses {
  constexpr auto operator()() const {
    constexpr auto weigh = [](auto l) { return with_weights<Weighted>(l); };
    auto x = tl::input<"x", double, n, 3>;
    auto t = tl::input<"t", double, n, 3>;
    auto y = tl::input<"y", int, n>;
    auto c = tl::input<"c", double, 3>;
    auto p = tl::sigmoid(t);
    auto alike = tl::input<"alike", double, n>;
    return tl::outputs(
        tl::named<"mse">(weigh([=](auto... w) { return tl::mse_loss(x, t, w...); })),
        tl::named<"mse sum">(weigh([=](auto... w) { return tl::mse_loss<total>(x, t, w...); })),
        tl::named<"mse batch">(weigh([=](auto... w) { return tl::mse_loss<by_batch>(x, t, w...); })),
        tl::named<"l1">(weigh([=](auto... w) { return tl::l1_loss(x, t, w...); })),
        tl::named<"huber">(weigh([=](auto... w) { return tl::huber_loss(x, t, w...); })),
        tl::named<"smooth l1">(weigh([=](auto... w) { return tl::smooth_l1_loss(x, t, w...); })),
        tl::named<"hinge">(weigh([=](auto... w) { return tl::hinge_loss(x, t, w...); })),
        tl::named<"bce">(weigh([=](auto... w) { return tl::bce_loss(tl::sigmoid(x), p, w...); })),
        tl::named<"logits">(weigh([=](auto... w) { return tl::bce_with_logits_loss(x, p, w...); })),
        tl::named<"positive">(weigh([=](auto... w) { return tl::bce_with_logits_loss(x, p, c, w...); })),
        tl::named<"kl">(
            weigh([=](auto... w) { return tl::kl_div<by_batch>(tl::log_softmax(x), tl::softmax(t), w...); })),
        tl::named<"poisson">(weigh([=](auto... w) { return tl::poisson_nll_loss(x, p, w...); })),
        tl::named<"entropy">(weigh([=](auto... w) { return tl::cross_entropy(x, y, w...); })),
        tl::named<"classes">(weigh([=](auto... w) { return tl::cross_entropy<smooth>(x, y, c, w...); })),
        tl::named<"ignored">(weigh([=](auto... w) { return tl::cross_entropy<ignoring>(x, y, w...); })),
        tl::named<"soft">(weigh([=](auto... w) { return tl::cross_entropy(x, tl::softmax(t), c, w...); })),
        tl::named<"nll">(
            weigh([=](auto... w) { return tl::nll_loss<ignoring>(tl::log_softmax(x), y, c, w...); })),
        tl::named<"nll batch">(
            weigh([=](auto... w) { return tl::nll_loss<by_batch>(tl::log_softmax(x), y, w...); })),
        tl::named<"margin">(weigh([=](auto... w) { return tl::multi_margin_loss(x, y, w...); })),
        tl::named<"triplet">(weigh([=](auto... w) { return tl::triplet_margin_loss(x, t, p, w...); })),
        tl::named<"cosine">(weigh([=](auto... w) { return tl::cosine_embedding_loss(x, t, alike, w...); })));
  }
};

// Those that most programs do not want.
template <bool Weighted>
struct other_losses {
  constexpr auto operator()() const {
    constexpr auto weigh = [](auto l) { return with_weights<Weighted>(l); };
    auto x = tl::input<"x", double, n, 3>;
    auto t = tl::input<"t", double, n, 3>;
    auto y = tl::input<"y", int, n, 3>;
    auto p = tl::sigmoid(t);
    auto sign = tl::sign(t);
    return tl::outputs(
        tl::named<"dice">(weigh([=](auto... w) { return tl::dice_loss(tl::sigmoid(x), p, w...); })),
        tl::named<"focal of classes">(
            weigh([=](auto... w) { return tl::focal_loss(x, tl::argmax<-1>(t), w...); })),
        tl::named<"gaussian">(weigh([=](auto... w) { return tl::gaussian_nll_loss(x, t, p, w...); })),
        tl::named<"hinge">(weigh([=](auto... w) { return tl::hinge_embedding_loss(x, sign, w...); })),
        tl::named<"ranking">(weigh([=](auto... w) { return tl::margin_ranking_loss(x, p, sign, w...); })),
        tl::named<"labels">(weigh([=](auto... w) { return tl::multilabel_margin_loss(x, y, w...); })),
        tl::named<"soft labels">(
            weigh([=](auto... w) { return tl::multilabel_soft_margin_loss(x, p, w...); })),
        tl::named<"focal">(weigh([=](auto... w) { return tl::sigmoid_focal_loss(x, p, w...); })),
        tl::named<"soft margin">(weigh([=](auto... w) { return tl::soft_margin_loss(x, sign, w...); })),
        tl::named<"tversky">(weigh([=](auto... w) { return tl::tversky_loss(tl::sigmoid(x), p, w...); })),
        tl::named<"wasserstein">(weigh([=](auto... w) { return tl::wasserstein_loss(x, t, w...); })));
  }
};

/// Rows of `width` numbers, each as often as `times` says.
template <class T>
std::vector<T> repeated(const std::vector<T>& rows, std::size_t width, const std::vector<int>& times) {
  std::vector<T> all;
  for (std::size_t i = 0; i < times.size(); ++i)
    for (int k = 0; k < times[i]; ++k)
      all.insert(all.end(), rows.begin() + static_cast<std::ptrdiff_t>(i * width),
                 rows.begin() + static_cast<std::ptrdiff_t>((i + 1) * width));
  return all;
}

/// The results of these names are equal.
template <tl::name... Names>
void compare(const auto& found, const auto& expected) {
  (
      [&] {
        INFO(std::string(Names.view()));
        CHECK(found.template get<Names>()[0] ==
              test::Approx(expected.template get<Names>()[0]).epsilon(1e-12));
      }(),
      ...);
}

constexpr auto shapes = [] {
  auto x = tl::input<"x", double, n, 3>;
  auto w = tl::input<"w", double, n>;
  auto columns = tl::input<"columns", double, 1, 3>;
  return tl::outputs(tl::named<"none">(tl::mse_loss<each>(x, 0_c, tl::sample_weights(w))),
                     tl::named<"columns">(tl::mse_loss(x, 0_c, tl::sample_weights(columns))),
                     tl::named<"number">(tl::mse_loss<total>(x, 0_c, tl::sample_weights(2_c))),
                     tl::named<"by w">(tl::grad(tl::mse_loss(x, 0_c, tl::sample_weights(w)), w)));
};

}  // namespace

TEST_CASE("a weighted sample counts as the sample so many times") {
  test::on_each_policy([]<class Policy>() {
    tl::function<losses<true>, Policy> weighted{losses<true>{}};
    tl::function<losses<false>, Policy> plain{losses<false>{}};
    const std::vector<int> times{1, 2, 0, 3};
    const auto x = test::numbers(3).vector(12, -2, 2), t = test::numbers(4).vector(12, -2, 2);
    const std::vector<double> w(times.begin(), times.end()), c{0.5, 1, 2}, alike{1, -1, 1, -1};
    const std::vector<int> y{0, 1, 0, 2};
    auto found = weighted("x"_t = x, "t"_t = t, "y"_t = y, "c"_t = c, "alike"_t = alike, "w"_t = w);
    auto expected = plain("x"_t = repeated(x, 3, times), "t"_t = repeated(t, 3, times),
                          "y"_t = repeated(y, 1, times), "c"_t = c, "alike"_t = repeated(alike, 1, times));
    compare<"mse", "mse sum", "mse batch", "l1", "huber", "smooth l1", "hinge", "bce", "logits", "positive",
            "kl", "poisson", "entropy", "classes", "ignored", "soft", "nll", "nll batch", "margin", "triplet",
            "cosine">(found, expected);
  });
}

TEST_CASE("so it does in losses of headers of their own") {
  tl::function weighted{other_losses<true>{}};
  tl::function plain{other_losses<false>{}};
  const std::vector<int> times{1, 2, 0, 3};
  const auto x = test::numbers(5).vector(12, -2, 2), t = test::numbers(6).vector(12, -2, 2);
  const std::vector<double> w(times.begin(), times.end());
  const std::vector<int> y{0, -1, -1, 1, 2, -1, 2, 0, -1, 0, 1, 2};
  auto found = weighted("x"_t = x, "t"_t = t, "y"_t = y, "w"_t = w);
  auto expected =
      plain("x"_t = repeated(x, 3, times), "t"_t = repeated(t, 3, times), "y"_t = repeated(y, 3, times));
  compare<"dice", "focal of classes", "gaussian", "hinge", "ranking", "labels", "soft labels", "focal",
          "soft margin", "tversky", "wasserstein">(found, expected);
}

TEST_CASE("sample weights stand at the first axes, and have a gradient") {
  tl::function f{shapes};
  auto r = f("x"_t = std::vector<double>{1, 2, 3, 4, 5, 6}, "w"_t = std::vector<double>{2, 0.5},
             "columns"_t = std::vector<double>{1, 0, 3});
  CHECK(test::elements(r.get<"none">()) == std::vector<double>{2, 8, 18, 8, 12.5, 18});
  CHECK(r.get<"columns">()[0] == test::Approx((1 + 3 * 9 + 16 + 3 * 36) / 8.0));
  CHECK(r.get<"number">()[0] == test::Approx(2 * 91));
  const double mean = (2 * 14 + 0.5 * 77) / 7.5;
  CHECK(r.get<"by w">()[0] == test::Approx((14 - 3 * mean) / 7.5));
  CHECK(r.get<"by w">()[1] == test::Approx((77 - 3 * mean) / 7.5));
}

namespace {

constexpr auto labelled = [] {
  auto x = tl::input<"x", double, 4, n, 3>;
  auto targets = tl::input<"targets", int, n, 2>;
  auto inputs = tl::input<"inputs", int, n>;
  auto lengths = tl::input<"lengths", int, n>;
  auto w = tl::input<"w", double, n>;
  return tl::outputs(
      tl::named<"each">(tl::ctc_loss<each>(x, targets, inputs, lengths)),
      tl::named<"sum">(tl::ctc_loss<total>(x, targets, inputs, lengths, tl::sample_weights(w))),
      tl::named<"mean">(tl::ctc_loss(x, targets, inputs, lengths, tl::sample_weights(w))));
};

}  // namespace

TEST_CASE("ctc_loss weighs its samples, too") {
  tl::function f{labelled};
  const std::vector<double> x(4 * 2 * 3, -1.2), w{3, 0.5};
  auto r = f("x"_t = x, "targets"_t = std::vector<int>{1, 2, 1, 0}, "inputs"_t = std::vector<int>{4, 4},
             "lengths"_t = std::vector<int>{2, 1}, "w"_t = w);
  const double a = r.get<"each">()[0], b = r.get<"each">()[1];
  CHECK(r.get<"sum">()[0] == test::Approx(3 * a + 0.5 * b));
  CHECK(r.get<"mean">()[0] == test::Approx((3 * a / 2 + 0.5 * b) / 3.5));
}
