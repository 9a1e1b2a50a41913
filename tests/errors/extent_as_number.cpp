// SPDX-License-Identifier: BSL-1.0
// A run-time extent that is computed with.
// both compilers
// lines: 20
// expect: a run-time extent is no number of a model: tl::size<0>(x) is how many elements x has along an axis
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
#ifdef CORRECTED
  return tl::outputs(tl::named<"y">(tl::sum<0>(x) / tl::size<0>(x)));
#else
  return tl::outputs(tl::named<"y">(tl::sum<0>(x) / batch));
#endif
};

int main() {
  const std::vector<float> x(6);
  tl::function f{model};
  f("x"_t = x);
}
