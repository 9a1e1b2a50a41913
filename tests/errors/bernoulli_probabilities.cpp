// SPDX-License-Identifier: BSL-1.0
// Probabilities that are integers.
// expect: bernoulli got probabilities std::int32_t[3]: it takes probabilities of a floating type
// reject: no matching function
// reject: no match for
// reject: no type named
// reject: no member named
// reject: has no member
#include <array>

#include <tapeless/expr/input.hpp>
#include <tapeless/ops/ops.hpp>
#include <tapeless/train/trainer/function.hpp>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto model = [] {
  auto x = tl::input<"x", int, 3>;
#ifdef CORRECTED
  return tl::bernoulli<"b">(tl::cast<float>(x));
#else
  return tl::bernoulli<"b">(x);
#endif
};

int main() { tl::function f{model}; }
