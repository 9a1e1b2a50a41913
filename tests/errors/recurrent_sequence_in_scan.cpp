// SPDX-License-Identifier: BSL-1.0
// A loop over time in the body of another loop, whose number of times is not known.
// expect: rnn in the body of scan is unrolled, so its number of times is an integer of 1 or more, but here it is "time"; rnn_cell makes one step
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
constexpr auto x = tl::input<"x", float, 6, 3, 5>;
#else
constexpr auto x = tl::input<"x", float, tl::dyn<"time">, 3, 5>;
#endif

constexpr auto model = [] {
  return tl::scan<2>(x, [](auto now) {
    auto [y, h] = tl::rnn<"rnn", 5>(now);
    return y;
  });
};

int main() { tl::function f{model}; }
