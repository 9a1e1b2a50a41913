// SPDX-License-Identifier: BSL-1.0
// One draw like a value that is another one in each repetition.
// lines: 60
// expect: normal_like: the name \"dw\" is used for two draws of random numbers, which would be the same numbers; give
// expect: each a name of its own, in the body of repeat tl::name{\"dw\"} + I
// reject: no matching function
// reject: no match for
// reject: no type named
// reject: no member named
// reject: has no member
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto x = tl::input<"x", float, 3>;
#ifdef CORRECTED
  auto walk = tl::repeat<4>(x, []<int I>(auto s) { return s + tl::normal_like<tl::name{"dw"} + I>(s); });
#else
  auto walk = tl::repeat<4>(x, [](auto s) { return s + tl::normal_like<"dw">(s); });
#endif
  auto drawn_before = tl::normal_like<"before">(x);
  return tl::named<"y">(tl::repeat<4>(walk, [=](auto s) { return s + drawn_before; }));
};

int main() { tl::function f{model}; }
