// SPDX-License-Identifier: BSL-1.0
// A recurrent layer of rows of a run-time width.
// expect: rnn_cell<\"rnn\"> got x float[3, width]: it takes floating x [.., in], where in is an integer
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
constexpr tl::extent width = 4;
#else
constexpr tl::extent width = tl::dyn<"width">;
#endif

constexpr auto model = [] {
  return tl::rnn_cell<"rnn", 5>(tl::input<"x", float, 3, width>, tl::input<"h", float, 3, 5>);
};

int main() { tl::function f{model}; }
