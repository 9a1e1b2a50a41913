// SPDX-License-Identifier: BSL-1.0
// Batches for programs from sources of any kind: fits on a dataset, on a user's own source and on one without
// an end are the same, bit for bit.
#include <tapeless/tapeless.hpp>

#include <string>
#include <vector>

#include "catch.hpp"

namespace tl = tapeless;
using test::contains;

namespace {

constexpr auto batch = tl::dyn<"batch">;

constexpr auto model = [] {
  auto x = tl::input<"x", float, batch, 2>;
  auto label = tl::input<"label", std::int32_t, batch>;
  return tl::cross_entropy(tl::linear<"fc2", 3>(tl::tanh(tl::linear<"fc1", 6>(x))), label);
};
auto make_net() { return tl::trainer{model, tl::sgd({.learning_rate = 0.1f})}; }
using trainer = decltype(make_net());

float x_of(std::int64_t i, int axis) { return static_cast<float>(i % 7 - 3 * axis) / 7; }

struct generated {
  std::int64_t count;
  std::int64_t size() const { return count; }
  void read(std::int64_t i, tl::data::sample& s) const {
    for (int axis : {0, 1}) s.get<float>("x")[static_cast<std::size_t>(axis)] = x_of(i, axis);
    s.get<std::int32_t>("label")[0] = static_cast<std::int32_t>(i % 3);
  }
};

tl::data::dataset stored(std::int64_t count) {
  std::vector<float> x;
  std::vector<std::int32_t> label;
  for (std::int64_t i = 0; i < count; ++i) {
    for (int axis : {0, 1}) x.push_back(x_of(i, axis));
    label.push_back(static_cast<std::int32_t>(i % 3));
  }
  tl::data::dataset d;
  d.add("label", {}, label).add("not for this model", {}, label).add("x", {2}, x);
  return d;
}

std::vector<float> weights_of(trainer& net) {
  std::vector<float> all;
  for (const auto& p : {net.parameter<"fc1.weight">(), net.parameter<"fc2.bias">()})
    all.insert(all.end(), p.begin(), p.end());
  return all;
}

std::vector<float> fitted(const tl::data::source& from, const tl::fit_options& options) {
  auto net = make_net();
  tl::fit(net, from, options);
  return weights_of(net);
}

struct broken {
  std::int64_t last_good;
  std::int64_t size() const { return tl::data::endless; }
  void read(std::int64_t i, tl::data::sample& s) const {
    if (i > last_good) throw i;
    generated{9}.read(i, s);
  }
};

}  // namespace

TEST_CASE("a fit is the same whatever its samples come from") {
  const tl::fit_options options{.epochs = 3, .batch = 8, .validation_split = 0.2, .seed = 4};
  CHECK(fitted(stored(50), options) == fitted(generated{50}, options));
}

TEST_CASE("with a start epoch a fit makes the epochs that are left, in their orders") {
  const auto data = stored(50);
  auto whole = make_net(), begun = make_net(), other = make_net();
  tl::fit(whole, data, {.epochs = 5, .batch = 8, .seed = 4});
  tl::fit(begun, data, {.epochs = 2, .batch = 8, .seed = 4});
  tl::copy_parameters(begun, other);  // which knows of no epochs
  const auto history = tl::fit(other, data, {.epochs = 5, .start_epoch = 2, .batch = 8, .seed = 4});
  CHECK(weights_of(other) == weights_of(whole));
  CHECK(history.size() == 3);
  CHECK(history[0].number == 3);
  CHECK(history[2].number == 5);
  CHECK(tl::fit(other, data, {.epochs = 5, .start_epoch = 5}).empty());

  // one that is in the middle of that epoch goes on there
  tl::fit(begun, data, {.steps = 3, .batch = 8, .seed = 4});
  tl::fit(begun, data, {.epochs = 5, .start_epoch = 2, .batch = 8, .seed = 4});
  CHECK(begun.steps() == whole.steps());
  CHECK(weights_of(begun) == weights_of(whole));
}

TEST_CASE("a start epoch is the pass of that number, also in the middle of it with other batches") {
  const auto samples_of = [](auto& net, const auto& from) {
    std::vector<std::int64_t> all;
    tl::fit(net, from, {.epochs = 2, .start_epoch = 1, .batch = 10, .seed = 4},
            [&](const tl::fit_progress& p) { all.insert(all.end(), p.samples.begin(), p.samples.end()); });
    return all;
  };
  const auto data = stored(50);
  auto fresh = make_net(), begun = make_net();
  tl::fit(begun, data, {.steps = 9, .batch = 8, .seed = 4});
  CHECK(begun.position_in_fit().pass == 1);
  CHECK(begun.position_in_fit().batch == 2);
  CHECK(samples_of(begun, data) == samples_of(fresh, data));
  CHECK(begun.position_in_fit().pass == 2);
}

TEST_CASE("an evaluation is the same whatever its samples come from") {
  auto net = make_net();
  const double loss = tl::evaluate(net, stored(50), {.batch = 8})["loss"].mean;
  CHECK(tl::evaluate(net, generated{50}, {.batch = 8})["loss"].mean == loss);
}

TEST_CASE("a wrong label is named by its sample's number in the data set, whatever the order") {
  auto net = make_net();
  std::vector<std::int32_t> labels(50);
  labels[37] = 3;
  tl::data::dataset data;
  data.add("x", {2}, std::vector<float>(100)).add("label", {}, labels);
  const auto is_named =
      contains("input \"label\" holds 3 in sample 37 of the data set; as an index it must be");
  CHECK_THROWS_WITH(tl::fit(net, data, {.batch = 8, .seed = 4}), is_named);
  CHECK_THROWS_WITH(tl::fit(net, data, {.batch = 50, .validation_split = 0.98, .split_seed = 1}), is_named);
  CHECK_THROWS_WITH(tl::fit(net, data, tl::fit_in_parts_options{.batch = 16, .physical_batch = 5}), is_named);
  CHECK_THROWS_WITH(tl::evaluate(net, data, {.batch = 8}), is_named);

  tl::trainer of_pairs{[] {
                         auto pair = tl::input<"pair", std::int64_t, batch, 2>;
                         return tl::mean(tl::embedding<"table", 5, 3>(pair));
                       },
                       tl::sgd({.learning_rate = 0.1f})};
  std::vector<std::int64_t> pairs(40);
  pairs[23] = -1;
  tl::data::dataset all;
  all.add("pair", {2}, pairs);
  CHECK_THROWS_WITH(tl::fit(of_pairs, all, {.batch = 8}),
                    contains("input \"pair\" holds -1 at position 1 of sample 11 of the data set;"));
}

TEST_CASE("a metric names a wrong label by its sample's number in the data set") {
  tl::trainer net{[] {
                    auto x = tl::input<"x", float, batch, 2>;
                    auto y = tl::input<"y", float, batch>;
                    auto weight = tl::input<"weight", float, batch>;
                    auto scores = tl::named<"scores">(tl::linear<"fc", 3>(x));
                    return tl::mean(weight * tl::square(tl::sum<-1>(scores) - y));
                  },
                  tl::sgd({.learning_rate = 0.1f})};
  std::vector<float> y(50);
  y[37] = 7;
  tl::data::dataset data;
  data.add("x", {2}, std::vector<float>(100)).add("y", {}, y).add("weight", {}, std::vector<float>(50, 1));
  const auto is_named = contains("the input \"y\" has the label 7 in sample 37 of the data set; \"scores\"");
  tl::accuracy<"scores", "y"> accuracy;
  CHECK_THROWS_WITH(tl::fit(net, data, {.batch = 8}, accuracy), is_named);
  CHECK_THROWS_WITH(tl::evaluate(net, data, {.batch = 8}, tl::weighted<"weight">(accuracy)), is_named);
}

TEST_CASE("samples without an end are taken in their order, and once") {
  const auto expected = fitted(stored(60), {.epochs = 1, .batch = 6, .shuffle = false});
  CHECK(fitted(generated{tl::data::endless}, {.steps = 10, .batch = 6}) == expected);
  auto net = make_net();
  for (const std::int64_t steps : {1, 4, 5})
    tl::fit(net, generated{tl::data::endless}, {.steps = steps, .batch = 6});
  CHECK(weights_of(net) == expected);
  CHECK(net.position_in_fit().pass == 0);
  CHECK(net.position_in_fit().batch == 10);
  tl::fit(net, generated{tl::data::endless}, {.steps = 1, .batch = 7});  // after 60 samples: 63 to 69
  CHECK(net.position_in_fit().batch == 10);
  tl::fit(net, generated{tl::data::endless}, {.steps = 1, .batch = 5});
  CHECK(net.position_in_fit().batch == 15);
  tl::fit(net, generated{50}, {.steps = 1, .batch = 5});
  CHECK(net.position_in_fit().pass == 1);
  tl::fit(net, generated{tl::data::endless}, {.steps = 1, .batch = 5});
  CHECK(net.position_in_fit().pass == 2);
  CHECK(net.position_in_fit().batch == 1);
}

TEST_CASE("of samples without an end, no part can be held back, nor all be taken") {
  auto net = make_net();
  const tl::data::source from = generated{tl::data::endless};
  REQUIRE_THROWS_WITH(tl::fit(net, from, {.epochs = 1}),
                      contains("the data have no end: say how many steps"));
  REQUIRE_THROWS_WITH(tl::fit(net, from, {.steps = 1, .validation_split = 0.1}),
                      contains("validation_split can hold no share back"));
  REQUIRE_THROWS_WITH(tl::evaluate(net, from), contains("the data have no end"));
}

TEST_CASE("the last batch is kept, dropped or filled") {
  const auto updates = [](tl::data::last_batch last, std::int64_t batch) {
    auto net = make_net();
    tl::fit(net, generated{10}, {.epochs = 2, .batch = batch, .last_batch = last});
    return net.steps();
  };
  CHECK(updates(tl::data::last_batch::keep, 4) == 6);
  CHECK(updates(tl::data::last_batch::drop, 4) == 4);
  CHECK(updates(tl::data::last_batch::fill, 4) == 6);
  REQUIRE_THROWS_WITH(updates(tl::data::last_batch::drop, 11), contains("make no batch of 11"));
  REQUIRE_THROWS_WITH(updates(tl::data::last_batch::fill, 11), contains("too large to be filled with 10"));
}

TEST_CASE("a last batch that does not fit a model's own batch is an error before the first step") {
  constexpr auto by_four = [] {
    auto x = tl::input<"x", float, 4, 2>;
    auto label = tl::input<"label", std::int32_t, 4>;
    return tl::cross_entropy(tl::linear<"fc", 3>(x), label);
  };
  tl::trainer net{by_four, tl::sgd({.learning_rate = 0.1f})};
  const tl::data::source from = generated{10};
  const std::string sentence =
      "tapeless: fit: input \"x\" takes batches of 4 samples, but the last one of an epoch has 2: give fit "
      "the "
      "option .last_batch = tl::data::last_batch::drop, or fill";
  REQUIRE_THROWS_WITH(tl::fit(net, from, {.batch = 4}), sentence);
  REQUIRE_THROWS_WITH(tl::fit(net, from, {.steps = 3, .batch = 4}), sentence);
  REQUIRE_THROWS_WITH(tl::fit(net, from, tl::fit_in_parts_options{.batch = 8, .physical_batch = 4}),
                      sentence);
  CHECK(net.steps() == 0);
  tl::fit(net, from, {.steps = 2, .batch = 4});  // does not come to it
  CHECK(net.steps() == 2);
  tl::fit(net, from, {.batch = 4, .last_batch = tl::data::last_batch::drop});
  tl::fit(net, from, {.batch = 4, .last_batch = tl::data::last_batch::fill});
  tl::fit(net, generated{8}, {.batch = 4});
  CHECK(net.steps() == 9);
}

TEST_CASE("what a source throws comes out of the fit, at the step that needs the samples") {
  auto net = make_net();
  CHECK_THROWS_AS(tl::fit(net, broken{19}, {.steps = 10, .batch = 5}), std::int64_t);
  CHECK(net.steps() == 4);
}

TEST_CASE("a source that lacks a column is told which") {
  auto net = make_net();
  tl::data::dataset d;
  d.add<float>("xs", {2}, {1, 2}).add<std::int32_t>("label", {}, {0});
  REQUIRE_THROWS_WITH(tl::fit(net, d, {}),
                      contains("no column \"x\" in the dataset, which has \"xs\", \"label\""));
}

TEST_CASE("a source that says no shapes serves models that leave none open") {
  constexpr auto open = [] {
    return tl::mean(tl::square(tl::input<"x", float, batch, tl::dyn<"length">> * tl::param<"w", float>));
  };
  struct shaped {
    std::int64_t size() const { return 4; }
    std::vector<tl::data::column_description> columns() const {
      return {tl::data::column_of<float>("x", {5}), tl::data::column_of<float>("unused", {2})};
    }
    void read(std::int64_t, tl::data::sample& s) const {
      for (float& x : s.get<float>("x")) x = 3;
      s.get<float>("unused")[1] = 1;
    }
  };
  tl::trainer net{open, tl::sgd({.learning_rate = 0.1f})};
  REQUIRE_THROWS_WITH(tl::fit(net, generated{9}, {}),
                      contains("input \"x\" leaves more than its first extent open"));
  tl::fit(net, shaped(), {.batch = 2});
  CHECK(net.steps() == 2);
}
