// SPDX-License-Identifier: BSL-1.0
// A state that the rule does not have.
// expect: the rule has no state \"adam.mo\" of a parameter \"w\"; its states are \"adam.mu\", \"adam.nu\"
// reject: invalid types
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] { return tl::sum(tl::square(tl::param<"w", float, 2>(tl::fill(1)))); };

int main() {
#ifdef CORRECTED
  tl::trainer net{model, tl::adam({})};
  return net.state<"adam.mu", "w">()[0] > 0;
#else
  tl::trainer net{model, tl::adam({})};
  return net.state<"adam.mo", "w">()[0] > 0;
#endif
}
