// SPDX-License-Identifier: BSL-1.0
// A repeated body that takes another number of values than it is given.
// both compilers
// lines: 60
// expect: repeat's body does not take what it is given: it is a lambda []<int I>(auto x), or of several values []<int I>(auto h, auto c), which returns as many, std::tuple{next_h, next_c}
// reject: no matching
// reject: no match for
// reject: cannot decompose
// reject: cannot be decomposed
// reject: has no member
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto x = tl::input<"x", float, 8, 4>;
#ifdef CORRECTED
  auto y = tl::repeat<2>(x, []<int I>(auto h) { return h + h; });
  auto [h, c] = tl::repeat<2>(std::tuple{x, x}, []<int I>(auto h, auto c) { return std::tuple{h + c, h}; });
#else
  auto y = tl::repeat<2>(x, []<int I>(auto h, auto c) { return h + c; });
  auto [h, c] =
      tl::repeat<2>(std::tuple{x, x}, []<int I>(auto h, auto c, auto d) { return std::tuple{h + c, d}; });
#endif
  return tl::outputs(tl::named<"y">(y + h + c));
};

int main() { tl::function f{model}; }
