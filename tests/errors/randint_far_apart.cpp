// SPDX-License-Identifier: BSL-1.0
// Bounds with more numbers between them than a draw tells apart.
// expect: randint takes bounds that are at most 2^53 apart
// reject: no matching
// reject: no match for
// reject: no type named
// reject: has no member
#include <tapeless/expr/input.hpp>
#include <tapeless/operations.hpp>
#include <tapeless/train/trainer/function.hpp>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto model = [] {
#ifdef CORRECTED
  return tl::named<"y">(tl::randint<"i", std::int64_t, 2>(0_c, 9007199254740992_c));
#else
  return tl::named<"y">(tl::randint<"i", std::int64_t, 2>(-1_c, 9007199254740992_c));
#endif
};

int main() { tl::function f{model}; }
