// SPDX-License-Identifier: BSL-1.0
// Weights in an array of char, which could be a file's path.
// alone
// lines: 20
// first: tl::weights takes trained weights as an array, a std::array or a std::span of unsigned char or
// std::byte
// expect: tl::weights takes trained weights as an array, a std::array or a std::span of unsigned char or std::byte
#include <tapeless/bare.hpp>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto model = [] { return tl::mean(tl::linear<"a", 2>(tl::input<"x", float, 4>)); };

#ifdef CORRECTED
alignas(64) constexpr unsigned char bytes[512] = {};
#else
alignas(64) constexpr char bytes[512] = {};
#endif

int main() {
  tl::function f{model, tl::weights(bytes), tl::bare{}};
  const float x[4] = {1, 0, 0, 1};
  return f("x"_t = x).is_valid() ? 0 : 1;
}
