// SPDX-License-Identifier: BSL-1.0
// A derivative by two values along one direction.
// expect: jvp takes one direction for each value, but got 1 for 2
// reject: no matching function
// reject: no match for
// reject: no type named
// reject: no member named
// reject: has no member
// reject: structured binding
#include <array>

#include <tapeless/expr/input.hpp>
#include <tapeless/ops/ops.hpp>
#include <tapeless/train/trainer/function.hpp>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto model = [] {
  auto x = tl::input<"x", float, 3>;
  auto y = tl::input<"y", float, 3>;
#ifdef CORRECTED
  return tl::jvp(x * y, tl::pack(x, y), tl::pack(x, x));
#else
  return tl::jvp(x * y, tl::pack(x, y), x);
#endif
};

int main() {
  tl::function f{model};
  f("x"_t = std::array{1.0f, 2.0f, 3.0f}, "y"_t = std::array{1.0f, 2.0f, 3.0f});
}
