// SPDX-License-Identifier: BSL-1.0
// A value that an expression does not have.
// expect: unpack<2>: the expression has 2 values, counted from 0
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto model = [] {
  auto x = tl::input<"x", float, 3>;
  auto both = tl::pack(x, 2_c * x);
#ifdef CORRECTED
  return tl::outputs(tl::named<"y">(tl::unpack<1>(both)));
#else
  return tl::outputs(tl::named<"y">(tl::unpack<2>(both)));
#endif
};

int main() {
  tl::function f{model};
  const float x[3] = {1, 2, 3};
  return f("x"_t = x).get<"y">()[0] == 2 ? 0 : 1;
}
