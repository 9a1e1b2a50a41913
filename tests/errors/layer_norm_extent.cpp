// SPDX-License-Identifier: BSL-1.0
// A layer whose parameters would have a run-time extent.
// expect: layer_norm of a value of the shape [batch, width]: the extents of \"ln.weight\" must be integers
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
constexpr tl::extent width = 8;
#else
constexpr tl::extent width = tl::dyn<"width">;
#endif

constexpr auto model = [] { return tl::layer_norm<"ln">(tl::input<"x", float, batch, width>); };

int main() { tl::function f{model}; }
