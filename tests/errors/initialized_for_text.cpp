// SPDX-License-Identifier: BSL-1.0
// Which parameters start otherwise, as text.
// lines: 18
// expect: initialized takes which parameters it is for: tl::matrices, tl::names_like
// reject: no matching
// reject: no type named
// reject: has no member
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  return tl::sum(tl::linear<"fc", 2>(tl::input<"x", float, tl::dyn<"batch">, 3>));
};

#ifndef CORRECTED
constexpr auto started = tl::initialized<tl::normal(0.02)>(model, "fc.weight");
#else
constexpr auto started = tl::initialized<tl::normal(0.02)>(model);
#endif

int main() { tl::trainer net{started, tl::sgd({.learning_rate = 0.1f})}; }
