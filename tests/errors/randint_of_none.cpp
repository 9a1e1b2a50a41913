// SPDX-License-Identifier: BSL-1.0
// Bounds with a number between them that the element type does not have.
// expect: randint of std::uint8_t takes whole numbers of this type, low below high: high itself is not drawn
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
  return tl::named<"y">(tl::randint<"i", std::uint8_t, 2>(0_c, 256_c));
#else
  return tl::named<"y">(tl::randint<"i", std::uint8_t, 2>(0_c, 257_c));
#endif
};

int main() { tl::function f{model}; }
