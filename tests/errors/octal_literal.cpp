// SPDX-License-Identifier: BSL-1.0
// A zero in front of a whole number, which is octal in C++.
// expect: _c stands behind a decimal number: 16_c, not 0x10_c nor 020_c
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto model = [] {
  auto x = tl::input<"x", float, 3>;
#ifdef CORRECTED
  return tl::outputs(tl::named<"y">(16_c * x));
#else
  return tl::outputs(tl::named<"y">(020_c * x));
#endif
};

int main() {
  tl::function f{model};
  const float x[3] = {1, 2, 3};
  return f("x"_t = x).get<"y">()[0] == 16 ? 0 : 1;
}
