// SPDX-License-Identifier: BSL-1.0
// auroc and perplexity against scikit-learn and by hand; the sorted runs behind auroc.
#include <tapeless/train/loop/metrics/auroc.hpp>
#include <tapeless/train/loop/metrics/perplexity.hpp>

#include <cmath>
#include <limits>

#include "catch.hpp"
#include "one_tensor.hpp"
#include "scikit_learn.hpp"

namespace tl = tapeless;
using test::add_in_batches;
using test::Approx;
using floats = test::one_tensor<float>;
using integers = test::one_tensor<std::int32_t>;

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

using auroc = tl::auroc<"scores", "label">;
using perplexity = tl::perplexity<"logits", "label">;

double area(std::vector<float> scores, std::vector<std::int32_t> labels) {
  auroc metric;
  const auto n = static_cast<std::int64_t>(labels.size());
  metric.add(floats{std::move(scores), {n}}, integers{std::move(labels), {n}});
  return metric.get().mean;
}

}  // namespace

TEST_CASE("sorted runs count what is below a number, whatever came in which order") {
  tl::detail::sorted_runs<double> runs;
  std::vector<double> all;
  std::uint32_t random = 1;
  for (int batch = 0; batch < 50; ++batch) {
    std::vector<double> more;
    std::vector<tl::detail::ranked<double>> ranked;
    for (int i = 0; i < batch % 7; ++i) {
      random = random * 1664525u + 1013904223u;
      more.push_back(static_cast<double>(random >> 28));  // many are equal
      ranked.push_back({more.back()});
    }
    runs.add(ranked);
    all.insert(all.end(), more.begin(), more.end());
    REQUIRE(runs.size() == all.size());
    for (const double x : {-1.0, 0.0, 3.0, 7.5, 15.0, 20.0}) {
      double expected = 0;
      for (const double y : all) expected += y < x ? 2 : y == x ? 1 : 0;
      REQUIRE(runs.twice_below(x) == expected);
    }
  }
}

TEST_CASE("the area of one score is scikit-learn's, to the last bit for any batches") {
  for (const std::int64_t batch : {1, 7, 60}) {
    auroc metric;
    add_in_batches(metric, scikit_learn::single, {}, scikit_learn::binary, {}, batch);
    CHECK(metric.get().mean == Approx(scikit_learn::auroc).epsilon(1e-14));
    auroc whole;
    add_in_batches(whole, scikit_learn::single, {}, scikit_learn::binary, {}, 60);
    CHECK(metric.get().mean == whole.get().mean);
    CHECK(metric.get().uncertainty == whole.get().uncertainty);
  }
}

TEST_CASE("the standard error is that of Hanley and McNeil's paper") {
  // Table II of 1982: 58 normal and 51 abnormal images, 0.893 +- 0.032
  const std::vector<int> normal{33, 6, 6, 11, 2}, abnormal{3, 2, 2, 11, 33};
  std::vector<float> scores;
  std::vector<std::int32_t> labels;
  for (int rating = 0; rating < 5; ++rating)
    for (int label = 0; label < 2; ++label)
      for (int i = 0; i < (label == 0 ? normal : abnormal)[static_cast<std::size_t>(rating)]; ++i) {
        scores.push_back(static_cast<float>(rating));
        labels.push_back(label);
      }
  auroc metric;
  metric.add(floats{scores, {109}}, integers{labels, {109}});
  CHECK(metric.get().mean == Approx(0.893).margin(5e-4));
  CHECK(metric.get().uncertainty == Approx(0.032).margin(6e-4));
}

TEST_CASE("the area of several classes is that of each against the rest") {
  auroc of_logits;
  add_in_batches(of_logits, scikit_learn::logits, {4}, scikit_learn::labels, {}, 13);
  CHECK(of_logits.get().mean == Approx(scikit_learn::auroc_ovr).epsilon(1e-12));
  auroc of_probabilities({.probabilities = true});
  add_in_batches(of_probabilities, scikit_learn::probabilities, {4}, scikit_learn::labels, {}, 13);
  const auto classes = of_probabilities.per_class();
  REQUIRE(classes.size() == 4);
  for (std::size_t c = 0; c < 4; ++c)
    CHECK(classes[c].mean == Approx(scikit_learn::auroc_per_class[c]).epsilon(1e-12));
}

TEST_CASE("equal scores count half, infinite ones are largest, of two the difference counts") {
  CHECK(area({1, 1, 1, 1}, {0, 1, 0, 1}) == 0.5);
  CHECK(area({0, 1, 1, 2}, {0, 0, 1, 1}) == 0.875);
  CHECK(area({-infinity, 0, infinity}, {0, 0, 1}) == 1);
  CHECK(area({2, 1}, {0, 1}) == 0);
  auroc two;
  two.add(floats{{5, 6, /**/ 0, 3, /**/ 9, 1}, {3, 2}}, integers{{0, 1, 0}, {3}});
  CHECK(two.get().mean == 1);
  CHECK(two.per_class().size() == 1);
}

TEST_CASE("masked classes, whose logits are -infinity, leave the others their ranks") {
  const floats logits{{2, -infinity, -infinity, /**/ 1, 0, -infinity, /**/ -infinity, 3, -infinity, /**/
                       0, -infinity, 1},
                      {4, 3}};
  auroc metric;
  metric.add(logits, integers{{0, 0, 1, 2}, {4}});
  for (const tl::measurement& m : metric.per_class()) CHECK(m.mean == 1);
  metric.clear();
  metric.add(logits, integers{{0, 1, 0, 2}, {4}});  // of class 0 only the first row is above the others
  CHECK(metric.per_class()[0].mean == 0.5);
  CHECK(metric.per_class()[2].mean == 1);
  metric.clear();  // no probabilities
  metric.add(floats{{1, 0, 0, /**/ -infinity, -infinity, -infinity}, {2, 3}}, integers{{0, 1}, {2}});
  CHECK(std::isnan(metric.get().mean));
}

TEST_CASE("without one of the kinds, or with NaN, there is no area") {
  CHECK(std::isnan(auroc().get().mean));
  CHECK(std::isnan(area({1, 2}, {1, 1})));
  CHECK(std::isnan(area({1, 2, std::nanf("")}, {0, 1, 1})));
  auroc three;  // class 2 has no samples, and does not count
  three.add(floats{{1, 0, 0, /**/ 0, 1, 0, /**/ 0, 1, 5}, {3, 3}}, integers{{0, 1, 1}, {3}});
  CHECK(std::isnan(three.per_class()[2].mean));
  CHECK(three.get().mean == Approx((three.per_class()[0].mean + three.per_class()[1].mean) / 2));
  three.add(floats{{std::nanf(""), 0, 0}, {1, 3}}, integers{{0}, {1}});
  CHECK(std::isnan(three.get().mean));
  three.clear();
  three.add(floats{{1, 0, 0, /**/ 0, 1, 0}, {2, 3}}, integers{{0, 1}, {2}});
  CHECK(three.get().mean == 1);
}

TEST_CASE("after clear there may be other classes, in one evaluation not") {
  auroc metric;
  metric.add(floats{{1, 0, 0, /**/ 0, 1, 0, /**/ 0, 0, 1}, {3, 3}}, integers{{0, 1, 2}, {3}});
  CHECK_THROWS_WITH(metric.add(floats{{0, 1}, {2}}, integers{{0, 1}, {2}}),
                    test::contains("the output \"scores\" has 2 classes, but had 3 in the batches before"));
  metric.clear();
  std::vector<float> scores(9 * 9);
  for (std::size_t i = 0; i < 9; ++i) scores[10 * i] = 1;
  metric.add(floats{scores, {9, 9}}, integers{{0, 1, 2, 3, 4, 5, 6, 7, 8}, {9}});
  CHECK(metric.per_class().size() == 9);
  metric.clear();
  metric.add(floats{{0, 1}, {2}}, integers{{0, 1}, {2}});
  CHECK(metric.per_class().size() == 1);
  CHECK(metric.get().mean == 1);
}

TEST_CASE("perplexity is e to the power of the cross entropy") {
  for (const std::int64_t batch : {1, 7, 60}) {
    perplexity metric;
    add_in_batches(metric, scikit_learn::logits, {4}, scikit_learn::labels, {}, batch);
    CHECK(metric.get().mean == Approx(std::exp(scikit_learn::log_loss)).epsilon(1e-12));
    CHECK(metric.get().uncertainty > 0);
  }
  perplexity guess;
  CHECK(guess.get().mean == 1);
  guess.add(floats{{3, 3, 3, 3, 3, 3, 3, 3, 3, 3}, {2, 5}}, integers{{0, 4}, {2}});
  CHECK(guess.get().mean == Approx(5));
}

TEST_CASE("each token of perplexity counts alike, but for ignored ones; samples are independent") {
  perplexity metric({.ignore_index = -1});
  const float e2 = std::log(2.0f), e4 = std::log(4.0f);  // over 0: perplexities of 3 and 5 where 0 is right
  metric.add(floats{{0, e2, /**/ 0, e2, /**/ 0, e4, /**/ 0, e4}, {2, 2, 2}}, integers{{0, 0, 0, -1}, {2, 2}});
  CHECK(metric.get().mean == Approx(std::exp((2 * std::log(3.0) + std::log(5.0)) / 3)));
}

TEST_CASE("perplexity is infinite where the right class is impossible, NaN where there is no probability") {
  perplexity metric;
  const auto add = [&](float a, float b) { metric.add(floats{{a, b}, {1, 2}}, integers{{0}, {1}}); };
  add(0, 0), add(-infinity, 0), add(0, 0), add(-infinity, 0);
  CHECK(metric.get().mean == infinity);
  CHECK(metric.get().uncertainty == 0);
  add(0, infinity);
  CHECK(std::isnan(metric.get().mean));
  metric.clear();
  add(0, -infinity);
  CHECK(metric.get().mean == 1);
  add(1000, 999);  // exp of either is infinite
  CHECK(metric.get().mean == Approx(std::exp(std::log1p(std::exp(-1.0)) / 2)));
  add(std::nanf(""), 0);
  CHECK(std::isnan(metric.get().mean));
}
