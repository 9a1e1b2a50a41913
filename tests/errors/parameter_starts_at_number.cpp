// SPDX-License-Identifier: BSL-1.0
// A number, and a mean, where a parameter's start is asked for.
// expect: a parameter starts as an initializer says: tl::fill(0.5) in place of 0.5, or tl::normal(0.02)
// expect: how a parameter starts has no mean: tl::normal(0.02) is of the standard deviation 0.02, around 0
// lines: 30
// reject: no matching
// reject: no match for
#include <tapeless/expr/param.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
#ifdef CORRECTED
  auto w = tl::param<"w", float, 4>(tl::fill(0.5));
  auto v = tl::param<"v", float, 4>(tl::normal(0.02));
#else
  auto w = tl::param<"w", float, 4>(0.5);
  auto v = tl::param<"v", float, 4>(tl::normal(0., 0.02));
#endif
  return v;
};

int main() { model(); }
