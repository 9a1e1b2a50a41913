// SPDX-License-Identifier: BSL-1.0
// A parameter with a run-time extent, and one with a negative extent, called with an initializer.
// lines: 28
// expect: the parameter "w" has the run-time extent "batch": a parameter's extents are integers; what has a run-time extent is an input, by which tl::grad differentiates as well
// expect: the parameter "b" has the extent -1: a parameter's extents are integers of 0 or more
// reject: no matching
// reject: no type named
// reject: has no member
// reject: constant expression
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto x = tl::input<"x", float, tl::dyn<"batch">, 3>;
#ifdef CORRECTED
  auto y = x * tl::param<"w", float, 1, 3> + tl::param<"b", float, 3>(tl::normal(0.1));
#else
  auto y = x * tl::param<"w", float, tl::dyn<"batch">, 3> + tl::param<"b", float, -1>(tl::normal(0.1));
#endif
  return tl::mean(tl::square(y));
};

int main() { tl::trainer net{model, tl::sgd({})}; }
