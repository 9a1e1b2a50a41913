// SPDX-License-Identifier: BSL-1.0
// A recurrent network over a single row.
// expect: rnn<\"rnn\"> got x float[3, 4]: it takes floating x [time, batch, in], where in is an integer
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
#ifdef CORRECTED
  auto x = tl::input<"x", float, 3, tl::dyn<"batch">, 4>;
#else
  auto x = tl::input<"x", float, 3, 4>;
#endif
  auto [y, h] = tl::rnn<"rnn", 5>(x);
  return y;
};

int main() { tl::function f{model}; }
