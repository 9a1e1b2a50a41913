// SPDX-License-Identifier: BSL-1.0
// An input of complex numbers.
// both compilers
// lines: 20
// expect: tapeless: an input's elements are float, double, tl::f16, tl::bf16, bool, std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t or std::uint32_t; complex numbers are pairs along an axis
// reject: no matching function
// reject: no match for
// reject: no member named
// reject: has no member
#include <complex>

#include <tapeless/expr/input.hpp>
#include <tapeless/ops/ops.hpp>
#include <tapeless/train/trainer/function.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
#ifdef CORRECTED
  auto x = tl::input<"x", float, 3, 2>;
#else
  auto x = tl::input<"x", std::complex<float>, 3>;
#endif
  return tl::sum(x);
};

int main() { tl::function f{model}; }
