// SPDX-License-Identifier: BSL-1.0
// Instance normalization of values without positions.
// expect: instance_norm of a value of the shape [batch, 6]: it takes a floating value [batch, channels,
// expect: ...] of at least 3 axes
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
constexpr auto x = tl::input<"x", float, batch, 6, 8>;
#else
constexpr auto x = tl::input<"x", float, batch, 6>;
#endif

constexpr auto model = [] { return tl::instance_norm(x); };

int main() { tl::function f{model}; }
