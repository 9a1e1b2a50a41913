// SPDX-License-Identifier: BSL-1.0
// Which parameters start otherwise, as a template argument.
// both compilers
// lines: 20
// expect: initialized takes which parameters it is for behind the model: tl::initialized<tl::normal(0.02)>(model, tl::names_like<"*.weight">)
// reject: no matching
// reject: no type named
// reject: has no member
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  return tl::sum(tl::linear<"fc", 2>(tl::input<"x", float, tl::dyn<"batch">, 3>));
};

#ifndef CORRECTED
constexpr auto started = tl::initialized<tl::normal(0.02), tl::names_like<"*.weight">>(model);
#else
constexpr auto started = tl::initialized<tl::normal(0.02)>(model, tl::names_like<"*.weight">);
#endif

int main() { tl::trainer net{started, tl::sgd({.learning_rate = 0.1f})}; }
