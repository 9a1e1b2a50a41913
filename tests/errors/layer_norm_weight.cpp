// SPDX-License-Identifier: BSL-1.0
// A weight that does not fit what is normalized.
// expect: layer_norm got x float[batch, 6] and a weight float[5]: it takes a weight and a bias of the type
// expect: and the last extents of x
// reject: no matching function
// reject: no match for
// reject: no type named
// reject: no member named
// reject: has no member
#include <cstdint>

#include <tapeless/expr/input.hpp>
#include <tapeless/ops/ops.hpp>
#include <tapeless/train/trainer/function.hpp>

namespace tl = tapeless;

constexpr auto batch = tl::dyn<"batch">;
#ifdef CORRECTED
constexpr int features = 6;
#else
constexpr int features = 5;
#endif

constexpr auto model = [] {
  return tl::layer_norm(tl::input<"x", float, batch, 6>, tl::input<"w", float, features>);
};

int main() { tl::function f{model}; }
