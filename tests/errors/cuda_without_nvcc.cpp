// SPDX-License-Identifier: BSL-1.0
// The GPU's policy in a source that nvcc does not compile.
// lines-clang: 30
// expect: tl::cuda is no policy: here it would be compiled by another compiler than nvcc: name the source file .cu, or say -x cu, and link tapeless::cuda
// first: tl::cuda is no policy
// reject: no member named
// reject: has no member
// reject: is not a member
// reject: no matching function
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] { return tl::sum(tl::square(tl::param<"w", float, 2>(tl::fill(1)))); };

int main() {
#ifdef CORRECTED
  const tl::cpu policy{4};
#else
  const tl::cuda policy{.tf32 = true};
#endif
  tl::trainer net{model, tl::sgd({}), policy};
  net.step();
  tl::function f{model, policy};
  f().loss();
}
