// SPDX-License-Identifier: BSL-1.0
// A number where a transformation takes options, one of which must be given.
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
  tl::trainer net{model, tl::chain(tl::trace({.decay = 0.9f}), tl::scale_by_learning_rate(1e-2f))};
#else
  tl::trainer net{model, tl::chain(tl::trace(0.9f), tl::scale_by_learning_rate(1e-2f))};
#endif
}
