// SPDX-License-Identifier: BSL-1.0
// A number where a rule takes options: it does not say which of them it is.
// both compilers
// lines: 20
// first: tapeless: options stand in braces, by their names, as in tl::adam({.learning_rate = 1e-3f})
// expect: tapeless: options stand in braces, by their names, as in tl::adam({.learning_rate = 1e-3f})
// reject: no matching function
// reject: no member named
// reject: has no member
// reject: is no update rule
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto x = tl::input<"x", float, 8, 4>;
  return tl::mean(tl::linear<"fc1", 10>(x));
};

int main() {
#ifdef CORRECTED
  tl::trainer net{model, tl::adam({.learning_rate = 1e-3f})};
#else
  tl::trainer net{model, tl::adam(1e-3f)};
#endif
}
