// SPDX-License-Identifier: BSL-1.0
// A loop whose body comes first.
// both compilers
// lines: 20
// expect: tl::repeat<N>(x, body) and tl::scan<N>(x, body) take the body last, and the number of times as a template argument; tl::scan(body, carry, xs) goes along the first axis of xs
// reject: no matching
// reject: no type named
// reject: has no member
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto x = tl::input<"x", float, tl::dyn<"batch">, 3>;
#ifdef CORRECTED
  auto y = tl::scan<3>(x, [](auto h) { return tl::tanh(h); });
#else
  auto y = tl::scan<3>([](auto h) { return tl::tanh(h); }, x);
#endif
  return tl::outputs(tl::named<"y">(tl::exp(y)));
};

int main() { tl::function f{model}; }
