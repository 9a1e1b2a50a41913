// SPDX-License-Identifier: BSL-1.0
// Freezing what the rule cannot leave out.
// expect: no parameter that can be frozen has a name like
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] { return tl::sum(tl::square(tl::param<"w", float, 2>(tl::fill(1)))); };

int main() {
#ifdef CORRECTED
  tl::trainer net{model, tl::freezable(tl::sgd({}))};
  net.freeze<"w">();
#else
  tl::trainer net{model, tl::sgd({})};
  net.freeze<"w">();
#endif
}
