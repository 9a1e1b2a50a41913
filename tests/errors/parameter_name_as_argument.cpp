// SPDX-License-Identifier: BSL-1.0
// A parameter's name as an argument.
// lines: 20
// expect: a name is a template argument, since it is looked up while compiling: result.get<"logits">(), net.parameter<"fc.weight">(), net.set<"learning_rate">(0.1)
// reject: no matching
// reject: no member named
// reject: has no member
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  return tl::mean(tl::linear<"fc", 2>(tl::input<"x", float, tl::dyn<"batch">, 3>));
};

int main() {
  tl::trainer net{model, tl::adam({})};
#ifdef CORRECTED
  for (float& w : net.parameter<"fc.weight">()) w = 0;
#else
  for (float& w : net.parameter("fc.weight")) w = 0;
#endif
}
