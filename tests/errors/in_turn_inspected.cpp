// SPDX-License-Identifier: BSL-1.0
// Gradients of a trainer with several losses, where those of a step are looked at.
// lines: 40
// expect: tapeless: check_gradients takes a trainer of one loss and one rule: check each loss of several in a model of its own
// expect: tapeless: statistics looks at the gradients of a trainer of one loss and one rule; of a trainer with several losses it looks at parameters: net and no inputs in before_step
// reject: no matching function
// reject: no member named
// reject: has no member
#include <tapeless/tapeless.hpp>
#include <tapeless/train/inspect/check_gradients.hpp>
#include <tapeless/train/inspect/statistics.hpp>

#include <array>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto model = [] {
  auto loss = tl::mean(tl::linear<"fc1", 10>(tl::input<"x", float, 8, 4>));
  return tl::outputs(tl::named<"loss">(loss));
};

int main() {
  const std::array<float, 32> x{};
  tl::statistics seen({.every = 1});
  tl::trainer net{model, tl::in_turn(tl::objective<"loss">(tl::names_like<"*">, tl::sgd({})))};
#ifdef CORRECTED
  tl::trainer one{model, tl::sgd({})};
  seen.before_step(one, "x"_t = x);
  seen.before_step(net);
  seen.after_step(net);
  return tl::check_gradients(one, "x"_t = x).error < 1 ? 0 : 1;
#else
  seen.before_step(net, "x"_t = x);
  return tl::check_gradients(net, "x"_t = x).error < 1 ? 0 : 1;
#endif
}
