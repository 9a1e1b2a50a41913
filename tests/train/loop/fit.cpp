// SPDX-License-Identifier: BSL-1.0
// fit and evaluate on a small data set: what they return, whom they tell, what they refuse.
#include <tapeless/tapeless.hpp>

#include <cmath>

#include "catch.hpp"
#include "parameters.hpp"
#include "train/loop/circle.hpp"

namespace tl = tapeless;
using namespace tl::literals;
using namespace test;

namespace {

/// Writes down what it is told.
struct diary {
  std::string* text;
  char mark;
  void on_step(const tl::fit_progress& p) {
    *text += mark + std::to_string(p.epoch) + "/" + std::to_string(p.epochs) + ":" + std::to_string(p.step) +
             "/" + std::to_string(p.steps) + " ";
  }
  void on_epoch_end(const tl::fit_progress& p, const tl::epoch_report& r) {
    *text += std::string(1, mark) + "end" + std::to_string(p.epoch) + (r.validation.empty() ? " " : "+ ");
  }
};

}  // namespace

TEST_CASE("fit learns") {
  auto net = make_net();
  const auto data = circle(90);
  const auto history = tl::fit(net, data, {.epochs = 30, .batch = 16, .validation_split = 0.2, .seed = 3},
                               tl::accuracy<"logits", "label">{});
  REQUIRE(history.size() == 30);
  CHECK(history.back().train["loss"].mean < 0.5 * history.front().train["loss"].mean);
  CHECK(history.back().train["accuracy"].mean > 0.9);
  CHECK(history.back().validation["accuracy"].mean > 0.8);
  CHECK(history.back().validation["loss"].mean < history.front().validation["loss"].mean);
  CHECK(net.steps() == 30 * 5);
  const auto report = tl::evaluate(net, data, tl::accuracy<"logits", "label">{});
  CHECK(report["accuracy"].mean > 0.9);
  CHECK(report["accuracy"].uncertainty > 0);
}

TEST_CASE("the history is as long as the epochs, or as told by steps") {
  const auto data = circle(10);  // 3 batches of 4
  const auto run = [&](tl::fit_options o) {
    auto net = make_net();
    o.batch = 4;
    const std::size_t length = tl::fit(net, data, o).size();
    return std::pair(length, net.steps());
  };
  using both = std::pair<std::size_t, std::int64_t>;
  CHECK(run({.epochs = 0}) == both(0, 0));
  CHECK(run({.epochs = 1}) == both(1, 3));
  CHECK(run({.epochs = 5}) == both(5, 15));
  CHECK(run({.epochs = 5, .steps = 1}) == both(1, 1));
  CHECK(run({.steps = 10}) == both(10, 10));
  CHECK(run({.steps = 11}) == both(6, 11));   // two steps in each report
  CHECK(run({.steps = 35}) == both(12, 35));  // a pass in each report
  CHECK(run({.steps = 100}) == both(34, 100));
}

TEST_CASE("callbacks are told in order") {
  auto net = make_net();
  std::string text;
  tl::fit(net, circle(7), {.epochs = 2, .batch = 4, .validation_split = 0.2}, diary{&text, 'a'},
          diary{&text, 'b'});
  CHECK(text ==
        "a0/2:1/2 b0/2:1/2 a0/2:2/2 b0/2:2/2 aend0+ bend0+ "
        "a1/2:1/2 b1/2:1/2 a1/2:2/2 b1/2:2/2 aend1+ bend1+ ");
}

TEST_CASE("with steps, the last epoch is shorter") {
  auto net = make_net();
  std::string text;
  std::vector<std::size_t> sizes;
  const auto history =
      tl::fit(net, circle(40), {.steps = 35, .batch = 4}, diary{&text, ' '}, batch_sizes{&sizes});
  CHECK(history.size() == 9);
  CHECK(text.substr(0, 20) == " 0/9:1/4  0/9:2/4  0");
  const std::string last = " 7/9:4/4  end7  8/9:1/3  8/9:2/3  8/9:3/3  end8 ";
  CHECK(text.substr(text.size() - last.size()) == last);
  CHECK(history[7].train["samples"].mean == 16);
  CHECK(history[8].train["samples"].mean == 12);
}

TEST_CASE("evaluate does not depend on the batch") {
  auto net = make_net();
  const auto data = circle(50);
  tl::fit(net, data, {.epochs = 3});
  const auto before = all_parameters(net);
  const auto run = [&](std::int64_t size) {
    return tl::evaluate(net, data, {.batch = size}, tl::accuracy<"logits", "label">{});
  };
  const auto all = run(50);
  for (const std::int64_t size : {1, 7, 49, 1000}) {
    CHECK(run(size)["loss"].mean == Approx(all["loss"].mean).epsilon(1e-5));
    CHECK(run(size)["accuracy"].mean == all["accuracy"].mean);
  }
  CHECK(tl::evaluate(net, data)["loss"].mean == all["loss"].mean);
  CHECK(all_parameters(net) == before);
  CHECK(net.steps() == 6);
  const auto x = data.column("x");
  const float loss =
      net.evaluate("x"_t = std::span(reinterpret_cast<const float*>(x.storage.get()), 100),
                   "label"_t = std::span(
                       reinterpret_cast<const std::int32_t*>(data.column("label").storage.get()), 50))
          .loss();
  CHECK(all["loss"].mean == Approx(loss).epsilon(1e-5));
}

TEST_CASE("a loss that is a sum is reported as the mean over batches of theirs") {
  constexpr auto sum = [] {
    return tl::sum(tl::input<"x", float, tl::dyn<"batch">> * tl::param<"w", float>(tl::fill(1)));
  };
  tl::data::dataset data;
  data.add("x", {}, std::vector<float>{1, 1, 1, 1});
  tl::trainer net{sum, tl::sgd({.learning_rate = 0.0f})};
  CHECK(tl::evaluate(net, data, {.batch = 4})["loss"].mean == 4);
  CHECK(tl::evaluate(net, data, {.batch = 3})["loss"].mean == 2);
  CHECK(tl::evaluate(net, data, {.batch = 1})["loss"].mean == 1);
  const auto whole = tl::fit(net, data, {.epochs = 1, .batch = 3, .validation = data}).back();
  CHECK(whole.train["loss"].mean == 2);
  CHECK(whole.validation["loss"].mean == 2);
  const tl::fit_in_parts_options in_parts{.epochs = 1, .batch = 3, .physical_batch = 2};
  CHECK(tl::fit(net, data, in_parts).back().train["loss"].mean == 2);
}

TEST_CASE("what fit refuses") {
  auto net = make_net();
  const auto data = circle(10);
  const auto before = all_parameters(net);
  const auto with = [&](const tl::fit_in_parts_options& o) { tl::fit(net, data, o); };
  CHECK_THROWS_AS(with({.batch = 0}), tl::error);
  CHECK_THROWS_WITH(with({.batch = 0}), "tapeless: fit: batch is 0; it must be 1 or more");
  CHECK_THROWS_WITH(with({.batch = -3}), contains("batch is -3"));
  CHECK_THROWS_WITH(with({.physical_batch = -1}), contains("physical_batch is -1; it must be 0 or more"));
  CHECK_THROWS_WITH(with({.validation_split = 1}),
                    contains("validation_split is 1; it must be at least 0 and below 1"));
  CHECK_THROWS_WITH(with({.validation_split = -0.5}), contains("validation_split is -0.5"));
  CHECK_THROWS_WITH(with({.validation_split = std::nan("")}), contains("validation_split is"));
  CHECK_THROWS_WITH(with({.validation_split = 0.99}),
                    contains("validation_split 0.99 of 10 samples leaves none to train on"));
  CHECK_THROWS_WITH(with({.validation_split = 0.04}),
                    "tapeless: fit: validation_split 0.04 of 10 samples holds none back");
  CHECK_THROWS_WITH(with({.epochs = -1}), contains("epochs is -1; it must be 0 or more"));
  CHECK_THROWS_WITH(with({.steps = -1}), contains("steps is -1; it must be 0 or more"));
  CHECK_THROWS_WITH(tl::fit(net, tl::data::dataset{}, {}), "tapeless: fit: the data set is empty");
  CHECK_THROWS_WITH(tl::evaluate(net, data, {.batch = 0}),
                    "tapeless: evaluate: batch is 0; it must be 1 or more");
  CHECK_THROWS_WITH(tl::evaluate(net, tl::data::dataset{}), "tapeless: evaluate: the data set is empty");
  CHECK(all_parameters(net) == before);
  CHECK(net.steps() == 0);
}

TEST_CASE("data for validation that do not fit are refused before the first step") {
  auto net = make_net();
  tl::data::dataset doubles, wide;
  doubles.add("x", {2}, std::vector<double>(8)).add("label", {}, std::vector<std::int32_t>(4));
  CHECK_THROWS_WITH(tl::fit(net, circle(10), {.epochs = 2, .validation = doubles}),
                    contains("input \"x\" expects elements of type float, but got double"));
  wide.add("x", {3}, std::vector<float>(12)).add("label", {}, std::vector<std::int32_t>(4));
  CHECK_THROWS_WITH(tl::fit(net, circle(10), {.epochs = 2, .validation = wide}),
                    contains("input \"x\" expects the shape [batch = 4, 2], but got [4, 3]"));
  tl::data::dataset others;
  others.add("x", {2}, std::vector<float>(8));
  CHECK_THROWS_WITH(tl::fit(net, circle(10), {.epochs = 2, .validation = others}),
                    "tapeless: no column \"label\" in the dataset, which has \"x\"");
  CHECK(net.steps() == 0);
}

TEST_CASE("data that do not fit the model") {
  auto net = make_net();
  const auto try_with = [&](const tl::data::dataset& d) { tl::fit(net, d, {}); };
  const std::vector<float> x(8);
  const std::vector<std::int32_t> label(4);
  tl::data::dataset missing, wrong_type, wrong_shape, out_of_range, many_axes;
  missing.add("x", {2}, x).add("labels", {}, label);
  CHECK_THROWS_WITH(try_with(missing),
                    "tapeless: no column \"label\" in the dataset, which has \"labels\", \"x\"");
  CHECK_THROWS_WITH(tl::evaluate(net, missing), contains("no column \"label\""));
  wrong_type.add("x", {2}, std::vector<double>(8)).add("label", {}, label);
  CHECK_THROWS_WITH(try_with(wrong_type),
                    contains("input \"x\" expects elements of type float, but got double"));
  wrong_shape.add("x", {1, 2}, x).add("label", {}, label);
  CHECK_THROWS_WITH(try_with(wrong_shape),
                    contains("input \"x\" expects the shape [batch, 2], but got [4, 1, 2]"));
  out_of_range.add("x", {2}, x).add("label", {}, std::vector<std::int32_t>{0, 1, 2, 3});
  CHECK_THROWS_WITH(try_with(out_of_range),
                    contains("input \"label\" holds 3 in sample 3 of the data set; as an index"));
  many_axes.add("x", {1, 1, 1, 1, 1, 1, 1, 2}, x).add("label", {}, label);
  CHECK_THROWS_WITH(try_with(many_axes),
                    contains("column \"x\" has samples of 8 axes; at most 7 are possible"));
  CHECK(net.steps() == 0);
}
