// SPDX-License-Identifier: BSL-1.0
// A snapshot of a trainer with another rule.
// expect: restore: the snapshot is of a trainer with another rule; copy_parameters(from, to) takes over
// reject: no matching function
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto model = [] {
  return tl::mean(tl::square(tl::linear<"fc", 2>(tl::input<"x", float, 2>) - 1_c));
};

int main() {
  tl::trainer net{model, tl::adam({})};
#ifdef CORRECTED
  tl::trainer from{model, tl::adam({.learning_rate = 0.1f})};
#else
  tl::trainer from{model, tl::sgd({})};
#endif
  tl::restore(net, tl::snapshot(from));
}
