// SPDX-License-Identifier: BSL-1.0
// The gradient by what the value was not made from.
// expect: grad: the value does not depend on input \"y\", or only through operations without a derivative
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
  auto x = tl::input<"x", float, 3>;
  auto y = tl::input<"y", float, 3>;
#ifdef CORRECTED
  return tl::grad(tl::sum(x * y), y);
#else
  return tl::grad(tl::sum(x * tl::floor(y)), y);
#endif
};

int main() {
  tl::function f{model};
  f("x"_t = std::array{1.0f, 2.0f, 3.0f});
}
