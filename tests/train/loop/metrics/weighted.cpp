// SPDX-License-Identifier: BSL-1.0
// Metrics of samples with weights against scikit-learn's sample_weight.
#include <tapeless/tapeless.hpp>

#include <cmath>
#include <vector>

#include "catch.hpp"
#include "one_tensor.hpp"
#include "scikit_learn.hpp"

namespace tl = tapeless;
using namespace tl::literals;
using test::Approx;
using test::contains;
using floats = test::one_tensor<float>;
using integers = test::one_tensor<std::int32_t>;

namespace {

/// A batch of targets and weights.
template <class T>
struct with_weights {
  test::one_tensor<T> targets;
  floats weights;
  template <tl::name Name>
  auto get() const {
    if constexpr (Name == tl::name("w")) {
      return weights.get<Name>();
    } else {
      return targets.template get<Name>();
    }
  }
};

/// The metric of 60 rows with the weights of scikit_learn.hpp.
template <class Metric, class T, class U>
auto measured(Metric metric, const std::vector<T>& scores, std::vector<std::int64_t> row,
              const std::vector<U>& labels, std::vector<std::int64_t> label_row = {},
              std::int64_t batch = 7) {
  auto weighted = tl::weighted<"w">(metric);
  for (std::int64_t i = 0; i < 60; i += batch) {
    const std::int64_t n = std::min<std::int64_t>(batch, 60 - i);
    weighted.add(
        test::rows_of(scores, i, n, row),
        with_weights<U>{test::rows_of(labels, i, n, label_row), test::rows_of(scikit_learn::weights, i, n)});
  }
  return weighted;
}

void check(const tl::measurement& m, double mean, double error, double tolerance = 1e-6) {
  CHECK(m.mean == Approx(mean));
  CHECK(m.uncertainty == Approx(error).epsilon(tolerance));
}

template <class Metric>
void check_classes(double macro, double macro_error, double micro, double micro_error,
                   const std::vector<double>& per_class) {
  const auto of = [](Metric m) { return measured(m, scikit_learn::scores, {6}, scikit_learn::labels); };
  check(of(Metric()).get(), macro, macro_error);
  check(of(Metric({.average = tl::class_average::micro})).get(), micro, micro_error);
  const auto classes = of(Metric()).per_class();
  REQUIRE(classes.size() == per_class.size());
  for (std::size_t c = 0; c < classes.size(); ++c)
    CHECK(classes[c].mean == Approx(per_class[c]).margin(1e-12));
}

}  // namespace

TEST_CASE("metrics of classifiers with weights are scikit-learn's") {
  using namespace scikit_learn;
  for (const std::int64_t batch : {1, 7, 60}) {
    check(measured(tl::accuracy<"s", "y">(), scores, {6}, labels, {}, batch).get(), weighted_accuracy,
          weighted_accuracy_error);
    check(measured(tl::top_k_accuracy<"s", "y", 2>(), scores, {6}, labels, {}, batch).get(),
          weighted_top_2_accuracy, weighted_top_2_accuracy_error);
  }
  check_classes<tl::precision<"s", "y">>(weighted_precision_macro, weighted_precision_macro_error,
                                         weighted_precision_micro, weighted_precision_micro_error,
                                         weighted_precision_per_class);
  check_classes<tl::recall<"s", "y">>(weighted_recall_macro, weighted_recall_macro_error,
                                      weighted_recall_micro, weighted_recall_micro_error,
                                      weighted_recall_per_class);
  check_classes<tl::f1_score<"s", "y">>(weighted_f1_macro, weighted_f1_macro_error, weighted_f1_micro,
                                        weighted_f1_micro_error, weighted_f1_per_class);
  const auto matrix = measured(tl::confusion_matrix<"s", "y">(), scores, {6}, labels);
  for (std::int64_t i = 0; i < 6; ++i)
    for (std::int64_t j = 0; j < 6; ++j)
      CHECK(matrix.count(i, j) == Approx(weighted_confusion[static_cast<std::size_t>(6 * i + j)]));
  CHECK_THAT(matrix.table(), contains(" 18.64 "));
  CHECK(measured(tl::perplexity<"s", "y">(), logits, {4}, labels).get().mean ==
        Approx(std::exp(weighted_log_loss)));
}

TEST_CASE("areas under curves with weights are scikit-learn's") {
  using namespace scikit_learn;
  for (const std::int64_t batch : {1, 7, 60})
    CHECK(measured(tl::auroc<"s", "y">(), single, {}, binary, {}, batch).get().mean ==
          Approx(weighted_auroc));
  const auto classes =
      measured(tl::auroc<"s", "y">({.probabilities = true}), probabilities, {4}, labels).per_class();
  for (std::size_t c = 0; c < 4; ++c) CHECK(classes[c].mean == Approx(weighted_auroc_per_class[c]));
}

TEST_CASE("metrics of regression with weights are scikit-learn's") {
  using namespace scikit_learn;
  CHECK(measured(tl::mean_absolute_error<"s", "y">(), output, {3}, target, {3}).get().mean ==
        Approx(weighted_mean_absolute_error));
  CHECK(measured(tl::mean_squared_error<"s", "y">(), output, {3}, target, {3}).get().mean ==
        Approx(weighted_mean_squared_error));
  const auto square = tl::metric<"square", "s", "y">([](float y, float t) {
    return (static_cast<double>(y) - static_cast<double>(t)) *
           (static_cast<double>(y) - static_cast<double>(t));
  });
  CHECK(measured(square, output, {3}, target, {3}).get().mean == Approx(weighted_mean_squared_error));
  const auto first = tl::metric<"first", "s">([](std::span<const float> y) { return y[0]; });
  double sum = 0, all = 0;
  for (std::size_t i = 0; i < 60; ++i) sum += weights[i] * output[3 * i], all += weights[i];
  CHECK(measured(first, output, {3}, target, {3}).get().mean == Approx(sum / all));
  check(measured(tl::r2_score<"s", "y">(), output, {3}, target, {3}).get(), weighted_r2,
        (weighted_r2_errors[0] + weighted_r2_errors[1] + weighted_r2_errors[2]) / 3, 1e-4);
}

TEST_CASE("what has the weight 0 is not there, whatever it is") {
  const floats scores{{1, 0, /**/ NAN, NAN, /**/ 0, 1}, {3, 2}};
  const with_weights<std::int32_t> batch{{{0, 77, 0}, {3}}, {{3, 0, 1}, {3}}};
  auto accuracy = tl::weighted<"w">(tl::accuracy<"s", "y">());
  auto area = tl::weighted<"w">(tl::auroc<"s", "y">());
  accuracy.add(scores, batch);
  area.add(scores, batch);
  CHECK(accuracy.get().mean == 0.75);
  CHECK(std::isnan(area.get().mean));  // only because there is no other class
  area.add(scores, with_weights<std::int32_t>{{{1, 0, 1}, {3}}, {{1, 0, 1}, {3}}});
  // differences of scores: -1 with label 0 and weight 3, 1 with 0 and 1; -1 with 1 and 1, 1 with 1 and 1
  CHECK(area.get().mean == Approx((1.5 + 3 + 0.5) / 8));
}

TEST_CASE("a token has a weight of its own where there are as many") {
  const floats scores{{1, 0, /**/ 1, 0, /**/ 0, 1, /**/ 1, 0}, {2, 2, 2}};
  const integers labels{{0, 1, 1, 0}, {2, 2}};
  auto by_sample = tl::weighted<"w">(tl::accuracy<"s", "y">());
  by_sample.add(scores, with_weights<std::int32_t>{labels, {{3, 1}, {2, 1}}});
  CHECK(by_sample.get().mean == Approx(5.0 / 8));
  auto by_token = tl::weighted<"w">(tl::accuracy<"s", "y">());
  by_token.add(scores, with_weights<std::int32_t>{labels, {{1, 5, 1, 0}, {2, 2}}});
  CHECK(by_token.get().mean == Approx(2.0 / 7));
  CHECK_THROWS_WITH(by_token.add(scores, with_weights<std::int32_t>{labels, {{1, 5, 1}, {3}}}),
                    contains("the sample weights have the shape [3], but there are 2 samples of 2 rows"));
  CHECK_THROWS_WITH(by_token.add(scores, with_weights<std::int32_t>{labels, {{1, -5}, {2}}}),
                    contains("a sample weight is -5"));
  CHECK_THROWS_WITH(by_token.add(scores, with_weights<std::int32_t>{labels, {{1, NAN}, {2}}}),
                    contains("it must be a number that is 0 or more"));
}

TEST_CASE("a target has a weight of its own where there are as many: masked ones are not there") {
  const floats outputs{{1, 2, 3, /**/ 4, 5, 6, /**/ 7, 8, 9}, {3, 3}};
  const with_weights<float> masked{{{2, NAN, 6, /**/ NAN, NAN, NAN, /**/ 7, 4, NAN}, {3, 3}},
                                   {{1, 0, 1, /**/ 0, 0, 0, /**/ 1, 3, 0}, {3, 3}}};
  auto error = tl::weighted<"w">(tl::mean_absolute_error<"s", "y">());
  error.add(outputs, masked);
  CHECK(error.get().mean == Approx((1 + 3 + 0 + 3 * 4.0) / 6));
  const with_weights<float> by_sample{{{2, 2, 3, /**/ 4, 5, 6, /**/ 7, 8, 12}, {3, 3}}, {{1, 0, 2}, {3}}};
  auto same = tl::weighted<"w">(tl::mean_absolute_error<"s", "y">()), each = same;
  same.add(outputs, by_sample);
  each.add(outputs, with_weights<float>{by_sample.targets, {{1, 1, 1, 0, 0, 0, 2, 2, 2}, {3, 3}}});
  CHECK(same.get().mean == Approx(7.0 / 9));
  CHECK(each.get().mean == same.get().mean);
  CHECK(each.get().uncertainty == same.get().uncertainty);
  const auto own = tl::metric<"own", "s", "y">([](float y, float t) { return std::abs(y - t); });
  auto of_own = tl::weighted<"w">(own);
  of_own.add(outputs, masked);
  CHECK(of_own.get().mean == error.get().mean);
  CHECK(of_own.get().uncertainty == error.get().uncertainty);
  CHECK_THROWS_WITH(of_own.add(outputs, with_weights<float>{masked.targets, {{1, 1, 1, 1}, {4}}}),
                    contains("there are 3 samples of 3 rows or elements: one weight for each sample fits"));
  auto r2 = tl::weighted<"w">(tl::r2_score<"s", "y">());
  r2.add(outputs, with_weights<float>{{{1, 2, NAN, /**/ NAN, 5, 6, /**/ 7, NAN, 9}, {3, 3}},
                                      {{1, 1, 0, /**/ 0, 1, 1, /**/ 1, 0, 1}, {3, 3}}});
  CHECK(r2.get().mean == 1);
  CHECK_THROWS_WITH(r2.add(outputs, with_weights<float>{by_sample.targets, {{1, 1, 1, 1}, {4}}}),
                    contains("the sample weights have the shape [4], but there are 3 samples of 3 rows"));
}

TEST_CASE("a column without a target that counts is no part of R2") {
  const floats outputs{{1, 5, /**/ 2, 7, /**/ 2, 8}, {3, 2}};
  const std::vector<float> targets{1, NAN, 2, NAN, 3, NAN};
  auto masked = tl::weighted<"w">(tl::r2_score<"s", "y">()), alone = masked;
  masked.add(outputs, with_weights<float>{{targets, {3, 2}}, {{1, 0, 1, 0, 1, 0}, {3, 2}}});
  alone.add(floats{{1, 2, 2}, {3, 1}}, with_weights<float>{{{1, 2, 3}, {3, 1}}, {{1, 1, 1}, {3}}});
  CHECK(masked.get().mean == 0.5);
  CHECK(masked.get().uncertainty == alone.get().uncertainty);
}

TEST_CASE("a weighted metric of a fit reads the model's input of weights") {
  constexpr auto model = [] {
    constexpr auto batch = tl::dyn<"batch">;
    auto x = tl::input<"x", float, batch, 2>;
    auto y = tl::input<"y", std::int32_t, batch>;
    auto w = tl::input<"w", float, batch>;
    auto logits = tl::linear<"fc", 2>(x);
    return tl::outputs(tl::cross_entropy(logits, y, tl::sample_weights(w)), tl::named<"logits">(logits));
  };
  tl::data::dataset data;
  data.add("x", {2}, std::vector<float>{2, 0, 1, 0, 0, 1, 0, 2});
  data.add("y", {}, std::vector<std::int32_t>{0, 1, 1, 1}).add("w", {}, std::vector<float>{5, 0, 2, 3});
  tl::trainer net{model, tl::adam({.learning_rate = 0.1f})};
  auto weighted = tl::weighted<"w">(tl::accuracy<"logits", "y", "of weights">());
  tl::accuracy<"logits", "y"> plain;
  tl::fit(net, data, {.epochs = 60, .batch = 2}, weighted, plain);
  const tl::report r = tl::evaluate(net, data, weighted, plain);
  CHECK(r["of weights"].mean == 1);
  CHECK(r["accuracy"].mean == 0.75);  // nobody has taught it the second
  CHECK(weighted.get().mean == 1);
}
