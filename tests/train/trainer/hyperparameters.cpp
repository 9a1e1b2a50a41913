// SPDX-License-Identifier: BSL-1.0
// A rule with the numbers that programs read.
#include <tapeless/train/trainer/hyperparameters.hpp>

#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include <tapeless/optim/optim.hpp>

#include "catch.hpp"

namespace tl = tapeless;

namespace {

auto rule() {
  return tl::chain(
      tl::scale_by_learning_rate([](std::int64_t step) { return 0.5 / (1.0 + static_cast<double>(step)); }));
}
using entries = tl::number_entries<decltype(rule())>;

}  // namespace

TEST_CASE("a step's numbers are where programs look for them") {
  tl::hyperparameters h(rule());
  const auto numbers = h.numbers();
  REQUIRE(numbers.size() == entries::count);
  h.write_step(3);
  h.write_random_key(7);
  h.write_gradient_weight(0.25);
  CHECK(numbers[entries::step] == 4);
  CHECK(numbers[entries::first_of_rule] == 0.125);
  CHECK(numbers[entries::random_key] == 7);
  CHECK(numbers[entries::gradient_weight] == 0.25);
  CHECK(h[0] == 0.125);
  h.write_step(0);
  CHECK(h[0] == 0.5);
  h.write_step(-1);  // before the first step
  CHECK(numbers[entries::step] == 0);
  CHECK(h[0] == 0.5);
}

TEST_CASE("what is set counts from the next step on") {
  tl::hyperparameters h(rule());
  h.write_step(0);
  h.set<"learning_rate">(0.75);
  CHECK(h[0] == 0.5);
  h.write_step(1);
  CHECK(h[0] == 0.75);
}

TEST_CASE("numbers that no step changes are written again where they are set") {
  tl::hyperparameters h(tl::chain(tl::scale_by_learning_rate(0.125)));
  const std::vector<double> none(h.changed().begin(), h.changed().end());
  std::int64_t step = 0;
  const auto next = [&] {
    h.write_step(step++);
    return h[0];
  };
  CHECK(next() == 0.125);
  h.set<"learning_rate">(0.75);
  CHECK(next() == 0.75);
  CHECK(next() == 0.75);
  h.set_changed(none);
  CHECK(next() == 0.125);
  h.set<"learning_rate">([](std::int64_t s) { return 1.0 / static_cast<double>(s); });
  CHECK(next() == 0.25);
  CHECK(next() == 0.2);
  h.set<"learning_rate">(0.5);
  CHECK(next() == 0.5);
  CHECK(next() == 0.5);
  CHECK(h.numbers()[entries::step] == 8);
}

TEST_CASE("where no number is set, the rule's own is back") {
  tl::hyperparameters h(tl::chain(tl::scale_by_learning_rate(0.125)));
  const std::vector<double> none(h.changed().begin(), h.changed().end());
  h.set<"learning_rate">(0.75);
  h.set_changed(none);
  CHECK(h.get<"learning_rate">(3) == 0.125);
  int asked = 0;  // a schedule, until a number takes its place
  h.set<"learning_rate">([&](std::int64_t) { return ++asked, 0.25; });
  CHECK(h.get<"learning_rate">(3) == 0.25);
  h.set<"learning_rate">(0.75);
  CHECK(h.get<"learning_rate">(3) == 0.75);
  CHECK(asked == 1);
  int own = 0;  // of the rule itself
  tl::hyperparameters scheduled(
      tl::chain(tl::scale_by_learning_rate([&](std::int64_t) { return ++own, 0.5; })));
  scheduled.set<"learning_rate">(0.75);
  CHECK(scheduled.get<"learning_rate">(3) == 0.75);
  CHECK(own == 0);
}

TEST_CASE("a number for several groups stands in for the schedules and the numbers of all") {
  const auto falling = [](std::int64_t step) { return 0.5 / (1.0 + static_cast<double>(step)); };
  tl::hyperparameters h(tl::partition(
      tl::for_parameters<"a">(tl::names_like<"a.*">, tl::chain(tl::scale_by_learning_rate(falling))),
      tl::for_parameters<"b">(tl::names_like<"b.*">, tl::chain(tl::scale_by_learning_rate(0.25)))));
  const std::vector<double> none(h.changed().begin(), h.changed().end());
  const auto check = [&](double a, double b) {
    h.write_step(3);
    CHECK(h.get<"a.learning_rate">(3) == a);
    CHECK(h[0] == a);
    CHECK(h.get<"b.learning_rate">(3) == b);
    CHECK(h[1] == b);
  };
  check(0.125, 0.25);
  h.set<"learning_rate">(0.75);
  check(0.75, 0.75);
  const std::vector<double> both(h.changed().begin(), h.changed().end());
  h.set_changed(none);
  check(0.125, 0.25);
  h.set_changed(both);
  check(0.75, 0.75);
  h.set<"b.learning_rate">(falling);  // takes the place of b's own
  check(0.75, 0.125);
  h.set_changed(both);
  check(0.75, 0.75);
  h.set_changed(none);
  check(0.125, 0.125);
}

TEST_CASE("a schedule that comes back is that of its group alone, whatever the name says of others") {
  const auto falling = [](std::int64_t step) { return 0.5 / (1.0 + static_cast<double>(step)); };
  // The first group has no name, so that its number's name is the end of the other's.
  tl::hyperparameters h(tl::partition(
      tl::for_parameters([](std::string_view label, std::span<const std::int64_t>) { return label == "a"; },
                         tl::chain(tl::scale_by_learning_rate(falling))),
      tl::for_parameters<"b">(tl::names_like<"b">, tl::chain(tl::scale_by_learning_rate(0.25)))));
  const std::vector<double> none(h.changed().begin(), h.changed().end());
  const auto check = [&](double a, double b) {
    h.write_step(3);
    CHECK(h[0] == a);
    CHECK(h[1] == b);
  };
  h.set<"learning_rate">(0.75);
  check(0.75, 0.75);
  h.set_changed(none);
  check(0.125, 0.25);
  h.set<"learning_rate">(0.75);
  h.set<"b.learning_rate">(falling);
  check(0.75, 0.125);
}

TEST_CASE("numbers that cannot be meant are refused") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_AS(tl::hyperparameters(tl::chain(tl::scale_by_learning_rate(nan))), tl::error);
  tl::hyperparameters h(rule());
  CHECK_THROWS_AS(h.set<"learning_rate">(nan), tl::error);
  h.write_step(0);
  CHECK(h[0] == 0.5);
  h.set<"learning_rate">([nan](std::int64_t step) { return step == 2 ? nan : 0.1; });
  h.write_step(1);
  CHECK_THROWS_AS(h.write_step(2), tl::error);
}

TEST_CASE("a rule's text names its parts, not its numbers") {
  CHECK(tl::hyperparameters(rule()).rule_text({}) ==
        tl::hyperparameters(tl::chain(tl::scale_by_learning_rate(3))).rule_text({}));
  CHECK(tl::hyperparameters(rule()).rule_text({}).find("scale_by_learning_rate") != std::string::npos);
}
