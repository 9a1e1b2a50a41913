// SPDX-License-Identifier: BSL-1.0
// Channels that do not make equal groups.
// expect: group_norm of a value of the shape [batch, 6, 8, 8]: it takes a floating value [batch, channels,
// expect: ...] whose channels make 4 equal groups
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
constexpr int groups = 3;
#else
constexpr int groups = 4;
#endif

constexpr auto model = [] { return tl::group_norm<"gn", groups>(tl::input<"x", float, batch, 6, 8, 8>); };

int main() { tl::function f{model}; }
