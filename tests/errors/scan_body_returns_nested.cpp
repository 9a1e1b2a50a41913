// SPDX-License-Identifier: BSL-1.0
// A body that returns the carry's values as a tuple of their own.
// both compilers
// lines: 20
// expect: scan's body returns its values one by one, not a tuple in a tuple: return std::tuple{a, b, y};
// reject: return next; or return
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
  auto [a, b, all] = tl::scan(
      [](auto a, auto b, auto x) {
        auto next = a + b * x;
        return std::tuple{next, a, next};
      },
      std::tuple{h, h}, x);
#else
  auto [a, b, all] = tl::scan(
      [](auto a, auto b, auto x) {
        auto next = a + b * x;
        return std::tuple{std::tuple{next, a}, next};
      },
      std::tuple{h, h}, x);
#endif
  return tl::outputs(tl::named<"y">(tl::sum(all) + tl::sum(a + b)));
};

int main() { tl::function f{model}; }
