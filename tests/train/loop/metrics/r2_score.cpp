// SPDX-License-Identifier: BSL-1.0
// The metrics of regression against scikit-learn.
#include <tapeless/train/loop/metrics/mean_absolute_error.hpp>
#include <tapeless/train/loop/metrics/mean_squared_error.hpp>
#include <tapeless/train/loop/metrics/r2_score.hpp>

#include <algorithm>
#include <cmath>
#include <string>

#include "catch.hpp"
#include "one_tensor.hpp"
#include "scikit_learn.hpp"

namespace tl = tapeless;
using test::add_in_batches;
using test::Approx;
using test::contains;
using floats = test::one_tensor<float>;

namespace {

using mean_absolute_error = tl::mean_absolute_error<"y", "t">;
using mean_squared_error = tl::mean_squared_error<"y", "t">;
using r2_score = tl::r2_score<"y", "t">;

template <class Metric>
tl::measurement measured(std::int64_t batch) {
  Metric metric;
  metric.add(floats{{1}, {1}}, floats{{9}, {1}});
  metric.clear();
  add_in_batches(metric, scikit_learn::output, {3}, scikit_learn::target, {3}, batch);
  return metric.get();
}

std::vector<float> column(const std::vector<float>& all, std::size_t j) {
  std::vector<float> one;
  for (std::size_t i = j; i < all.size(); i += 3) one.push_back(all[i]);
  return one;
}

double r2_of(std::vector<float> y, std::vector<float> t) {
  r2_score metric;
  const auto n = static_cast<std::int64_t>(t.size());
  metric.add(floats{std::move(y), {n}}, floats{std::move(t), {n}});
  return metric.get().mean;
}

}  // namespace

TEST_CASE("errors and R2 are scikit-learn's, however samples are divided into batches") {
  for (const std::int64_t batch : {1, 7, 60}) {
    CHECK(measured<mean_absolute_error>(batch).mean ==
          Approx(scikit_learn::mean_absolute_error).epsilon(1e-12));
    CHECK(measured<mean_squared_error>(batch).mean ==
          Approx(scikit_learn::mean_squared_error).epsilon(1e-12));
    CHECK(measured<mean_squared_error>(batch).uncertainty ==
          Approx(scikit_learn::mean_squared_error_error).epsilon(1e-9));
    CHECK(measured<r2_score>(batch).mean == Approx(scikit_learn::r2).epsilon(1e-9));
  }
}

TEST_CASE("R2 of a column of [n] or [n, 1] is scikit-learn's, and its error that of the delta method") {
  for (std::size_t j = 0; j < 3; ++j) {
    r2_score metric;
    const auto y = column(scikit_learn::output, j), t = column(scikit_learn::target, j);
    metric.add(floats{y, {60, 1}}, floats{t, {60}});
    CHECK(metric.get().mean == Approx(scikit_learn::r2_per_column[j]).epsilon(1e-9));
    CHECK(metric.get().uncertainty == Approx(scikit_learn::r2_errors[j]).epsilon(1e-5));
  }
}

TEST_CASE("the target's first axis counts the samples, wherever the output has them") {
  const auto y = column(scikit_learn::output, 0), t = column(scikit_learn::target, 0);
  r2_score column_of_outputs;
  mean_squared_error plain;
  column_of_outputs.add(floats{y, {60, 1}}, floats{t, {60}});
  plain.add(floats{y, {60}}, floats{t, {60}});
  for (const std::int64_t batch : {1, 7, 60}) {
    r2_score row_of_outputs;
    mean_squared_error of_row;
    for (std::int64_t i = 0; i < 60; i += batch) {
      const std::int64_t n = std::min<std::int64_t>(batch, 60 - i);
      auto outputs = test::rows_of(y, i, n);
      outputs.shape = {1, n};
      row_of_outputs.add(outputs, test::rows_of(t, i, n));
      of_row.add(outputs, test::rows_of(t, i, n, {1}));
    }
    CHECK(row_of_outputs.get().mean == Approx(column_of_outputs.get().mean).epsilon(1e-9));
    CHECK(row_of_outputs.get().uncertainty == Approx(column_of_outputs.get().uncertainty).epsilon(1e-9));
    CHECK(of_row.get().mean == Approx(plain.get().mean).epsilon(1e-9));
    CHECK(of_row.get().uncertainty == Approx(plain.get().uncertainty).epsilon(1e-9));
  }
}

TEST_CASE("R2 of targets that are all the same is 1 where they are met, otherwise 0") {
  CHECK(r2_of({2, 2}, {2, 2}) == 1);
  CHECK(r2_of({2, 3}, {2, 2}) == 0);
  CHECK(r2_of({5}, {5}) == 1);
  CHECK(r2_of({2, 2}, {1, 3}) == 0);
  CHECK(r2_of({3, 1}, {1, 3}) == -3);
  CHECK(std::isnan(r2_of({std::nanf(""), 2}, {2, 2})));
  CHECK(std::isnan(r2_of({1, 2}, {std::nanf(""), 2})));
  CHECK(r2_score().get().mean == 0);
  CHECK(std::isnan([] {
    mean_absolute_error metric;
    metric.add(floats{{1, std::nanf("")}, {2}}, floats{{1, 1}, {2}});
    return metric.get().mean;
  }()));
}

TEST_CASE("outputs and targets of different shapes are an error that shows both") {
  mean_squared_error metric;
  const floats six{{1, 2, 3, 4, 5, 6}, {2, 3}};
  CHECK_THROWS_WITH(metric.add(six, floats{{1, 2, 3, 4, 5, 6}, {3, 2}}),
                    contains("the output \"y\" has the shape [2, 3] and the input \"t\" the shape [3, 2]"));
  CHECK_THROWS_WITH(metric.add(six, floats{{1, 2}, {2}}), contains("[2]"));
  metric.add(six, floats{{1, 2, 3, 4, 5, 7}, {2, 1, 3}});
  CHECK(metric.get().mean == Approx(1.0 / 6));
}

TEST_CASE("all batches of R2 have as many columns, in outputs and in targets") {
  r2_score metric;
  const floats two{{1, 2, 3, 5}, {2, 2}}, three{{1, 2, 3, 4, 5, 7}, {2, 3}};
  CHECK_THROWS_WITH(metric.add(three, two),
                    contains("the output \"y\" has the shape [2, 3] and the input \"t\" the shape [2, 2]"));
  metric.add(three, three);
  const std::string sentence =
      "tapeless: metrics: the output \"y\" has 2 columns, but had 3 in the batches before; clear() begins "
      "anew";
  CHECK_THROWS_WITH(metric.add(two, two), sentence);
  CHECK(metric.get().mean == 1);
  metric.clear();
  metric.add(two, two);
  CHECK_THROWS_WITH(metric.add(three, three), contains("has 3 columns, but had 2"));
}
