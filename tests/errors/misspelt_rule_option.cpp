// SPDX-License-Identifier: BSL-1.0
// A rule's option by a name that it does not have: the compiler says which rule was meant.
// both compilers
// lines: 20
// expect: no matching function for call to
// expect: adam_options
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto x = tl::input<"x", float, 8, 4>;
  return tl::mean(tl::linear<"fc1", 10>(x));
};

int main() {
#ifdef CORRECTED
  tl::trainer net{model, tl::adam({.learning_rate = 1})};
#else
  tl::trainer net{model, tl::adam({.lr = 1})};
#endif
}
