// SPDX-License-Identifier: BSL-1.0
// The updates of all parameters in one launch are those of one by one.
#include <tapeless/run/gpu/kernels/batch_kernel.hpp>

#include <tapeless/optim/rules/adam.hpp>
#include <tapeless/run/gpu/launch/launch_groups.hpp>
#include <tapeless/train/trainer/trainer.hpp>

#include "run/gpu/both.hpp"

namespace {

// Sizes that fill vectors, and others that do not.
constexpr auto model = [] {
  auto x = tl::input<"x", float, tl::dyn<"batch">, 5>;
  auto h = tl::tanh(tl::linear<"a", 12>(x));
  return tl::outputs(tl::mean(tl::square(tl::linear<"c", 3>(tl::tanh(tl::linear<"b", 7>(h))))));
};

}  // namespace

TEST_CASE("batch: steps of Adam are the CPU's") {
  const auto rule = tl::adam({.learning_rate = 1e-2f});
  tl::trainer here{model, rule, tl::cpu{}, 3};
  tl::trainer there{model, rule, tl::thrust_host{}, 3};
  using step = decltype(there)::step_program;
  constexpr bool batched = [] {
    for (const auto& g : tl::thrust_kernels::launch_groups_of<step>)
      if (g.kind == tl::thrust_kernels::grouping::batch && g.count == 6) return true;
    return false;
  }();
  STATIC_REQUIRE(batched);
  const auto x = test::numbers(8).vector<float>(20);
  for (int i = 0; i < 20; ++i) {
    here.step("x"_t = x);
    there.step("x"_t = x);
  }
  const auto compare = [](auto a, auto b) {
    for (std::size_t i = 0; i < a.size(); ++i) CHECK(b[i] == test::Approx(a[i]).margin(1e-5));
  };
  compare(here.parameter<"a.weight">(), there.parameter<"a.weight">());
  compare(here.parameter<"b.weight">(), there.parameter<"b.weight">());
  compare(here.parameter<"b.bias">(), there.parameter<"b.bias">());
  compare(here.parameter<"c.bias">(), there.parameter<"c.bias">());
}
