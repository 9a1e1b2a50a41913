// SPDX-License-Identifier: BSL-1.0
// One name for two draws of random numbers.
// expect: normal: the name \"eps\" is used for two draws of random numbers, which would be the same numbers; give
// expect: each a name of its own
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
#ifdef CORRECTED
  return tl::normal<"eps">(x, 1_c) + tl::normal<"eps 2">(2_c * x, 1_c);
#else
  return tl::normal<"eps">(x, 1_c) + tl::normal<"eps">(2_c * x, 1_c);
#endif
};

int main() {
  tl::function f{model};
  f("x"_t = std::array{1.0f, 2.0f, 3.0f});
}
