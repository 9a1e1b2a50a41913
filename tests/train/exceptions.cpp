// SPDX-License-Identifier: BSL-1.0
// What throws leaves no trace: a trainer goes on as one to which it never happened.
#include <tapeless/tapeless.hpp>

#include <fstream>
#include <iterator>
#include <limits>

#include "catch.hpp"
#include "io/temporary_folder.hpp"
#include "program.hpp"

namespace {

constexpr auto model = [] {
  auto x = tl::input<"x", float, tl::dyn<"batch">, 3>;
  auto label = tl::input<"label", std::int32_t, tl::dyn<"batch">>;
  auto h = tl::dropout<0.25>(tl::tanh(tl::batch_norm<"norm">(tl::linear<"fc1", 5>(x))));
  auto logits = tl::linear<"fc2", 2>(h);
  return tl::outputs(tl::cross_entropy(logits, label), tl::named<"logits">(logits));
};

const std::vector<float> x = test::numbers(3).vector<float>(12);
const std::vector<std::int32_t> label{0, 1, 1, 0}, wrong{0, 1, 2, 0};

/// All that a trainer consists of, as the bytes of its checkpoint.
template <class Net>
std::string state_of(Net& net) {
  const test::temporary_folder folder;
  tl::save_checkpoint(net, folder.path("net"));
  std::ifstream file(folder.path("net"), std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Checks that `call` throws, and that the trainer then is what it was.
template <class Net, class Call>
void leaves_no_trace(Net& net, Call call) {
  const std::string before = state_of(net);
  CHECK_THROWS(call());
  CHECK((state_of(net) == before));
}

/// One that throws in this step, counted from 0.
auto throws_in(std::int64_t step) {
  return [step](std::int64_t t) -> double { return t == step ? throw tl::error("no rate") : 0.1; };
}

}  // namespace

TEST_CASE("a step") {
  tl::trainer net{model, tl::adam({.learning_rate = throws_in(2)})};
  leaves_no_trace(net, [&] { net.step("x"_t = x, "label"_t = wrong); });
  net.step("x"_t = x, "label"_t = label);
  leaves_no_trace(net, [&] { net.step("x"_t = x, "label"_t = wrong); });
  leaves_no_trace(net, [&] { net.step("x"_t = x, "label"_t = tl::bound_elements{}); });
  leaves_no_trace(net,
                  [&] { net.step("x"_t = std::vector<float>(), "label"_t = std::vector<std::int32_t>()); });
  leaves_no_trace(net, [&] { net.step("x"_t = std::vector<float>(7), "label"_t = label); });
  leaves_no_trace(net, [&] { net.evaluate("x"_t = x, "label"_t = wrong); });
  leaves_no_trace(net, [&] { net.predict("x"_t = std::vector<float>(7)); });
  net.step("x"_t = x, "label"_t = label);
  leaves_no_trace(net, [&] { net.step("x"_t = x, "label"_t = label); });  // the rate
  leaves_no_trace(net, [&] { net.accumulate(1, "x"_t = x, "label"_t = label); });
  leaves_no_trace(net, [&] { net.gradients("x"_t = x, "label"_t = label); });
}

TEST_CASE("gradients that wait for their update") {
  tl::trainer net{model, tl::average(tl::adam({.learning_rate = throws_in(1)}))};
  net.accumulate(0.5, "x"_t = x, "label"_t = label);
  leaves_no_trace(net, [&] { net.accumulate(0.5, "x"_t = x, "label"_t = wrong); });
  leaves_no_trace(net, [&] { net.gradients("x"_t = x, "label"_t = wrong); });
  leaves_no_trace(net, [&] { net.gradients("x"_t = x, "label"_t = tl::bound_elements{}); });
  for (const double weight : {std::nan(""), std::numeric_limits<double>::infinity()})
    leaves_no_trace(net, [&] { net.accumulate(weight, "x"_t = x, "label"_t = label); });
  CHECK_THROWS_WITH(net.accumulate(std::nan(""), "x"_t = x, "label"_t = label),
                    test::contains("accumulate: the weight is nan; it must be finite"));
  net.apply();
  {
    const std::string before = state_of(net);
    {
      const auto averages = net.averaged_weights();
      CHECK_THROWS(net.step("x"_t = x, "label"_t = label));
      CHECK_THROWS(net.gradients("x"_t = x, "label"_t = label));
      CHECK_THROWS(net.apply());
      CHECK_THROWS(net.averaged_weights());
    }
    CHECK((state_of(net) == before));
  }
  net.set<"learning_rate">(0.1);
  net.gradients("x"_t = x, "label"_t = label);
  net.set<"learning_rate">(throws_in(1));
  leaves_no_trace(net, [&] { net.apply(); });
}

TEST_CASE("a rule that collects") {
  tl::trainer net{model, tl::accumulate(2, tl::adam({.learning_rate = throws_in(1)}))};
  net.step("x"_t = x, "label"_t = label);
  leaves_no_trace(net, [&] { net.step("x"_t = x, "label"_t = wrong); });
  net.step("x"_t = x, "label"_t = label);
  leaves_no_trace(net, [&] { net.step("x"_t = x, "label"_t = label); });
}

TEST_CASE("hyperparameters") {
  tl::trainer net{model, tl::adam({.learning_rate = [](std::int64_t t) { return t == 1 ? -1 : 0.1; }})};
  net.step("x"_t = x, "label"_t = label);
  leaves_no_trace(net, [&] { net.step("x"_t = x, "label"_t = label); });
  leaves_no_trace(net, [&] { net.set<"beta1">(1); });
  net.set<"learning_rate">(0.1);
  net.step("x"_t = x, "label"_t = label);
}

TEST_CASE("lbfgs") {
  constexpr auto deterministic = [] {
    auto features = tl::input<"x", float, tl::dyn<"batch">, 3>;
    auto labels = tl::input<"label", std::int32_t, tl::dyn<"batch">>;
    return tl::cross_entropy(tl::linear<"fc2", 2>(tl::batch_norm<"norm">(tl::dropout<0.25>(features))),
                             labels);
  };
  tl::trainer net{deterministic, tl::lbfgs({.learning_rate = throws_in(2)})};
  leaves_no_trace(net, [&] { net.step("x"_t = x, "label"_t = wrong); });
  net.step("x"_t = x, "label"_t = label);
  leaves_no_trace(net, [&] { net.step("x"_t = x, "label"_t = wrong); });
  leaves_no_trace(net, [&] { net.step("x"_t = std::vector<float>(7), "label"_t = label); });
  net.step("x"_t = x, "label"_t = label);
  leaves_no_trace(net, [&] { net.step("x"_t = x, "label"_t = label); });
}

TEST_CASE("a fit leaves whole steps behind") {
  tl::data::dataset good, bad;
  good.add("x", {3}, x).add("label", {}, label);
  bad.add("x", {3}, x).add("label", {}, wrong);
  // In order, the third sample is the wrong one: the second part of the first batch, or the second batch.
  const auto compare = [&](const auto& whole, const auto& parts) {
    tl::trainer net{model, tl::adam({.learning_rate = throws_in(4)})};
    tl::fit(net, good, whole);
    leaves_no_trace(net, [&] { tl::fit(net, bad, parts); });
    tl::fit(net, good, whole);
    CHECK(net.steps() == 2);
  };
  compare(tl::fit_in_parts_options{.batch = 4, .physical_batch = 2, .shuffle = false},
          tl::fit_in_parts_options{.batch = 4, .physical_batch = 2, .shuffle = false});
  compare(tl::fit_in_parts_options{.batch = 4, .physical_batch = 2, .shuffle = false},
          tl::fit_in_parts_options{.batch = 4, .physical_batch = 1, .shuffle = false});
  compare(tl::fit_options{.batch = 4, .shuffle = false}, tl::fit_options{.batch = 4, .shuffle = false});

  // The first batch of two is a step.
  tl::trainer net{model, tl::adam({})}, same{model, tl::adam({})};
  CHECK_THROWS_AS(tl::fit(net, bad, {.batch = 2, .shuffle = false}), tl::error);
  tl::fit(same, good, {.steps = 1, .batch = 2, .shuffle = false});
  CHECK((state_of(net) == state_of(same)));
}

TEST_CASE("a fit in parts does not mix its gradients with others") {
  tl::data::dataset good;
  good.add("x", {3}, x).add("label", {}, label);
  tl::trainer net{model, tl::adam({})};
  net.accumulate(1, "x"_t = x, "label"_t = label);
  const auto fit = [&] { tl::fit(net, good, {.batch = 4, .physical_batch = 2}); };
  leaves_no_trace(net, fit);
  CHECK_THROWS_WITH(fit(), test::contains("fit: the gradients of 1 steps wait for their update"));
  net.discard_gradients();
  CHECK_NOTHROW(fit());
}

TEST_CASE("a callback that throws") {
  struct stop {};
  struct stops {
    void on_step(const tl::fit_progress&) { throw stop(); }
  };
  tl::data::dataset good;
  good.add("x", {3}, x).add("label", {}, label);
  tl::trainer net{model, tl::adam({})}, same{model, tl::adam({})};
  CHECK_THROWS_AS(tl::fit(net, good, {.batch = 2}, stops{}), stop);
  tl::fit(same, good, {.steps = 1, .batch = 2});
  CHECK((state_of(net) == state_of(same)));
}
