// SPDX-License-Identifier: BSL-1.0
// The kernels of a function, which has no steps.
// lines: 20
// first: tapeless: profile measures a trainer's step; a trainer with several losses has several
// expect: tapeless: profile measures a trainer's step; a trainer with several losses has several
#include <tapeless/tapeless.hpp>
#include <tapeless/train/inspect/profile.hpp>

#include <vector>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto model = [] {
  auto x = tl::input<"x", float, 8, 4>;
  return tl::mean(tl::linear<"fc1", 10>(x));
};

int main() {
  const std::vector<float> x(32);
#ifdef CORRECTED
  tl::trainer net{model, tl::sgd({.learning_rate = 0.1f})};
#else
  tl::function net{model};
#endif
  return static_cast<int>(tl::profile(net, "x"_t = x).kernels.size());
}
