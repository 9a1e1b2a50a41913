// SPDX-License-Identifier: BSL-1.0
// Something else where a trainer or function takes a policy.
// both compilers
// expect: `int` is no policy: a seed follows the policy, as in tl::cpu{}, 42, and tl::cpu{4} has four threads
// reject: no matching function
// reject: no member named
// reject: has no member
// reject: no type named
// reject: is not a class
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] { return tl::sum(tl::square(tl::param<"w", float, 2>(tl::fill(1)))); };

int main() {
#ifdef CORRECTED
  const tl::cpu threads{4};
#else
  const int threads = 4;
#endif
  tl::trainer net{model, tl::sgd({}), threads};
  net.step();
  tl::function f{model, threads};
  f().loss();
}
