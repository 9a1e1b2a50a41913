// SPDX-License-Identifier: BSL-1.0
// Arrays of another shape than the input's, on tl::bare.
// alone
// lines: 20
// first: input "x" expects float[2, 3], but got float[3, 2]
// expect: input "x" expects float[2, 3], but got float[3, 2]
#include <tapeless/bare.hpp>

#include <array>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto model = [] {
  return tl::outputs(tl::named<"y">(tl::linear<"fc", 2>(tl::input<"x", float, 2, 3>)));
};

int main() {
  tl::function f{model, tl::bare{}};
#ifdef CORRECTED
  const std::array<std::array<float, 3>, 2> x{};
#else
  const std::array<std::array<float, 2>, 3> x{};
#endif
  const float flat[6] = {};
  return f("x"_t = x).is_valid() && f("x"_t = flat).is_valid() ? 0 : 1;
}
