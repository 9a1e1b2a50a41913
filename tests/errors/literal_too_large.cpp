// SPDX-License-Identifier: BSL-1.0
// A literal that no double holds.
// expect: _c stands behind a number that a double holds, up to 1.7976931348623157e308
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto model = [] {
  auto x = tl::input<"x", double, 3>;
#ifdef CORRECTED
  return tl::outputs(tl::named<"y">(1e308_c * x));
#else
  return tl::outputs(tl::named<"y">(1e309_c * x));
#endif
};

int main() {
  tl::function f{model};
  const double x[3] = {1, 0, 0};
  return f("x"_t = x).get<"y">()[0] == 1e308 ? 0 : 1;
}
