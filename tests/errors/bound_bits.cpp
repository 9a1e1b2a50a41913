// SPDX-License-Identifier: BSL-1.0
// Elements in a std::vector<bool>.
// both compilers
// expect: std::vector<bool> and std::bitset hold bits, which are no elements: bind
// expect: std::array<bool, N>, or std::span<const bool>
// reject: what is bound is a number
// reject: no matching function
// reject: no match for
// reject: no type named
// reject: no member named
// reject: has no member
#include <array>
#include <vector>

#include <tapeless/expr/input.hpp>
#include <tapeless/ops/ops.hpp>
#include <tapeless/train/trainer/function.hpp>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto model = [] { return tl::where(tl::input<"m", bool, 4>, 1_c, tl::input<"x", float, 4>); };

int main() {
  tl::function f{model};
#ifdef CORRECTED
  f("m"_t = std::array<bool, 4>{true}, "x"_t = {1.0f, 2.0f, 3.0f, 4.0f});
#else
  f("m"_t = std::vector<bool>{true, false, true, false}, "x"_t = {1.0f, 2.0f, 3.0f, 4.0f});
#endif
}
