// SPDX-License-Identifier: BSL-1.0
// Random numbers of an integer type.
// expect: uniform draws floating numbers, but std::int32_t is asked for
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
#ifdef CORRECTED
  return tl::uniform<"u", float, 3>();
#else
  return tl::uniform<"u", int, 3>();
#endif
};

int main() { tl::function f{model}; }
