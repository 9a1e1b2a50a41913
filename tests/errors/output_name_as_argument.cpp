// SPDX-License-Identifier: BSL-1.0
// An output's name as an argument of named, before and behind the output.
// lines: 36
// expect: an output's name is a template argument: tl::named<"logits">(logits)
// reject: no matching
// reject: no type named
// reject: has no member
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto x = tl::input<"x", float, tl::dyn<"batch">, 3>;
#ifdef CORRECTED
  auto y = tl::named<"z">(tl::tanh(x));
#else
  auto y = tl::named("y", tl::tanh(x)) + tl::named(tl::tanh(x), "y");
#endif
  return tl::outputs(tl::named<"y">(tl::exp(y)));
};

int main() { tl::function f{model}; }
