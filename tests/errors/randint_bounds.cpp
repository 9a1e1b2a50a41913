// SPDX-License-Identifier: BSL-1.0
// Bounds that do not fit the shape, and an element type of numbers with fractions.
// both compilers
// expect: randint got low std::int32_t[2] and high number[]: it takes two numbers, or integers that broadcast to its own shape
// expect: randint takes an integer element type, but got float
// reject: no matching
// reject: no match for
// reject: no type named
// reject: has no member
#include <tapeless/expr/input.hpp>
#include <tapeless/operations.hpp>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto model = [] {
  auto low = tl::input<"low", std::int32_t, 2>;
#ifndef CORRECTED
  tl::randint<"a", std::int32_t, 3>(low, 3_c);
  tl::randint<"b", float, 3>(0_c, 3_c);
#endif
  return tl::randint<"c", std::int32_t, 2>(low, 3_c);
};

int main() { model(); }
