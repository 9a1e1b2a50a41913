// SPDX-License-Identifier: BSL-1.0
// A name for what has no parameters.
// lines: 20
// expect: dropout has no name, since it has no parameters: tl::dropout<0.1>(x)
// reject: no matching
// reject: no type named
// reject: has no member
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto x = tl::input<"x", float, tl::dyn<"batch">, 3>;
#ifdef CORRECTED
  return tl::mean(tl::linear<"fc", 4>(tl::dropout<0.1>(x)));
#else
  return tl::mean(tl::linear<"fc", 4>(tl::dropout<"d", 0.1>(x)));
#endif
};

int main() { tl::trainer net{model, tl::sgd({})}; }
