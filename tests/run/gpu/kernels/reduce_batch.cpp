// SPDX-License-Identifier: BSL-1.0
// The same sums of several arrays in one launch are those of one by one.
#include <tapeless/run/gpu/kernels/reduce_batch.hpp>

#include <tapeless/optim/rules/sgd.hpp>
#include <tapeless/optim/transforms/clip_by_global_norm.hpp>
#include <tapeless/run/gpu/launch/launch_groups.hpp>
#include <tapeless/train/trainer/trainer.hpp>

#include "run/gpu/both.hpp"

namespace {

// Gradients of some, of thousands, and of so many elements that these are summed up in parts.
constexpr auto model = [] {
  auto x = tl::input<"x", float, tl::dyn<"batch">, 300>;
  auto h = tl::tanh(tl::linear<"a", 333>(x));
  return tl::outputs(tl::mean(tl::square(tl::linear<"c", 3>(tl::tanh(tl::linear<"b", 7>(h))))));
};

}  // namespace

TEST_CASE("reduce_batch: the norm of all gradients is the CPU's, in one launch for the sums") {
  const auto rule = tl::chain(tl::clip_by_global_norm(0.1f), tl::sgd({.learning_rate = 0.5f}));
  tl::trainer here{model, rule, tl::cpu{}, 3};
  tl::trainer there{model, rule, tl::thrust_host{}, 3};
  using step = decltype(there)::step_program;
  constexpr int sums_at_once = [] {
    int most = 0;
    const auto t = tl::thrust_kernels::launch_tables_of<step>();
    for (int s = 0; s < t.command_count; ++s) {
      if (!t.is_fused_kernel(s) || !t.reduces(t.fused_kernel_at(s))) continue;
      const auto& g =
          tl::thrust_kernels::launch_groups_of<step>[static_cast<std::size_t>(t.commands[s].index)];
      if (g.kind == tl::thrust_kernels::grouping::batch && g.count > most) most = g.count;
    }
    return most;
  }();
  STATIC_REQUIRE(sums_at_once >= 4);
  const auto x = test::numbers(8).vector<float>(4 * 300, -1, 1);
  for (int i = 0; i < 20; ++i) {
    here.step("x"_t = x);
    there.step("x"_t = x);
  }
  const auto compare = [](auto a, auto b) {
    double most = 0;
    for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(double{a[i]} - double{b[i]}));
    CHECK(most < 1e-5);
  };
  compare(here.parameter<"a.weight">(), there.parameter<"a.weight">());
  compare(here.parameter<"b.weight">(), there.parameter<"b.weight">());
  compare(here.parameter<"c.bias">(), there.parameter<"c.bias">());
}
