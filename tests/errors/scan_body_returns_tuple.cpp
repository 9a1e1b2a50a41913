// SPDX-License-Identifier: BSL-1.0
// A body that returns several values in another way than as a std::tuple or packed.
// both compilers
// lines: 20
// expect: scan's body returns the next carry's values and then those to stack: return next; or return std::tuple{next, y};
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
        return std::tuple{next, next};
      },
      h, x);
#else
  auto [last, all] = tl::scan(
      [](auto h, auto x) {
        auto next = h + x;
        return std::pair(next, next);
      },
      h, x);
#endif
  return tl::outputs(tl::named<"last">(last), tl::named<"all">(all));
};

int main() { tl::function f{model}; }
