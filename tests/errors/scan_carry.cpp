// SPDX-License-Identifier: BSL-1.0
// A carry that grows.
// both compilers
// lines: 20
// expect: scan's body is given float[3] and returns float[6]: a carry must keep its element type and
// expect: shape
// reject: no matching function
// reject: no match for
// reject: no type named
// reject: cannot decompose
// reject: cannot be decomposed
// reject: has no member
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto x = tl::input<"x", float, 5, 3>;
  auto h = tl::input<"h", float, 3>;
#ifdef CORRECTED
  auto [last, all] = tl::scan(
      [](auto h, auto x) {
        auto next = h + x;
        return tl::pack(next, next);
      },
      h, x);
#else
  auto [last, all] = tl::scan(
      [](auto h, auto x) {
        auto next = tl::concat<0>(h, x);
        return tl::pack(next, next);
      },
      h, x);
#endif
  return tl::outputs(tl::named<"last">(last), tl::named<"all">(all));
};

int main() { tl::function f{model}; }
