// SPDX-License-Identifier: BSL-1.0
// A model that several processes compute together, on tl::bare.
// expect: tl::bare is one process: all_reduce needs tl::cpu_ranks
#include <tapeless/bare.hpp>
#include <tapeless/cluster/collectives.hpp>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto model = [] {
  auto y = tl::linear<"down", 3, false>(tl::input<"x", float, 4, 2>);
#ifdef CORRECTED
  return tl::mean(tl::square(y));
#else
  return tl::mean(tl::square(tl::all_reduce(y)));
#endif
};

int main() {
  tl::trainer net{model, tl::sgd({.learning_rate = 0.1f}), tl::bare{}};
  const float x[8] = {};
  return net.step("x"_t = x).is_valid() ? 0 : 1;
}
