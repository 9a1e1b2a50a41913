// SPDX-License-Identifier: BSL-1.0
// A rule that looks at all gradients, with eager updates.
// expect: needs the gradients of all parameters first: leave eager_updates out
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] { return tl::sum(tl::square(tl::param<"w", float, 2>(tl::fill(1)))); };

int main() {
#ifdef CORRECTED
  tl::trainer net{model, tl::chain(tl::clip_by_norm(1), tl::sgd({})), tl::cpu{}, tl::eager_updates};
#else
  tl::trainer net{model, tl::chain(tl::clip_by_global_norm(1), tl::sgd({})), tl::cpu{}, tl::eager_updates};
#endif
  net.step();
}
