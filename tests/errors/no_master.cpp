// SPDX-License-Identifier: BSL-1.0
// The float copy of a parameter that has none.
// expect: the rule has no state \"master\" of a parameter \"w\"
// reject: invalid types
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] { return tl::sum(tl::square(tl::param<"w", float, 2>(tl::fill(1)))); };

int main() {
#ifdef CORRECTED
  tl::trainer net{model, tl::mixed_precision<tl::bf16>(tl::sgd({}))};
  return net.master<"w">()[0] < 0;
#else
  tl::trainer net{model, tl::sgd({})};
  return net.master<"w">()[0] < 0;
#endif
}
