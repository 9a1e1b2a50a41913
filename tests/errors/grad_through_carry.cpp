// SPDX-License-Identifier: BSL-1.0
// A derivative in the body of a scan, by what the carry started from: steps of conjugate gradients.
// both compilers
// lines: 20
// expect: a derivative is asked for in the body of a scan, through a carry that starts from what it is by: write
// expect: tl::stop_gradient(h) for a carry h that counts as a constant there, or take the derivative outside the scan
// reject: has none
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto slope = [] {
  auto w = tl::input<"w", double, 3>;
  return tl::grad(tl::sum(tl::exp(w)), w);
};

constexpr auto model = [] {
  return tl::scan<2>(slope(), [](auto p) {
    auto w = tl::input<"w", double, 3>;
#ifdef CORRECTED
    auto along = tl::dot(slope(), tl::stop_gradient(p));
#else
    auto along = tl::dot(slope(), p);
#endif
    return p - tl::grad(along, w);
  });
};

int main() { tl::function f{model}; }
