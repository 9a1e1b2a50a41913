// SPDX-License-Identifier: BSL-1.0
// An input by a name that the model does not have.
// both compilers
// expect: there is no input named \"z\"; there is \"x\", \"y\"
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

constexpr auto model = [] { return tl::input<"x", float, 2> + tl::input<"y", float, 2>; };

int main() {
  tl::function f{model};
  std::array v{1.0f, 2.0f};
#ifdef CORRECTED
  f("x"_t = v, "y"_t = v);
#else
  f("x"_t = v, "z"_t = v);
#endif
}
