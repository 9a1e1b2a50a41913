// SPDX-License-Identifier: BSL-1.0
// An extent that the others do not leave.
// expect: reshape of a value of the shape [batch, 6] to [-1, 4]: the other extents do not divide its number of elements
// reject: no matching function
// reject: no match for
// reject: no type named
// reject: no member named
// reject: has no member
#include <tapeless/expr/input.hpp>
#include <tapeless/ops/ops.hpp>
#include <tapeless/train/trainer/function.hpp>

namespace tl = tapeless;

constexpr auto batch = tl::dyn<"batch">;

constexpr auto model = [] {
  auto x = tl::input<"x", float, batch, 6>;
#ifdef CORRECTED
  return tl::sum(tl::reshape<-1, 3>(x));
#else
  return tl::sum(tl::reshape<-1, 4>(x));
#endif
};

int main() { tl::function f{model}; }
