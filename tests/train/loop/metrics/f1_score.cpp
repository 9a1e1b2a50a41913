// SPDX-License-Identifier: BSL-1.0
// precision, recall, f1_score and confusion_matrix against scikit-learn, and where classes are empty.
#include <tapeless/train/loop/metrics/confusion_matrix.hpp>
#include <tapeless/train/loop/metrics/f1_score.hpp>
#include <tapeless/train/loop/metrics/precision.hpp>
#include <tapeless/train/loop/metrics/recall.hpp>

#include <cmath>

#include "catch.hpp"
#include "one_tensor.hpp"
#include "scikit_learn.hpp"

namespace tl = tapeless;
using test::add_in_batches;
using test::Approx;
using test::contains;
using floats = test::one_tensor<float>;
using integers = test::one_tensor<std::int32_t>;

namespace {

template <class Metric>
Metric measured(Metric metric, std::int64_t batch = 7) {
  add_in_batches(metric, scikit_learn::scores, {6}, scikit_learn::labels, {}, batch);
  return metric;
}

// The values of scikit_learn.hpp: class 4 has predictions and no samples, class 5 nothing.
template <class Metric>
void check(double macro, double micro, const std::vector<double>& per_class) {
  CHECK(measured(Metric()).get().mean == Approx(macro));
  CHECK(measured(Metric(), 60).get().mean == Approx(macro));
  CHECK(measured(Metric({.average = tl::class_average::micro})).get().mean == Approx(micro));
  const auto classes = measured(Metric()).per_class();
  REQUIRE(classes.size() == per_class.size());
  for (std::size_t c = 0; c < classes.size(); ++c) {
    CHECK(classes[c].mean == Approx(per_class[c]).margin(1e-12));
    const Metric one({.of_class = static_cast<std::int64_t>(c)});
    CHECK(measured(one).get().mean == classes[c].mean);
  }
}

using precision = tl::precision<"scores", "label">;
using recall = tl::recall<"scores", "label">;
using f1_score = tl::f1_score<"scores", "label">;
using confusion_matrix = tl::confusion_matrix<"scores", "label">;

}  // namespace

TEST_CASE("precision, recall and F1 are scikit-learn's") {
  check<precision>(scikit_learn::precision_macro, scikit_learn::precision_micro,
                   scikit_learn::precision_per_class);
  check<recall>(scikit_learn::recall_macro, scikit_learn::recall_micro, scikit_learn::recall_per_class);
  check<f1_score>(scikit_learn::f1_macro, scikit_learn::f1_micro, scikit_learn::f1_per_class);
}

TEST_CASE("standard errors are those of the delta method") {
  const double tolerance = 1e-6;  // of numerical derivatives
  CHECK(measured(f1_score()).get().uncertainty == Approx(scikit_learn::f1_macro_error).epsilon(tolerance));
  CHECK(measured(f1_score()).per_class()[1].uncertainty ==
        Approx(scikit_learn::f1_class_1_error).epsilon(tolerance));
  CHECK(measured(f1_score({.average = tl::class_average::micro})).get().uncertainty ==
        Approx(scikit_learn::f1_micro_error).epsilon(tolerance));
  CHECK(measured(precision()).get().uncertainty ==
        Approx(scikit_learn::precision_macro_error).epsilon(tolerance));
}

TEST_CASE("a single score has two classes") {
  tl::f1_score<"score", "label"> f1({.of_class = 1, .threshold = 0.5});
  add_in_batches(f1, scikit_learn::single, {}, scikit_learn::binary, {}, 25);
  CHECK(f1.get().mean == Approx(scikit_learn::binary_f1));
}

TEST_CASE("before the first batch, and after clear, everything is 0") {
  for (const bool was_used : {false, true}) {
    precision p;
    f1_score f({.of_class = 2});
    recall r({.average = tl::class_average::micro});
    if (was_used) {
      p = measured(p), f = measured(f), r = measured(r);
      p.clear(), f.clear(), r.clear();
    }
    CHECK(p.get().mean == 0);
    CHECK(f.get().mean == 0);
    CHECK(r.get().mean == 0);
    CHECK(f.get().uncertainty == 0);
  }
}

TEST_CASE("after clear there may be other classes, in one evaluation not") {
  const auto used_twice = [](auto metric) {
    metric.add(floats{{0, 1, /**/ 1, 0}, {2, 2}}, integers{{1, 1}, {2}});
    metric.clear();
    std::vector<float> scores(50 * 50);
    std::vector<std::int32_t> labels;
    for (std::int32_t i = 0; i < 50; ++i) {
      labels.push_back(i);
      scores[static_cast<std::size_t>(51 * i)] = 1;
    }
    metric.add(floats{scores, {50, 50}}, integers{labels, {50}});
    CHECK_THROWS_WITH(metric.add(floats{{0, 1, 2}, {1, 3}}, integers{{2}, {1}}),
                      contains("the output \"scores\" has 3 classes, but had 50 in the batches before"));
    return metric;
  };
  const confusion_matrix matrix = used_twice(confusion_matrix());
  CHECK(matrix.classes() == 50);
  CHECK(matrix.count(49, 49) == 1);
  CHECK(matrix.count(1, 0) == 0);
  CHECK(used_twice(f1_score()).get().mean == 1);
}

TEST_CASE("a class that is not there is an error that names it") {
  CHECK_THROWS_WITH(measured(recall({.of_class = 6})),
                    contains("recall is asked for class 6, but there are 6 classes"));
}

TEST_CASE("a row with NaN has no prediction: it lowers recall, and nobody's precision") {
  const floats logits{{0, 1, /**/ 1, 0, /**/ std::nanf(""), 0, /**/ 1, 0}, {4, 2}};
  const integers labels{{1, 0, 0, 1}, {4}};
  const auto of = [&](auto metric) {
    metric.add(logits, labels);
    return metric;
  };
  CHECK(of(precision({.of_class = 0})).get().mean == 0.5);
  CHECK(of(recall({.of_class = 0})).get().mean == 0.5);
  CHECK(of(precision({.average = tl::class_average::micro})).get().mean == Approx(2.0 / 3));
  CHECK(of(recall({.average = tl::class_average::micro})).get().mean == Approx(2.0 / 4));
  const tl::measurement f = of(f1_score({.average = tl::class_average::micro})).get();
  CHECK(f.mean == Approx(4.0 / 7));
  // three kinds of samples, right, wrong and without: F = 2 h / (2 h + 2 w + n), h = 2, w = n = 1
  const double by_h = 2 * 3.0 / 49, by_w = -8.0 / 49, by_n = -4.0 / 49;
  const double mean = (2 * by_h + by_w + by_n) / 4;
  CHECK(f.uncertainty == Approx(std::sqrt(2 * by_h * by_h + by_w * by_w + by_n * by_n - 4 * mean * mean)));
  CHECK(of(confusion_matrix()).count(0, 2) == 1);
  CHECK(of(confusion_matrix()).table() ==
        "label \\ predicted      0      1  none  recall\n"
        "0                      1      .     1   0.500\n"
        "1                      1      1     .   0.500\n"
        "precision          0.500  1.000         0.500");
}

TEST_CASE("a confusion matrix counts, and prints its counts") {
  const confusion_matrix all = measured(confusion_matrix());
  REQUIRE(all.classes() == 6);
  for (std::int64_t i = 0; i < 6; ++i)
    for (std::int64_t j = 0; j < 6; ++j)
      CHECK(static_cast<double>(all.count(i, j)) ==
            scikit_learn::confusion[static_cast<std::size_t>(6 * i + j)]);
  CHECK(all.count(3, 6) == 0);
  CHECK_THROWS_WITH(all.count(6, 0), contains("no count of class 6 as class 0"));
  CHECK_THROWS_WITH(all.count(0, 7), contains("in 6 classes"));

  confusion_matrix named({.classes = {"cat", "\u00f6kapi"}});
  CHECK(named.table() == "nothing has been measured");
  named.add(floats{{0, 1, /**/ 1, 0, /**/ 1, 0}, {3, 2}}, integers{{1, 0, 0}, {3}});
  CHECK(named.table() ==
        "label \\ predicted    cat  \u00f6kapi  recall\n"
        "cat                    2      .   1.000\n"
        "\u00f6kapi                  .      1   1.000\n"
        "precision          1.000  1.000   1.000");
}
