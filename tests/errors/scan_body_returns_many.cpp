// SPDX-License-Identifier: BSL-1.0
// A body that returns more values than a statement has.
// both compilers
// lines: 20
// expect: scan's body returns at most 8 values, carries and stacks together: tl::stack<0>(a, b) makes one of two, which tl::at takes apart behind the loop
// reject: no matching function
// reject: no match for
// reject: no type named
// reject: cannot decompose
// reject: cannot be decomposed
// reject: has no member
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto model = [] {
  auto x = tl::input<"x", float, 5, 3>;
  auto h = tl::input<"h", float, 3>;
#ifdef CORRECTED
  auto [a, p, q, r, s, t, u, vw] = tl::scan(
      [](auto a, auto x) {
        return std::tuple{a + x,   1_c * x, 2_c * x, 3_c * x,
                          4_c * x, 5_c * x, 6_c * x, tl::stack<0>(7_c * x, 8_c * x)};
      },
      h, x);
  auto w = tl::at<1>(tl::permute<1, 0, 2>(vw));
#else
  auto [a, p, q, r, s, t, u, v, w] = tl::scan(
      [](auto a, auto x) {
        return std::tuple{a + x, 1_c * x, 2_c * x, 3_c * x, 4_c * x, 5_c * x, 6_c * x, 7_c * x, 8_c * x};
      },
      h, x);
#endif
  return tl::outputs(tl::named<"y">(tl::sum(w) + tl::sum(a)));
};

int main() { tl::function f{model}; }
