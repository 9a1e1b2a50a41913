// SPDX-License-Identifier: BSL-1.0
// Fans of a parameter that has none.
// lines: 18
// expect: the parameter "fc.bias"[2] has no fans to start by: xavier and kaiming are for weights [out, in, ...]
// expect: tl::matrices
// reject: no matching
// reject: no type named
// reject: has no member
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  return tl::sum(tl::linear<"fc", 2>(tl::input<"x", float, tl::dyn<"batch">, 3>));
};

#ifndef CORRECTED
constexpr auto started = tl::initialized<tl::kaiming_normal()>(model, tl::names_like<"fc.*">);
#else
constexpr auto started = tl::initialized<tl::kaiming_normal()>(model);
#endif

int main() { tl::trainer net{started, tl::sgd({.learning_rate = 0.1f})}; }
