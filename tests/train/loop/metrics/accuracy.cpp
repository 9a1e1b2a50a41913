// SPDX-License-Identifier: BSL-1.0
// accuracy and top_k_accuracy: what counts as a hit, and which shapes and labels they take.
#include <tapeless/train/loop/metrics/accuracy.hpp>
#include <tapeless/train/loop/metrics/auroc.hpp>
#include <tapeless/train/loop/metrics/confusion_matrix.hpp>
#include <tapeless/train/loop/metrics/f1_score.hpp>
#include <tapeless/train/loop/metrics/top_k_accuracy.hpp>

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

const float not_a_number = std::nanf("");

}  // namespace

TEST_CASE("accuracy counts rows, over batches, also of several axes; the first of equal logits counts") {
  const std::vector<float> logits{0, 1, 0, /**/ 2, 2, 1, /**/ -3, -2, -1, /**/ 5, 0, 0};
  const std::vector<std::int32_t> right{1, 0, 2, 0}, wrong{1, 1, 0, 2};

  tl::accuracy<"logits", "label"> metric;
  metric.add(floats{logits, {4, 3}}, integers{right, {4}});
  CHECK(metric.get().mean == 1);
  metric.add(floats{logits, {2, 2, 3}}, integers{wrong, {2, 2}});
  CHECK(metric.get().mean == Approx(5.0 / 8));
  metric.clear();
  metric.add(floats{logits, {4, 3}}, integers{wrong, {4}});
  CHECK(metric.get().mean == Approx(1.0 / 4));
}

TEST_CASE("accuracies are scikit-learn's, however samples are divided into batches") {
  for (const std::int64_t batch : {1, 7, 60}) {
    tl::accuracy<"scores", "label"> first;
    tl::top_k_accuracy<"scores", "label", 2> second;
    tl::top_k_accuracy<"scores", "label", 3, "among three"> third;
    add_in_batches(first, scikit_learn::scores, {6}, scikit_learn::labels, {}, batch);
    add_in_batches(second, scikit_learn::scores, {6}, scikit_learn::labels, {}, batch);
    add_in_batches(third, scikit_learn::scores, {6}, scikit_learn::labels, {}, batch);
    CHECK(first.get().mean == Approx(scikit_learn::accuracy));
    CHECK(second.get().mean == Approx(scikit_learn::top_2_accuracy));
    CHECK(third.get().mean == Approx(scikit_learn::top_3_accuracy));
    CHECK(first.get().uncertainty == Approx(scikit_learn::f1_micro_error));  // of a share
  }
  STATIC_REQUIRE(tl::top_k_accuracy<"scores", "label", 12>::label == "top_12_accuracy");
  STATIC_REQUIRE(tl::top_k_accuracy<"scores", "label", 3, "among three">::label == "among three");
}

TEST_CASE("a single score is that of class 1, above the threshold") {
  tl::accuracy<"score", "label"> of_logits;
  for (const std::vector<std::int64_t>& row : {std::vector<std::int64_t>{}, {1}}) {
    of_logits.clear();
    add_in_batches(of_logits, scikit_learn::single, row, scikit_learn::binary, {}, 25);
    CHECK(of_logits.get().mean == Approx(scikit_learn::binary_accuracy));
  }
  tl::accuracy<"score", "label"> of_probabilities({.threshold = 0.5});
  const test::one_tensor<double> targets{{1, 0, 0}, {3, 1}};  // as binary cross entropy takes them
  of_probabilities.add(floats{{0.75f, 0.5f, 0.625f}, {3, 1}}, targets);
  CHECK(of_probabilities.get().mean == Approx(2.0 / 3));
  tl::accuracy<"score", "label"> of_several;  // in each sample
  of_several.add(floats{{1, -1, 1, -1, 1, -1}, {2, 3, 1}}, integers{{1, 0, 1, 0, 0, 0}, {2, 3}});
  CHECK(of_several.get().mean == Approx(5.0 / 6));
}

TEST_CASE("of equal scores the first ones are larger, and a row with NaN is wrong") {
  tl::top_k_accuracy<"logits", "label", 2> two;
  two.add(floats{{1, 1, 1, 0, /**/ 1, 1, 1, 0}, {2, 4}}, integers{{1, 2}, {2}});
  CHECK(two.get().mean == 0.5);
  tl::accuracy<"logits", "label"> one;
  for (const std::int32_t label : {0, 1, 2}) {
    one.add(floats{{not_a_number, 1, 0, /**/ 1, not_a_number, 0, /**/ 0, 1, not_a_number}, {3, 3}},
            integers{{label, label, label}, {3}});
    two.add(floats{{not_a_number, 1, 0}, {1, 3}}, integers{{label}, {1}});
  }
  CHECK(one.get().mean == 0);
  CHECK(two.get().mean == Approx(0.2));
}

TEST_CASE("an ignored label counts nothing, another that is no class is an error that names it") {
  tl::accuracy<"logits", "label"> metric({.ignore_index = -100});
  const floats logits{{0, 1, /**/ 1, 0, /**/ 1, 0}, {3, 2}};
  metric.add(logits, integers{{1, -100, 1}, {3}});
  CHECK(metric.get().mean == 0.5);
  tl::accuracy<"logits", "label"> none;
  CHECK(none.get().mean == 0);
  CHECK_THROWS_WITH(
      none.add(logits, integers{{1, -100, 1}, {3}}),
      contains("the input \"label\" has the label -100; \"logits\" has 2 classes, from 0 on (the "
               "option ignore_index leaves a label out)"));
  CHECK_THROWS_WITH(none.add(logits, integers{{0, 2, 1}, {3}}), contains("the label 2;"));
  CHECK_THROWS_WITH(none.add(logits, test::one_tensor<float>{{0, 0.5f, 1}, {3}}), contains("the label 0.5"));
  CHECK_THROWS_WITH(none.add(logits, test::one_tensor<float>{{0, not_a_number, 1}, {3}}), contains("nan"));
}

TEST_CASE("shapes that do not fit are an error that shows both") {
  tl::accuracy<"logits", "label"> metric;
  const auto sentence = [](const std::string& labels) {
    return contains(
        "\"logits\" has the shape [2, 3] and the input \"label\" the shape " + labels +
        "; what fits are scores [.., classes] and labels [..] that name a class, or one score for "
        "the classes 0 and 1: [samples] or [.., 1], or of any shape where the option multilabel says so");
  };
  const floats logits{{0, 1, 2, 3, 4, 5}, {2, 3}};
  CHECK_THROWS_WITH(metric.add(logits, integers{{0, 1, 0}, {3}}), sentence("[3]"));
  CHECK_THROWS_WITH(metric.add(logits, integers{{0, 1, 0, 0, 1, 0}, {2, 3}}), sentence("[2, 3]"));  // one-hot
  CHECK_THROWS_WITH(metric.add(logits, integers{{0}, {}}), sentence("[]"));
}

TEST_CASE("scores with a label each count alike where that is said") {
  const std::vector<float> scores{2, -1, 0.5f, /**/ -3, 1, 4};
  const std::vector<std::int32_t> labels{1, 0, 0, /**/ 1, 1, 1};
  tl::accuracy<"logits", "label"> metric({.multilabel = true}), of_columns;
  metric.add(floats{scores, {2, 3}}, integers{labels, {2, 3}});
  CHECK(metric.get().mean == Approx(4.0 / 6));
  of_columns.add(floats{scores, {2, 3, 1}}, integers{labels, {2, 3}});
  CHECK(metric.get().mean == of_columns.get().mean);
  metric.add(floats{scores, {2, 3, 1}}, integers{labels, {2, 3}});
  metric.add(floats{scores, {6}}, integers{labels, {6}});
  CHECK(metric.get().mean == Approx(4.0 / 6));

  tl::f1_score<"logits", "label"> f1({.of_class = 1, .multilabel = true});
  f1.add(floats{scores, {2, 3}}, integers{labels, {2, 3}});
  CHECK(f1.get().mean == Approx(0.75));  // 3 of 4 are right, and 3 of 4 are found
  tl::auroc<"logits", "label"> auroc({.multilabel = true});
  auroc.add(floats{scores, {2, 3}}, integers{labels, {2, 3}});
  CHECK(auroc.get().mean == Approx(6.0 / 8));
  tl::confusion_matrix<"logits", "label"> confusion({.multilabel = true});
  confusion.add(floats{scores, {2, 3}}, integers{labels, {2, 3}});
  CHECK(confusion.count(1, 0) == 1);
  CHECK(confusion.count(0, 1) == 1);

  CHECK_THROWS_WITH(metric.add(floats{scores, {3, 2}}, integers{{0, 1, 0}, {3}}), contains("multilabel"));
  CHECK_THROWS_WITH(metric.add(floats{scores, {2, 3}}, integers{{0, 1, 2, 0, 0, 0}, {2, 3}}),
                    contains("the label 2;"));
}
