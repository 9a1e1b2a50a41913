// SPDX-License-Identifier: BSL-1.0
// Extents made of run-time ones by arithmetic.
// lines: 60
// expect: a run-time extent is not computed with: operations such as tl::concat<0>(x, x) and tl::reshape<-1, 4>(x) find theirs
// first: a run-time extent is not computed with
// reject: invalid operands
// reject: no match for
// reject: no matching function
#include <tapeless/expr/input.hpp>
#include <tapeless/expr/outputs.hpp>
#include <tapeless/ops/ops.hpp>

namespace tl = tapeless;

constexpr auto batch = tl::dyn<"batch">;

constexpr auto model = [] {
  auto x = tl::input<"x", float, batch, 2>;
#ifdef CORRECTED
  auto y = tl::input<"y", float, tl::dyn<"pairs">, 2>;
#else
  auto y = tl::input<"y", float, batch * 2, 2>;
  tl::input<"z", float, 1 + batch, batch - batch>;
#endif
  return tl::outputs(tl::named<"all">(tl::concat<0>(x, y)));
};

int main() { model(); }
