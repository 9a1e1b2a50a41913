// SPDX-License-Identifier: BSL-1.0
// The contract of schedules: what a hyperparameter may be.
#include <tapeless/optim/optim.hpp>

#include <functional>
#include <string>

#include "catch.hpp"
#include "contracts.hpp"

namespace tl = tapeless;

namespace {

struct of_the_step {
  double operator()(std::int64_t step) const { return static_cast<double>(step); }
};
struct that_changes {
  double operator()(std::int64_t) { return 0; }
};
struct of_two {
  double operator()(std::int64_t, std::int64_t) const { return 0; }
};
struct of_a_text {
  double operator()(const std::string&) const { return 0; }
};
struct without_a_number {
  std::string operator()(std::int64_t) const { return {}; }
};

constexpr std::string_view call = "operator()(std::int64_t step) const, which returns a number";

template <class Schedule>
constexpr bool is_library_schedule(const Schedule&) {
  return tl::is_schedule<Schedule>;
}

}  // namespace

TEST_CASE("a callable of the step is a schedule") {
  STATIC_REQUIRE(test::lacks<tl::schedule_contract<of_the_step>>(""));
  STATIC_REQUIRE(tl::is_schedule<double (*)(int)>);
  STATIC_REQUIRE(tl::is_schedule<std::function<float(std::int64_t)>>);
  CHECK(tl::hyperparameter(of_the_step{}).at(3) == 3);
  CHECK(!tl::hyperparameter(of_the_step{}).is_number());
  const auto by_reference = of_the_step{};
  CHECK(tl::hyperparameter(by_reference).at(4) == 4);
}

TEST_CASE("other callables are none") {
  STATIC_REQUIRE(test::lacks<tl::schedule_contract<that_changes>>(call));
  STATIC_REQUIRE(test::lacks<tl::schedule_contract<of_two>>(call));
  STATIC_REQUIRE(test::lacks<tl::schedule_contract<of_a_text>>(call));
  STATIC_REQUIRE(test::lacks<tl::schedule_contract<without_a_number>>(call));
  STATIC_REQUIRE_FALSE(tl::is_schedule<std::string>);
  STATIC_REQUIRE_FALSE(tl::is_schedule<double>);  // a hyperparameter, but no schedule
}

TEST_CASE("the library's schedules keep the contract") {
  CHECK(is_library_schedule(tl::constant_schedule(0.1)));
  CHECK(is_library_schedule(tl::cosine_schedule({.steps = 1})));
  CHECK(is_library_schedule(tl::cyclic_schedule({})));
  CHECK(is_library_schedule(tl::exponential_schedule({})));
  CHECK(is_library_schedule(tl::inverse_square_root({})));
  CHECK(is_library_schedule(tl::linear_schedule({.steps = 1})));
  CHECK(is_library_schedule(tl::multi_step_schedule({})));
  CHECK(is_library_schedule(tl::polynomial_schedule({.steps = 1})));
  CHECK(is_library_schedule(tl::reduce_on_plateau({})));
  CHECK(is_library_schedule(tl::step_schedule({.every = 1})));
  CHECK(is_library_schedule(tl::warmup_cosine({.steps = 1})));
}

TEST_CASE("a hyperparameter that is copied stays what it is") {
  const tl::required_hyperparameter required = 0.5;
  tl::hyperparameter copy = required;
  CHECK(copy.is_number());
  CHECK(copy.at(0) == 0.5);
  const tl::required_hyperparameter again(copy);
  CHECK(again.at(0) == 0.5);
}
