// SPDX-License-Identifier: BSL-1.0
// A loss scale that changes needs all gradients first.
// both compilers
// expect: needs the gradients of all parameters first: leave eager_updates out
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] { return tl::sum(tl::square(tl::param<"w", float, 2>(tl::fill(1)))); };

int main() {
#ifdef CORRECTED
  tl::trainer net{model, tl::mixed_precision<tl::bf16>(tl::sgd({})), tl::cpu{}, tl::eager_updates};
  net.step();
#else
  tl::trainer net{model, tl::mixed_precision<tl::f16>(tl::sgd({})), tl::cpu{}, tl::eager_updates};
  net.step();
#endif
}
