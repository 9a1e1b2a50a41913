// SPDX-License-Identifier: BSL-1.0
// The gradients of several values at once.
// expect: grad takes one scalar, but got 2
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
  auto [by_x, by_y] = tl::grad(tl::sum(x) + tl::sum(y), x, y);
#else
  auto [by_x, by_y] = tl::grad(tl::pack(tl::sum(x), tl::sum(y)), x, y);
#endif
  return by_x + by_y;
};

int main() {
  tl::function f{model};
  f("x"_t = std::array{1.0f, 2.0f, 3.0f}, "y"_t = std::array{1.0f, 2.0f, 3.0f});
}
