// SPDX-License-Identifier: BSL-1.0
// A model of none of the model's outputs.
// lines: 18
// expect: only takes the names of outputs: tl::only<"y">(model)
// reject: no matching
// reject: no type named
// reject: has no member
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto logits = tl::linear<"fc", 2>(tl::input<"x", float, tl::dyn<"batch">, 3>);
  return tl::outputs(tl::sum(logits), tl::named<"logits">(logits));
};

#ifndef CORRECTED
constexpr auto part = tl::only<>(model);
#else
constexpr auto part = tl::only<"logits">(model);
#endif

int main() { tl::function f{part}; }
