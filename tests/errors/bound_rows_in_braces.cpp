// SPDX-License-Identifier: BSL-1.0
// Rows of elements, each in braces.
// both compilers
// lines: 24
// expect: elements stand in one pair of braces, in row-major order: "x"_t = {1, 2, 3, 4} of two rows
// reject: no matching function
// reject: no match for
// reject: no type named
// reject: no member named
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto model = [] {
  auto x = tl::input<"x", float, tl::dyn<"batch">, 2>;
  auto h = tl::linear<"fc", 1>(x);
  return tl::outputs(tl::mean(tl::square(h)), tl::named<"h">(h));
};

int main() {
  tl::trainer net{model, tl::sgd({})};
#ifdef CORRECTED
  net.step("x"_t = {1.0f, 2.0f, 3.0f, 4.0f});
#else
  net.step("x"_t = {{1.0f, 2.0f}, {3.0f, 4.0f}});
#endif
}
