// SPDX-License-Identifier: BSL-1.0
// A result as a matrix of Eigen's in a program that has none.
// both compilers
// expect: as_matrix gives a matrix of Eigen's: add #include <Eigen/Core>
#include <vector>
#ifdef CORRECTED
#include <Eigen/Core>
#endif

#include <tapeless/tapeless.hpp>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto model = [] { return tl::outputs(tl::named<"y">(tl::square(tl::input<"x", float, 2, 2>))); };

int main() {
  tl::function f{model};
  const std::vector<float> x(4, 1.0f);
  return f("x"_t = x).get<"y">().as_matrix().rows() == 2 ? 0 : 1;
}
