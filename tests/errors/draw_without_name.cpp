// SPDX-License-Identifier: BSL-1.0
// Random numbers without a name.
// both compilers
// lines: 20
// expect: a draw has a name, which tells it apart from others: tl::normal<"eps", float, 3>(), tl::uniform_like<"u">(x)
// reject: no matching
// reject: no type named
// reject: has no member
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto x = tl::input<"x", float, tl::dyn<"batch">, 3>;
#ifdef CORRECTED
  auto y = tl::normal<"eps", float, 3>() + tl::uniform_like<"u">(x);
#else
  auto y = tl::normal<float, 3>() + tl::uniform_like<"u">(x);
#endif
  return tl::outputs(tl::named<"y">(tl::exp(y)));
};

int main() { tl::function f{model}; }
