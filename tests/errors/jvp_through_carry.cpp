// SPDX-License-Identifier: BSL-1.0
// A derivative along a direction in the body of a scan, by what the carry started from.
// both compilers
// lines: 20
// expect: a derivative is asked for in the body of a scan, through a carry that starts from what it is by: write
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  return tl::scan<2>(tl::input<"w", double, 3>, [](auto p) {
    auto w = tl::input<"w", double, 3>;
    auto v = tl::input<"v", double, 3>;
#ifdef CORRECTED
    return p + tl::jvp(tl::square(tl::stop_gradient(p) * w), w, v);
#else
    return p + tl::jvp(tl::square(p * w), w, v);
#endif
  });
};

int main() { tl::function f{model}; }
