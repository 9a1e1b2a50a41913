// SPDX-License-Identifier: BSL-1.0
// A weight norm whose lengths are a vector, where each direction has one along the other axes.
// expect: weight_norm got v float[3, 4] and g float[3]: it takes two of one floating type, [out, ...] and
// expect: [out, 1, ...]
// reject: no matching function
// reject: no match for
// reject: no type named
// reject: no member named
// reject: has no member
#include <tapeless/expr/input.hpp>
#include <tapeless/ops/norm/weight_norm.hpp>
#include <tapeless/ops/ops.hpp>
#include <tapeless/train/trainer/function.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto v = tl::input<"v", float, 3, 4>;
#ifdef CORRECTED
  return tl::weight_norm(v, tl::input<"g", float, 3, 1>);
#else
  return tl::weight_norm(v, tl::input<"g", float, 3>);
#endif
};

int main() { tl::function f{model}; }
