// SPDX-License-Identifier: BSL-1.0
// Random numbers of an integer type, and of a negative extent.
// expect: uniform draws floating numbers, but std::int32_t is asked for
// expect: normal draws floating numbers, but std::int32_t is asked for
// expect: normal has the extent -2: extents are integers of 0 or more
// reject: null pointer
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

constexpr auto drawn = [] {
#ifdef CORRECTED
  return tl::uniform<"u", float, 3>();
#else
  return tl::uniform<"u", int, 3>();
#endif
};

constexpr auto operand = [] {
#ifdef CORRECTED
  return tl::exp(tl::normal<"n", float, 2>()) + tl::normal<"m", float, 2>();
#else
  return tl::exp(tl::normal<"n", int, 2>()) + tl::normal<"m", float, -2>();
#endif
};

int main() {
  tl::function f{drawn};
  tl::function g{operand};
}
