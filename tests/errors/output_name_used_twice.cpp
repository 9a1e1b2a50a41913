// SPDX-License-Identifier: BSL-1.0
// One name for two outputs.
// expect: the output name \"y\" is used for two values
// reject: no matching function
// reject: no match for
// reject: no type named
// reject: no member named
// reject: has no member
#include <array>

#include <tapeless/expr/input.hpp>
#include <tapeless/expr/outputs.hpp>
#include <tapeless/ops/ops.hpp>
#include <tapeless/train/trainer/function.hpp>

namespace tl = tapeless;
using namespace tl::literals;

#ifdef CORRECTED
constexpr tl::name second = "z";
#else
constexpr tl::name second = "y";
#endif

constexpr auto model = [] {
  auto x = tl::input<"x", float, 3>;
  return tl::outputs(tl::named<"y">(tl::exp(x)), tl::named<second>(tl::log(x)));
};

int main() {
  tl::function f{model};
  f("x"_t = std::array{1.0f, 2.0f, 3.0f});
}
