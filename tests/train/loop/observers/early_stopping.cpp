// SPDX-License-Identifier: BSL-1.0
// What ends a fit before its time, and what is left then.
#include <tapeless/tapeless.hpp>

#include <csignal>
#include <functional>
#include <limits>

#include "catch.hpp"
#include "program.hpp"

namespace tl = tapeless;
using test::contains;

namespace {

constexpr auto model = [] {
  auto x = tl::input<"x", float, tl::dyn<"batch">, 2>;
  return tl::mean(tl::square(tl::linear<"fc", 1>(x)));
};

tl::data::dataset samples(float last = 1) {
  auto x = test::numbers(5).vector<float>(40);
  x.back() = last;
  tl::data::dataset d;
  d.add("x", {2}, x);
  return d;
}

auto make_net() {
  return tl::trainer{model, tl::mixed_precision<tl::bf16>(tl::sgd({.learning_rate = 0.01, .momentum = 0.5}))};
}

/// A metric whose values are given, one for each epoch of training and its validation.
struct told {
  static constexpr std::string_view label = "told";
  static constexpr tl::direction improves = tl::direction::up;
  std::vector<double> values;
  std::size_t epoch = 0;
  void clear() {}
  void add(const auto&, const auto&) {}
  tl::measurement get() const { return {values[std::min(epoch, values.size() - 1)]}; }
  void on_epoch_end(const tl::fit_progress& p, const tl::epoch_report&) {
    epoch = static_cast<std::size_t>(p.epoch) + 1;
  }
};

/// One type for all that is asked below, since each set of callbacks is compiled.
struct asks {
  std::function<bool(const tl::fit_progress&)> step = [](const auto&) { return true; };
  std::function<void(const tl::fit_progress&)> end = [](const auto&) {};
  int begun = 0;
  void on_begin(const tl::fit_progress& p) {
    ++begun;
    CHECK(!p.resumed);
    CHECK(p.history->empty());
  }
  bool operator()(const tl::fit_progress& p) { return step(p); }
  void on_end(const tl::fit_progress& p) { end(p); }
};

std::vector<float> masters_of(auto& net) {
  const auto w = net.template master<"fc.weight">();
  return {w.begin(), w.end()};
}

auto fit_with(auto& net, const tl::data::dataset& d, tl::early_stopping patience, told measure,
              asks ask = {}) {
  return tl::fit(net, d, {.epochs = 9, .batch = 8}, patience, measure, ask, tl::stop_on_interrupt{},
                 tl::stop_on_nonfinite{});
}

}  // namespace

TEST_CASE("by hand") {
  tl::early_stopping patience({.patience = 2, .min_delta = 0.5});
  CHECK(!patience.is_best());
  CHECK(patience.add(3));
  CHECK(patience.is_best());
  CHECK(patience.add(2.6));  // not by enough
  CHECK(!patience.is_best());
  CHECK(patience.add(2));
  CHECK(patience.add(2.5));
  CHECK_FALSE(patience.add(std::nan("")));
  CHECK(patience.is_over());
  CHECK(patience.best() == 2);
  CHECK(patience.best_epoch() == 2);

  tl::early_stopping largest({.patience = 1, .improves = tl::direction::up});
  CHECK(largest.add(1));
  CHECK(largest.add(2));
  CHECK_FALSE(largest.add(2));
  CHECK_THROWS_WITH(tl::early_stopping({.patience = 0}),
                    "tapeless: early_stopping: patience is 0; it must be 1 or more");
  CHECK_THROWS_WITH(tl::early_stopping({.min_delta = -1}), contains("min_delta is -1"));
}

TEST_CASE("a fit ends when it gets no better, with the best weights") {
  const auto data = samples();
  auto net = make_net(), twin = make_net();
  tl::early_stopping patience({.watch = "told", .patience = 3, .restore_best = true});
  told measure{{1, 2, 5, 4, 5, 4, 9}};
  const auto history = tl::fit(net, data, {.epochs = 9, .batch = 8}, patience, measure, asks{},
                               tl::stop_on_interrupt{}, tl::stop_on_nonfinite{});
  CHECK(history.size() == 6);
  CHECK(patience.best_epoch() == 2);
  CHECK(patience.best() == 5);
  CHECK(net.steps() == 18);
  CHECK(measure.epoch == 6);  // the metric itself was used
  tl::fit(twin, data, {.epochs = 3, .batch = 8});
  CHECK(masters_of(net) == masters_of(twin));
  CHECK(history[2].updates == 9);

  auto last = make_net();
  fit_with(last, data, tl::early_stopping({.watch = "told", .patience = 3}), told{{1, 2, 5, 4, 5, 4, 9}});
  CHECK(last.steps() == 18);
  CHECK(masters_of(last) != masters_of(twin));
}

TEST_CASE("what cannot be watched is said in the first step") {
  auto net = make_net();
  CHECK_THROWS_WITH(fit_with(net, samples(), tl::early_stopping({.watch = "tolt"}), told{{1}}),
                    contains("there is no measurement named \"tolt\"; there is \"loss\", \"told\""));
  CHECK(net.steps() == 1);
  tl::report unknown;
  unknown.set("mine", {});
  tl::fit_progress p;
  p.train = &unknown;
  tl::early_stopping mine({.watch = "mine"}), fine({.watch = "mine", .improves = tl::direction::down});
  CHECK_THROWS_WITH(mine.on_step(p),
                    contains("early_stopping: whether \"mine\" gets better by going up or down"));
  CHECK_NOTHROW(fine.on_step(p));
}

TEST_CASE("a lambda ends a fit in the middle of an epoch, and the trainer goes on there") {
  const auto data = samples();
  auto net = make_net(), whole = make_net();
  const tl::fit_options options{.epochs = 2, .batch = 8};
  std::vector<std::int64_t> all;
  int ends = 0;
  asks ask{[&](const tl::fit_progress& p) {
             all.insert(all.end(), p.samples.begin(), p.samples.end());
             CHECK(p.updates == 3 * p.epoch + p.step);
             CHECK(p.loss > 0);
             CHECK(p.seconds >= 0);
             CHECK(p.history->size() == static_cast<std::size_t>(p.epoch));
             return p.updates < 4;
           },
           [&](const tl::fit_progress& p) {
             ++ends;
             CHECK(p.epoch == 1);
             CHECK(p.step == 1);
           }};
  const auto history = fit_with(net, data, tl::early_stopping(), told{{1}}, ask);
  CHECK(net.steps() == 4);
  CHECK(history.size() == 1);
  CHECK(!history.interrupted());
  CHECK(ends == 1);
  REQUIRE(all.size() == 28);
  std::sort(all.begin(), all.begin() + 20);
  for (std::int64_t i = 0; i < 20; ++i) CHECK(all[static_cast<std::size_t>(i)] == i);
  tl::fit(whole, data, options);
  tl::fit(net, data, {.epochs = 1, .batch = 8});
  CHECK(masters_of(net) == masters_of(whole));
}

TEST_CASE("Ctrl-C and SIGTERM end a fit after the step") {
  const int signal = GENERATE(SIGINT, SIGTERM);
  auto net = make_net();
  asks ask{[signal](const tl::fit_progress& p) {
    if (p.updates == 5) std::raise(signal);
    return true;
  }};
  const auto history = fit_with(net, samples(), tl::early_stopping(), told{{1}}, ask);
  CHECK(net.steps() == 5);
  CHECK(history.interrupted());
  CHECK(history.size() == 1);
}

TEST_CASE("a loss that is no number ends a fit, with the step and the samples") {
  auto net = make_net();
  const auto data = samples(std::numeric_limits<float>::infinity());
  CHECK_THROWS_WITH(
      tl::fit(net, data, {.epochs = 9, .batch = 8, .shuffle = false}, tl::early_stopping(), told{{1}}, asks{},
              tl::stop_on_interrupt{}, tl::stop_on_nonfinite{}),
      "tapeless: fit: the loss of step 3 of epoch 1, after which there are 3 updates, is inf; the "
      "batch has the samples number 16, 17, 18, 19");
  tl::fit_progress p;
  const std::vector<std::int64_t> many(20, 7);
  p.samples = many;
  p.loss = std::nan("");
  CHECK_THROWS_WITH(tl::stop_on_nonfinite().on_step(p),
                    contains("is nan; the batch has") && contains("and 4 more"));
}

TEST_CASE("limits") {
  tl::fit_progress p;
  p.updates = 7;
  p.seconds = 2;
  CHECK(tl::stop_after({}).on_step(p));
  CHECK(tl::stop_after({.seconds = 3, .updates = 8}).on_step(p));
  CHECK_FALSE(tl::stop_after({.seconds = 2}).on_step(p));
  CHECK_FALSE(tl::stop_after({.updates = 7}).on_step(p));
  CHECK_FALSE(tl::stop_after({.updates = 7}).on_begin(p));
  CHECK_THROWS_AS(tl::stop_after({.seconds = std::nan("")}), tl::error);
  CHECK_THROWS_WITH(tl::stop_after({.seconds = -1}),
                    "tapeless: stop_after: seconds is -1; it must be 0 or more");
  CHECK_THROWS_WITH(tl::stop_after({.updates = -2}),
                    "tapeless: stop_after: updates is -2; it must be 0 or more");
}

TEST_CASE("averages that are kept are what training goes on from") {
  tl::trainer net{model,
                  tl::mixed_precision<tl::bf16>(tl::average(tl::sgd({.learning_rate = 1}), {.decay = 0.5}))};
  for (const float x : {1.0f, -2.0f, 0.5f}) net.step("x"_t = std::vector<float>{x, 1});
  const auto floats = [](const auto& view) { return std::vector<float>(view.begin(), view.end()); };
  tl::kept_weights kept;
  std::vector<float> expected;
  {
    const auto averages = net.averaged_weights();
    kept.keep(net);
    expected = floats(net.parameter<"fc.weight">());
    CHECK_THROWS_WITH(kept.put_back(net), contains("averaged_weights() stand in for the parameters"));
  }
  CHECK(floats(net.parameter<"fc.weight">()) != expected);
  kept.put_back(net);
  CHECK(floats(net.parameter<"fc.weight">()) == expected);
  CHECK(floats(net.master<"fc.weight">()) == expected);
}

TEST_CASE("weights of other shapes are not put back") {
  constexpr auto square_of = []<std::int64_t Rows, std::int64_t Columns>() {
    return tl::trainer{[] { return tl::mean(tl::square(tl::param<"w", float, Rows, Columns>(tl::fill(1)))); },
                       tl::sgd({})};
  };
  auto net = square_of.operator()<2, 3>(), again = square_of.operator()<2, 3>();
  auto other = square_of.operator()<3, 2>();
  net.parameter<"w">()[5] = 7;
  tl::kept_weights kept;
  CHECK_THROWS_WITH(kept.put_back(other), contains("0 bytes of weights were kept"));
  kept.keep(net);
  CHECK_THROWS_WITH(kept.put_back(other), contains("weights of other names, types or shapes"));
  CHECK(other.parameter<"w">()[5] == 1);
  kept.put_back(again);
  CHECK(again.parameter<"w">()[5] == 7);
}
