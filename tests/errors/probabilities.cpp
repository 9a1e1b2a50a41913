// SPDX-License-Identifier: BSL-1.0
// Percentages and other numbers that are no probabilities.
// expect: dropout takes a probability from 0 to 1, but got 50
// expect: dropout takes a probability from 0 to 1, but got -0.5
// expect: dropout1d takes a probability from 0 to 1, but got 50
// expect: dropout2d takes a probability from 0 to 1, but got 50
// expect: dropout3d takes a probability from 0 to 1, but got 50
// expect: alpha_dropout takes a probability from 0 to 1, but got 50
// expect: feature_alpha_dropout takes a probability from 0 to 1, but got 50
// lines-clang: 90
// reject: no matching function
// reject: no match for
// reject: no type named
// reject: no member named
#include <tapeless/expr/input.hpp>
#include <tapeless/ops/activation.hpp>

namespace tl = tapeless;

#ifdef CORRECTED
constexpr double p = 0.5, q = 1;
#else
constexpr double p = 50, q = -0.5;
#endif

constexpr auto model = [] {
  auto x = tl::input<"x", float, 2, 4, 2, 2>;
  tl::dropout<"named", q>(x);
  tl::dropout1d<p>(tl::input<"line", float, 2, 4, 2>);
  tl::dropout2d<p>(x);
  tl::dropout3d<p>(tl::input<"volume", float, 2, 4, 2, 2, 2>);
  tl::alpha_dropout<p>(x);
  tl::feature_alpha_dropout<p>(x);
  return tl::dropout<p>(x);
};

int main() { model(); }
