// SPDX-License-Identifier: BSL-1.0
// A long loop over time in the body of another loop.
// lines: 20
// expect: /lstm in the body of scan is unrolled: 5000 iterations of [0-9]+ operations are [0-9]+, but at most 4096/
// reject: no matching function
// reject: no match for
// reject: no type named
// reject: no member named
// reject: has no member
#include <tapeless/expr/input.hpp>
#include <tapeless/ops/ops.hpp>
#include <tapeless/train/trainer/function.hpp>

namespace tl = tapeless;

#ifdef CORRECTED
constexpr int times = 6;
#else
constexpr int times = 5000;
#endif

constexpr auto model = [] {
  return tl::scan<2>(tl::input<"x", float, times, 3, 5>, [](auto now) {
    auto [y, h, c] = tl::lstm<"lstm", 5>(now);
    return y;
  });
};

int main() { tl::function f{model}; }
