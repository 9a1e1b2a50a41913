// SPDX-License-Identifier: BSL-1.0
// Elements of a type that no tensor has.
// expect: what is bound is a number, or elements of a type that a tensor can have (float, double, f16,
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

constexpr auto model = [] { return 2_c * tl::input<"x", float, 2, 3>; };

int main() {
  tl::function f{model};
#ifdef CORRECTED
  f("x"_t = std::array<float, 6>{});
#else
  f("x"_t = std::array<unsigned short, 6>{});
#endif
}
