// SPDX-License-Identifier: BSL-1.0
// A batch of rows, each in memory of its own.
// both compilers
// expect: rows in memory of their own cannot be bound: they are copied into one vector, a ragged batch padded,
// expect: with its lengths beside it
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

constexpr auto model = [] { return 2_c * tl::input<"x", float, tl::dyn<"batch">, 2>; };

int main() {
  tl::function f{model};
#ifdef CORRECTED
  f("x"_t = std::vector<float>{1, 2, 3, 0});
#else
  f("x"_t = std::vector<std::vector<float>>{{1, 2}, {3}});
#endif
}
