// SPDX-License-Identifier: BSL-1.0
// A seed where the policy stands.
// lines: 25
// expect: `int` is no policy: a seed follows the policy, as in tl::cpu{}, 42, and tl::cpu{4} has four threads
// reject: it lacks
// reject: no matching
// reject: no type named
// reject: has no member
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] { return tl::sum(tl::square(tl::param<"w", float, 2>(tl::fill(1)))); };

int main() {
#ifdef CORRECTED
  tl::trainer net{model, tl::adam({}), tl::cpu{}, 42};
#else
  tl::trainer net{model, tl::adam({}), 42};
#endif
  net.step();
}
