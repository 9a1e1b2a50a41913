// SPDX-License-Identifier: BSL-1.0
// An LSTM with the first h and no c.
// expect: lstm takes x, the first h and c or neither, and the sequences' lengths, integers, or none
// reject: no matching function
// reject: no match for
// reject: no type named
// reject: no member named
// reject: has no member
#include <tapeless/expr/input.hpp>
#include <tapeless/ops/ops.hpp>
#include <tapeless/train/trainer/function.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto x = tl::input<"x", float, tl::dyn<"time">, 2, 4>;
#ifdef CORRECTED
  auto more = tl::input<"lengths", std::int32_t, 2>;
#else
  auto more = tl::input<"h", float, 2, 5>;
#endif
  auto [y, h, c] = tl::lstm<"lstm", 5>(x, more);
  return y;
};

int main() { tl::function f{model}; }
