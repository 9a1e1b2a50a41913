// SPDX-License-Identifier: BSL-1.0
// The ready-made loop for a trainer with several losses.
// both compilers
// expect: fit makes steps of one loss, but this trainer has several, in turn
// reject: no matching function
// reject: no type named
// reject: no member named
// reject: has no member
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto model = [] {
  auto x = tl::input<"x", float, tl::dyn<"batch">, 2>;
  return tl::outputs(tl::named<"loss">(tl::mean(tl::square(tl::linear<"fc", 1>(x)))));
};

int main() {
  tl::trainer net{model, tl::in_turn(tl::objective<"loss">(tl::names_like<"*">, tl::sgd({})))};
  tl::data::dataset data;
#ifdef CORRECTED
  for (int i = 0; i < 3; ++i) net.step<"loss">("x"_t = std::vector<float>(8));
#else
  tl::fit(net, data, {.batch = 4});
#endif
}
