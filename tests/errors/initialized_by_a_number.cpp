// SPDX-License-Identifier: BSL-1.0
// How parameters start, as a number.
// lines: 10
// expect: initialized takes how parameters start, and which: tl::initialized<tl::normal(0.02)>(model
// reject: no matching
// reject: no type named
// reject: has no member
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  return tl::sum(tl::linear<"fc", 2>(tl::input<"x", float, tl::dyn<"batch">, 3>));
};

#ifndef CORRECTED
constexpr auto started = tl::initialized<0.02>(model);
#else
constexpr auto started = tl::initialized<tl::normal(0.02)>(model);
#endif

int main() { tl::trainer net{started, tl::sgd({.learning_rate = 0.1f})}; }
