// SPDX-License-Identifier: BSL-1.0
// A layer and a parameter whose names are empty.
// both compilers
// expect: a layer needs a name, which its parameters have: tl::linear<"fc", 4>(x)
// expect: a parameter needs a name: tl::param<"w", float, 2>
// reject: no matching
// reject: no type named
// reject: has no member
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
#ifdef CORRECTED
  return tl::mean(tl::linear<"fc", 4>(tl::input<"x", float, 2, 3>));
#else
  return tl::mean(tl::linear<"", 4>(tl::input<"x", float, 2, 3>));
#endif
};

#ifdef CORRECTED
constexpr auto square = [] { return tl::square(tl::param<"w", float>); };
#else
constexpr auto square = [] { return tl::square(tl::param<"", float>); };
#endif

int main() {
  tl::trainer net{model, tl::sgd({})};
  tl::trainer other{square, tl::sgd({})};
}
