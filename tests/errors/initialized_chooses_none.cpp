// SPDX-License-Identifier: BSL-1.0
// How parameters start, for a pattern that none fits.
// lines: 18
// expect: initialized is for no parameter at all: of "fc.weight"[2, 3], "fc.bias"[2], none fits "fc1.*"
// reject: no matching
// reject: no type named
// reject: has no member
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  return tl::sum(tl::linear<"fc", 2>(tl::input<"x", float, tl::dyn<"batch">, 3>));
};

#ifndef CORRECTED
constexpr auto started = tl::initialized<tl::normal(0.02)>(model, tl::names_like<"fc1.*">);
#else
constexpr auto started = tl::initialized<tl::normal(0.02)>(model, tl::names_like<"fc.*">);
#endif

int main() { tl::trainer net{started, tl::sgd({.learning_rate = 0.1f})}; }
