// SPDX-License-Identifier: BSL-1.0
// A metric that is put away in the middle of an epoch goes on bit for bit.
#include <tapeless/graph/core/random_stream.hpp>
#include <tapeless/train/loop/fit_state.hpp>
#include <tapeless/train/loop/metrics/accuracy.hpp>
#include <tapeless/train/loop/metrics/auroc.hpp>
#include <tapeless/train/loop/metrics/confusion_matrix.hpp>
#include <tapeless/train/loop/metrics/f1_score.hpp>
#include <tapeless/train/loop/metrics/mean_absolute_error.hpp>
#include <tapeless/train/loop/metrics/metric.hpp>
#include <tapeless/train/loop/metrics/perplexity.hpp>
#include <tapeless/train/loop/metrics/r2_score.hpp>
#include <tapeless/train/loop/metrics/top_k_accuracy.hpp>
#include <tapeless/train/loop/metrics/weighted.hpp>

#include <cmath>
#include <limits>

#include "catch.hpp"
#include "one_tensor.hpp"
#include "scikit_learn.hpp"

namespace tl = tapeless;

namespace {

/// Puts `from` away, and gives it out to `to`.
template <class Metric>
void move_state(Metric& from, Metric& to) {
  tl::fit_state written;
  from.state(written);
  tl::fit_state read(written.items(), "the test");
  to.state(read);
  read.require_all_given();
}

/// The metric after three batches of 20 rows, one of them after it was put away; whole, where it was not.
template <class Metric, class T, class U>
Metric after_three(Metric metric, const std::vector<T>& scores, std::vector<std::int64_t> row,
                   const std::vector<U>& labels, std::vector<std::int64_t> label_row, bool is_whole) {
  Metric other = metric;
  for (std::int64_t i = 0; i < 60; i += 20) {
    metric.add(test::rows_of(scores, i, 20, row), test::rows_of(labels, i, 20, label_row));
    if (is_whole) continue;
    move_state(metric, other);
    metric = other;
    other.add(test::rows_of(scores, 0, 20, row), test::rows_of(labels, 0, 20, label_row));  // to be forgotten
  }
  return metric;
}

template <class Metric, class T, class U>
void check(Metric metric, const std::vector<T>& scores, std::vector<std::int64_t> row,
           const std::vector<U>& labels, std::vector<std::int64_t> label_row = {}) {
  const tl::measurement whole = after_three(metric, scores, row, labels, label_row, true).get();
  const tl::measurement parts = after_three(metric, scores, row, labels, label_row, false).get();
  CHECK(whole.mean == parts.mean);
  CHECK(whole.uncertainty == parts.uncertainty);
  CHECK(whole.mean > 0);
}

}  // namespace

TEST_CASE("metrics go on where they were put away") {
  using namespace scikit_learn;
  check(tl::accuracy<"s", "y">(), scores, {6}, labels);
  check(tl::top_k_accuracy<"s", "y", 2>(), scores, {6}, labels);
  check(tl::f1_score<"s", "y">(), scores, {6}, labels);
  check(tl::perplexity<"s", "y">(), scores, {6}, labels);
  check(tl::auroc<"s", "y">(), logits, {4}, labels);
  check(tl::auroc<"s", "y">(), single, {}, binary);
  check(tl::mean_absolute_error<"y", "t">(), output, {3}, target, {3});
  check(tl::r2_score<"y", "t">(), output, {3}, target, {3});
  check(tl::metric<"sum", "y", "t">([](float y, float t) { return std::abs(y + t); }), output, {3}, target,
        {3});
  const auto matrix = after_three(tl::confusion_matrix<"s", "y">(), scores, {6}, labels, {}, false);
  for (std::int64_t i = 0; i < 6; ++i)
    for (std::int64_t j = 0; j < 6; ++j)
      CHECK(static_cast<double>(matrix.count(i, j)) == confusion[static_cast<std::size_t>(6 * i + j)]);
}

namespace {

/// Labels, and by the name "w" weights whose sums are rounded.
struct weighted_labels {
  test::one_tensor<int> labels;
  test::one_tensor<double> weights;
  template <tl::name Name>
  auto get() const {
    if constexpr (Name.view() == "w") {
      return weights.get<Name>();
    } else {
      return labels.get<Name>();
    }
  }
};

}  // namespace

TEST_CASE("a weighted area goes on bit for bit, however its sums are rounded") {
  using area = decltype(tl::weighted<"w">(tl::auroc<"s", "y">()));
  area whole{tl::auroc<"s", "y">()}, parts = whole;
  tl::random_stream random(3, 1);
  for (int batch = 0; batch < 40; ++batch) {
    test::one_tensor<double> scores{{}, {9}}, weights = scores;
    test::one_tensor<int> labels{{}, {9}};
    for (int i = 0; i < 9; ++i) {
      labels.elements.push_back(random.below(2) == 0 ? 0 : 1);
      scores.elements.push_back(0.125 * static_cast<double>(random.below(40)) + labels.elements.back());
      weights.elements.push_back(random.uniform());
    }
    whole.add(scores, weighted_labels{labels, weights});
    area read{tl::auroc<"s", "y">()};
    move_state(parts, read);
    parts = read;
    parts.add(scores, weighted_labels{labels, weights});
    REQUIRE(whole.get().mean == parts.get().mean);
    REQUIRE(whole.get().uncertainty == parts.get().uncertainty);
  }
}

TEST_CASE("a metric's NaN and infinities go on, too") {
  tl::auroc<"s", "y"> area, other_area;
  area.add(test::one_tensor<float>{{std::nanf(""), 1}, {2}}, test::one_tensor<int>{{0, 1}, {2}});
  move_state(area, other_area);
  CHECK(std::isnan(other_area.get().mean));
  tl::perplexity<"s", "y"> impossible, other;
  const float infinity = std::numeric_limits<float>::infinity();
  impossible.add(test::one_tensor<float>{{-infinity, 0}, {1, 2}}, test::one_tensor<int>{{0}, {1}});
  move_state(impossible, other);
  CHECK(other.get().mean == infinity);
}

namespace {

/// What a metric of two samples of two classes puts away, with another number of numbers in one list.
template <class Metric>
tl::fit_state with_more_in(std::size_t list, std::ptrdiff_t numbers) {
  Metric metric;
  metric.add(test::one_tensor<float>{{0, 1}, {2}}, test::one_tensor<int>{{0, 1}, {2}});
  tl::fit_state written;
  metric.state(written);
  std::vector<tl::fit_state::item> items = written.items();
  std::vector<std::byte>& bytes = items[list].bytes;
  bytes.resize(bytes.size() + static_cast<std::size_t>(numbers) * sizeof(double));
  return {items, "the test"};
}

}  // namespace

TEST_CASE("an area's state that does not say what it has is an error") {
  using area = tl::auroc<"s", "y">;
  tl::fit_state less = with_more_in<area>(0, -1), more = with_more_in<area>(0, 2);
  CHECK_THROWS_WITH(area().state(less), test::contains("not as many scores as it says"));
  CHECK_THROWS_WITH(area().state(more), test::contains("not as many scores as it says"));
}

TEST_CASE("a state with counts of different classes is an error, and leaves none") {
  using matrix = tl::confusion_matrix<"s", "y">;
  for (std::size_t list = 0; list < 3; ++list)
    for (const std::ptrdiff_t numbers : {-2, 2}) {
      tl::fit_state wrong = with_more_in<matrix>(list, numbers);
      matrix read;
      CHECK_THROWS_WITH(read.state(wrong), test::contains("counts are not of the same classes"));
      CHECK(read.classes() == 0);
    }
}
