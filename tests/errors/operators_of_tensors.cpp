// SPDX-License-Identifier: BSL-1.0
// Operators of the elements that a parameter or a result holds.
// lines: 30
// expect: the elements of a parameter or a result are computed with one by one, as a std::span's, or as_matrix() by Eigen's operators
// first: the elements of a parameter or a result are computed with one by one
// reject: no match
// reject: invalid operands
#include <vector>

#include <tapeless/tapeless.hpp>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto model = [] {
  return tl::outputs(tl::named<"y">(tl::linear<"fc", 2>(tl::input<"x", float, 4, 3>)));
};

int main() {
  tl::function f{model};
  const std::vector<float> x(12);
  const auto w = f.parameter<"fc.weight">();
  const auto y = f("x"_t = x).get<"y">().copy();
#ifdef CORRECTED
  return w[0] - 2 * y[0] > 0;
#else
  const auto difference = w - 2 * y;
#endif
}
