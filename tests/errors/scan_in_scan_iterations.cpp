// SPDX-License-Identifier: BSL-1.0
// A long loop in the body of another loop.
// both compilers
// lines: 20
// expect: scan in the body of scan is unrolled: 100000 iterations of 7 operations are 700000, but at most 4096 may be unrolled: write one scan over the iterations of both loops
// reject: no matching function
// reject: no match for
// reject: no type named
// reject: has no member
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

#ifdef CORRECTED
constexpr int iterations = 20;
#else
constexpr int iterations = 100'000;
#endif

constexpr auto model = [] {
  return tl::scan(
      [](auto h, auto x) {
        return x + tl::scan([](auto s, auto i) { return tl::tanh(s * tl::cast<float>(i)); }, h,
                            tl::iota<std::int32_t, iterations>());
      },
      tl::input<"start", float, 4>, tl::input<"x", float, 10, 4>);
};

int main() { tl::function f{model}; }
