// SPDX-License-Identifier: BSL-1.0
// An input that is compared, not bound.
// both compilers
// lines: 20
// expect: an input is bound by one =, as in net.step("x"_t = x)
// reject: no matching function
// reject: no match for
// reject: invalid operands
#include <tapeless/tapeless.hpp>

#include <vector>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto batch = tl::dyn<"batch">;

constexpr auto model = [] {
  auto x = tl::input<"x", float, batch, 3>;
  return tl::outputs(tl::named<"y">(x));
};

int main() {
  const std::vector<float> x(6);
  tl::function f{model};
#ifdef CORRECTED
  f("x"_t = x);
#else
  f("x"_t == x);
#endif
}
