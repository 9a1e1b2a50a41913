// SPDX-License-Identifier: BSL-1.0
// One derivative, taken apart.
// expect: one expression is not taken apart: auto g = tl::grad(y, x), without brackets
// reject: no matching function
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto model = [] {
  auto x = tl::input<"x", float, 3>;
  auto y = tl::sum(tl::square(x));
#ifdef CORRECTED
  auto g = tl::grad(y, x);
#else
  auto [g] = tl::grad(y, x);
#endif
  return tl::outputs(tl::named<"g">(tl::square(g)));
};

int main() {
  tl::function f{model};
  const float x[3] = {1, 2, 3};
  return f("x"_t = x).get<"g">()[0] == 4 ? 0 : 1;
}
