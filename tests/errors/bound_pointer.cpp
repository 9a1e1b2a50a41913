// SPDX-License-Identifier: BSL-1.0
// A pointer where elements are bound.
// both compilers
// lines: 20
// expect: a pointer says nothing of how many elements there are: bind std::span(p, n)
// reject: what is bound is a number
// reject: no matching
// reject: no type named
// reject: has no member
#include <span>

#include <tapeless/tapeless.hpp>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto model = [] {
  auto x = tl::input<"x", float, tl::dyn<"batch">, 3>;
  return tl::outputs(tl::named<"y">(tl::linear<"fc", 2>(x)));
};

int main() {
  tl::function f{model};
  const float x[6] = {};
  const float* p = x;
#ifdef CORRECTED
  f("x"_t = std::span(p, 6));
#else
  f("x"_t = p);
#endif
}
