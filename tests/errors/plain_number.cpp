// SPDX-License-Identifier: BSL-1.0
// A number where a constant is needed.
// both compilers
// expect: *: a plain number stands next to an expression: write 2_c or 0.5_c (using namespace
// expect: tapeless::literals), or constant<V>
// reject: no matching function
// reject: no match for
// reject: no type named
// reject: no member named
// reject: has no member
#include <array>

#include <tapeless/expr/constant.hpp>
#include <tapeless/expr/input.hpp>
#include <tapeless/ops/ops.hpp>
#include <tapeless/train/trainer/function.hpp>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto model = [] {
  auto x = tl::input<"x", float, 2>;
#ifdef CORRECTED
  return tl::sum(tl::square(2_c * x));
#else
  return tl::sum(tl::square(2 * x));
#endif
};

int main() {
  tl::function f{model};
  f("x"_t = std::array{1.0f, 2.0f});
}
