// SPDX-License-Identifier: BSL-1.0
// Schedules: the stored ones, and the first three values that each docstring shows.
#include "optim/reference.hpp"

#include <cmath>
#include <functional>
#include <numbers>

#include <tapeless/optim/base/hyperparameter.hpp>
#include <tapeless/optim/schedules/schedules.hpp>
#include <tapeless/train/loop/measurement.hpp>

namespace {

using schedule = std::function<double(std::int64_t)>;
using numbers = std::function<double(std::string_view)>;

std::int64_t whole(double x) { return std::llround(x); }

tl::one_cycle_options one_cycle_of(const test::json& hyper) {
  const auto n = [&](std::string_view key) { return hyper[key].number(); };
  return {.peak = n("max_lr"),
          .steps = whole(n("total_steps")),
          .rising = n("pct_start"),
          .div_factor = n("div_factor"),
          .final_div_factor = n("final_div_factor"),
          .three_phase = hyper["three_phase"].as<bool>(),
          .linear = hyper["anneal_strategy"].as<std::string>() == "linear",
          .base_momentum = n("base_momentum"),
          .max_momentum = n("max_momentum")};
}

schedule schedule_of(const std::string& op, const test::json& hyper) {
  const auto n = [&](std::string_view key) { return hyper[key].number(); };
  if (op == "step")
    return tl::step_schedule({.start = n("lr"), .factor = n("gamma"), .every = whole(n("step_size"))});
  if (op == "multistep") {
    std::vector<std::int64_t> milestones;
    for (const test::json& m : hyper["milestones"].as<test::json::array>())
      milestones.push_back(whole(m.number()));
    return tl::multi_step_schedule({.start = n("lr"), .factor = n("gamma"), .milestones = milestones});
  }
  if (op == "exponential") return tl::exponential_schedule({.start = n("lr"), .factor = n("gamma")});
  if (op == "cosine")
    return tl::cosine_schedule({.start = n("lr"), .end = n("eta_min"), .steps = whole(n("T_max"))});
  if (op == "cosine_restarts")
    return tl::cosine_restarts(
        {.start = n("lr"), .end = n("eta_min"), .period = whole(n("T_0")), .growth = whole(n("T_mult"))});
  if (op == "polynomial")
    return tl::polynomial_schedule({.start = n("lr"), .power = n("power"), .steps = whole(n("total_iters"))});
  if (op == "linear")
    return tl::linear_schedule({.start = n("lr") * n("start_factor"),
                                .end = n("lr") * n("end_factor"),
                                .steps = whole(n("total_iters"))});
  if (op == "warmup_cosine")
    return tl::warmup_cosine({.peak = n("lr"),
                              .end = n("lr") * n("min_factor"),
                              .warmup_steps = whole(n("warmup")),
                              .steps = whole(n("total"))});
  if (op == "one_cycle") return tl::one_cycle(one_cycle_of(hyper));
  return {};
}

void compare(const schedule& s, std::span<const double> stored) {
  std::vector<double> found;
  for (std::size_t t = 0; t < stored.size(); ++t) found.push_back(s(static_cast<std::int64_t>(t)));
  CHECK(reference::error_of(found, {stored.begin(), stored.end()}) <= 1e-10);
}

/// Whether a schedule starts with these values, as its docstring says.
void starts(const tl::hyperparameter& s, std::array<double, 3> values) {
  for (std::int64_t t = 0; t < 3; ++t) CHECK(s.at(t) == test::Approx(values[static_cast<std::size_t>(t)]));
}

}  // namespace

TEST_CASE("schedules follow the reference") {
  const auto file = reference::read("optim-schedules.safetensors");
  if (!file) return;
  const auto all = [](const std::string&) { return true; };
  reference::for_each_case(*file, all, [&](auto& name, auto& op, const test::json& hyper) {
    const schedule s = schedule_of(op, hyper);
    REQUIRE(s != nullptr);
    compare(s, (*file)[name + ".lr"].template as<double>());
    if (const auto* momentum = file->find(name + ".momentum"))
      compare(tl::one_cycle_momentum(one_cycle_of(hyper)), momentum->template as<double>());
  });
}

TEST_CASE("the first three values of each schedule") {
  starts(0.1, {0.1, 0.1, 0.1});
  starts(tl::constant_schedule(0.1), {0.1, 0.1, 0.1});
  starts(tl::linear_schedule({.start = 1, .end = 0, .steps = 4}), {1, 0.75, 0.5});
  starts(tl::polynomial_schedule({.start = 1, .power = 2, .steps = 4}), {1, 0.5625, 0.25});
  starts(tl::exponential_schedule({.start = 1, .factor = 0.5}), {1, 0.5, 0.25});
  starts(tl::step_schedule({.start = 1, .factor = 0.5, .every = 2}), {1, 1, 0.5});
  starts(tl::multi_step_schedule({.start = 1, .factor = 0.5, .milestones = {1, 2}}), {1, 0.5, 0.25});
  starts(tl::cosine_schedule({.start = 1, .steps = 2}), {1, 0.5, 0});
  starts(tl::cosine_restarts({.start = 1, .period = 2}), {1, 0.5, 1});
  starts(tl::cyclic_schedule({.start = 0, .peak = 1, .up = 2}), {0, 0.5, 1});
  starts(tl::warmup_cosine({.peak = 1, .warmup_steps = 2, .steps = 4}), {0.5, 1, 1});
  starts(tl::inverse_square_root({.peak = 1, .warmup_steps = 2}), {0.5, 1, std::sqrt(2.0 / 3)});
  starts(tl::warmup_stable_decay({.peak = 1, .warmup_steps = 2, .decay_steps = 2, .steps = 6}), {0.5, 1, 1});
  starts(tl::one_cycle({.peak = 1, .steps = 10, .linear = true}), {0.04, 0.52, 1});
  starts(tl::one_cycle_momentum({.peak = 1, .steps = 10, .linear = true}), {0.95, 0.9, 0.85});
  starts(tl::join_schedules(
             {.schedules = {1, tl::linear_schedule({.start = 2, .steps = 4})}, .milestones = {1}}),
         {1, 2, 1.5});
  auto plateau = tl::reduce_on_plateau({.start = 1, .factor = 0.5, .patience = 0});
  const tl::hyperparameter in_a_rule = plateau;
  CHECK(in_a_rule.at(0) == 1);
  plateau.add(3);
  CHECK(in_a_rule.at(1) == 1);
  plateau.add(3);
  plateau.add(2);
  CHECK(in_a_rule.at(2) == 0.5);
}

TEST_CASE("a schedule between equal milestones is left out") {
  starts(tl::join_schedules(
             {.schedules = {1, 2, tl::linear_schedule({.start = 3, .steps = 4})}, .milestones = {1, 1}}),
         {1, 3, 2.25});
}

TEST_CASE("how schedules end") {
  CHECK(tl::linear_schedule({.start = 1, .end = 0.25, .steps = 4})(9) == 0.25);
  CHECK(tl::polynomial_schedule({.start = 1, .end = 0.25, .power = 3, .steps = 4})(4) == 0.25);
  CHECK(tl::warmup_cosine({.peak = 1, .end = 0.5, .warmup_steps = 2, .steps = 4})(99) == 0.5);
  CHECK(tl::inverse_square_root({.peak = 1, .warmup_steps = 4})(15) == 0.5);
  const auto stable = tl::warmup_stable_decay({.peak = 1, .warmup_steps = 2, .decay_steps = 4, .steps = 9});
  CHECK(stable(5) == 1);
  CHECK(stable(6) == 0.75);
  CHECK(stable(9) == 0);
  CHECK(tl::warmup_stable_decay({.peak = 1, .decay_steps = 4, .steps = 8, .square_root = true})(5) == 0.5);
  // 3 growth is 2^64 + 2
  CHECK(tl::cosine_restarts({.start = 1, .period = 3, .growth = 6148914691236517206})(4) == 1);
  CHECK_THROWS_AS(tl::join_schedules({.schedules = {1, 2}, .milestones = {}}), tl::error);
}

TEST_CASE("a plateau: patience, cooldown, thresholds, NaN") {
  auto s = tl::reduce_on_plateau({.start = 1, .factor = 0.1, .patience = 1, .cooldown = 2, .min = 0.05});
  s.add(1);
  s.add(1);
  CHECK(s(0) == 1);
  s.add(std::nan(""));
  CHECK(s(0) == test::Approx(0.1));
  for (int i = 0; i < 3; ++i) s.add(1);  // two of them while it cools down
  CHECK(s(0) == test::Approx(0.1));
  s.add(0.99999);  // not better by the threshold
  CHECK(s(0) == 0.05);
  auto rising = tl::reduce_on_plateau(
      {.start = 1, .factor = 0.5, .patience = 0, .threshold = 1, .absolute = true, .maximize = true});
  rising.add(1);
  rising.add(2.5);
  CHECK(rising(0) == 1);
  rising.add(3);
  CHECK(rising(0) == 0.5);
}

TEST_CASE("a plateau that begins with infinite measurements") {
  auto s = tl::reduce_on_plateau({.start = 1, .factor = 0.5, .patience = 1});
  s.add(std::numeric_limits<double>::infinity());
  for (double measure = 8; measure > 0.1; measure /= 2) s.add(measure);
  CHECK(s(0) == 1);
  s.add(1);
  s.add(1);
  CHECK(s(0) == 0.5);
  auto rising = tl::reduce_on_plateau({.start = 1, .factor = 0.5, .patience = 1, .maximize = true});
  rising.add(-std::numeric_limits<double>::infinity());
  for (double measure = 0.1; measure < 8; measure *= 2) rising.add(measure);
  CHECK(rising(0) == 1);
}

TEST_CASE("options of schedules that make no sense") {
  const double nan = std::nan("");
  CHECK_THROWS_AS(tl::linear_schedule({.start = nan}), tl::error);
  CHECK_THROWS_WITH(tl::linear_schedule({.start = nan}),
                    "tapeless: linear_schedule: start is nan; it must be finite");
  CHECK_THROWS_WITH(tl::polynomial_schedule({.power = -1}),
                    test::contains("power is -1; it must be 0 or more"));
  CHECK_THROWS_WITH(tl::cosine_schedule({.steps = 0}),
                    "tapeless: cosine_schedule: steps is 0; it must be 1 or more, and finite");
  CHECK_THROWS_WITH(tl::cosine_restarts({.period = 0}), test::contains("cosine_restarts: period is 0"));
  CHECK_THROWS_WITH(tl::exponential_schedule({.factor = -0.5}), test::contains("factor is -0.5"));
  CHECK_THROWS_WITH(tl::step_schedule({.every = 0}), test::contains("step_schedule: every is 0"));
  CHECK_THROWS_WITH(tl::multi_step_schedule({.factor = nan, .milestones = {}}),
                    test::contains("factor is nan"));
  CHECK_THROWS_WITH(tl::inverse_square_root({.warmup_steps = -1}), test::contains("warmup_steps is -1"));
  CHECK_THROWS_WITH(tl::warmup_cosine({.steps = -1}), test::contains("warmup_cosine: steps is -1"));
  CHECK_THROWS_WITH(tl::warmup_cosine({.warmup_steps = 60, .steps = 50}),
                    test::contains("warmup_cosine: steps is 50; it must be 60 or more"));
  CHECK_NOTHROW(tl::warmup_cosine({.warmup_steps = 60, .steps = 60}));
  CHECK_THROWS_WITH(tl::warmup_stable_decay({.decay_steps = -1}), test::contains("decay_steps is -1"));
  CHECK_THROWS_WITH(tl::warmup_stable_decay({.warmup_steps = 30, .decay_steps = 40, .steps = 60}),
                    test::contains("warmup_stable_decay: steps is 60; it must be 70 or more"));
  CHECK_NOTHROW(tl::warmup_stable_decay({.warmup_steps = 30, .decay_steps = 30, .steps = 60}));
  CHECK_THROWS_WITH(tl::cyclic_schedule({.up = 0}),
                    test::contains("cyclic_schedule: up is 0; it must be 1 or more"));
  CHECK_THROWS_WITH(tl::cyclic_schedule({.down = -1}), test::contains("down is -1"));
  CHECK_THROWS_WITH(tl::cyclic_schedule({.peak = nan}), test::contains("peak is nan"));
  CHECK_THROWS_WITH(tl::cyclic_schedule({.cycle_factor = -1}), test::contains("cycle_factor is -1"));
  CHECK_THROWS_WITH(tl::one_cycle({.steps = 10, .div_factor = 0}),
                    test::contains("div_factor is 0; it must be above 0"));
  CHECK_THROWS_WITH(tl::one_cycle_momentum({.steps = 10, .max_momentum = 2}),
                    test::contains("max_momentum is 2; it must be 0 or more, and at most 1"));
  CHECK_THROWS_WITH(tl::reduce_on_plateau({.patience = -1}), test::contains("patience is -1"));
  CHECK_THROWS_WITH(tl::join_schedules({.schedules = {1, 2, 3}, .milestones = {5, 4}}),
                    test::contains("milestone 4 comes after 5; none may be below the one before it"));
}

TEST_CASE("schedules of whose steps nothing is said are refused") {
  const auto refused = [](std::string_view sentence) {
    return test::contains(std::string(sentence) + " is 0; it must be 1 or more");
  };
  CHECK_THROWS_WITH(tl::cosine_schedule({.start = 0.1}), refused("cosine_schedule: steps"));
  CHECK_THROWS_WITH(tl::cosine_schedule({0.1, 1000}), refused("cosine_schedule: steps"));
  CHECK_THROWS_WITH(tl::linear_schedule({.start = 0.1}),
                    test::contains("linear_schedule: steps is -1; it must be 0 or more"));
  CHECK_THROWS_WITH(tl::polynomial_schedule({.start = 0.1}),
                    test::contains("polynomial_schedule: steps is -1; it must be 0 or more"));
  CHECK_THROWS_WITH(tl::warmup_cosine({.peak = 0.1}), refused("warmup_cosine: steps"));
  CHECK_THROWS_WITH(tl::warmup_stable_decay({.peak = 0.1}), refused("warmup_stable_decay: steps"));
  CHECK_THROWS_WITH(tl::one_cycle({.peak = 0.1}), refused("one_cycle: steps"));
  CHECK_THROWS_WITH(tl::one_cycle_momentum({}), refused("one_cycle_momentum: steps"));
  CHECK_THROWS_WITH(tl::cosine_restarts({.start = 0.1}), refused("cosine_restarts: period"));
  CHECK_THROWS_WITH(tl::step_schedule({.start = 0.1}), refused("step_schedule: every"));
}

TEST_CASE("a line or power of no steps is at its end, so that a warm-up may have none") {
  CHECK(tl::linear_schedule({.start = 0.1, .end = 0.5, .steps = 0})(0) == 0.5);
  CHECK(tl::polynomial_schedule({.start = 0.1, .end = 0.5, .steps = 0})(0) == 0.5);
  const schedule joined =
      tl::join_schedules({.schedules = {tl::linear_schedule({.end = 1, .steps = 0}), 2}, .milestones = {0}});
  CHECK(joined(0) == 2);
}

TEST_CASE("cyclic_schedule is PyTorch's CyclicLR in all its modes") {
  const auto is = [](const schedule& s, const std::vector<double>& expected) {
    for (std::size_t t = 0; t < expected.size(); ++t)
      CHECK(s(static_cast<std::int64_t>(t)) == test::Approx(expected[t]).epsilon(1e-11));
  };
  is(tl::cyclic_schedule({.start = 0.1, .peak = 0.7, .up = 2, .down = 4}),
     {0.1, 0.4, 0.7, 0.55, 0.4, 0.25, 0.1, 0.4, 0.7, 0.55, 0.4, 0.25, 0.1});
  is(tl::cyclic_schedule({.start = 0.9, .peak = 0.8, .up = 2, .down = 4}),
     {0.9, 0.85, 0.8, 0.825, 0.85, 0.875, 0.9, 0.85, 0.8, 0.825, 0.85, 0.875, 0.9});
  is(tl::cyclic_schedule({.start = 0.1, .peak = 0.7, .up = 3, .cycle_factor = 0.5}),
     {0.1, 0.3, 0.5, 0.7, 0.5, 0.3, 0.1, 0.2, 0.3, 0.4, 0.3, 0.2, 0.1});
  is(tl::cyclic_schedule({.start = 0.1, .peak = 0.7, .up = 2, .down = 3, .step_factor = 0.9}),
     {0.1, 0.37, 0.586, 0.3916, 0.23122, 0.1, 0.2594323, 0.38697814, 0.272186884, 0.1774840978, 0.1,
      0.194143178827, 0.2694577218886});
}

TEST_CASE("a plateau as a callback takes the validation's loss, or the training's") {
  auto s = tl::reduce_on_plateau({.start = 1, .factor = 0.5, .patience = 0});
  auto copy = s;
  tl::epoch_report epoch;
  const auto end = [&](double train, double validation) {
    epoch.train.set("loss", {train, 0});
    if (validation > 0) epoch.validation.set("loss", {validation, 0});
    copy.on_epoch_end(0, epoch);
  };
  end(2, 0);
  end(1, 0);
  CHECK(s(0) == 1);
  end(0.5, 3);
  CHECK(s(0) == 0.5);
}

TEST_CASE("cosines and powers of schedules are those of the standard library, but for rounding") {
  for (int i = 0; i <= 5000; ++i) {
    const double x = i / 1000.0;
    CHECK(std::abs(tl::detail::cosine_of_half_turns(x) - std::cos(std::numbers::pi * x)) < 2e-15);
  }
  STATIC_REQUIRE(tl::detail::cosine_of_half_turns(0) == 1);
  STATIC_REQUIRE(tl::detail::cosine_of_half_turns(1) == -1);
  STATIC_REQUIRE(tl::detail::cosine_of_half_turns(0.5) == 0);
  for (const std::int64_t n : {0, 1, 2, 3, 10, 1000, 12345})
    CHECK(tl::detail::whole_power(0.999, n) ==
          test::Approx(std::pow(0.999, static_cast<double>(n))).epsilon(2e-12));
}
