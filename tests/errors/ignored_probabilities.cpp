// SPDX-License-Identifier: BSL-1.0
// An ignored label, where the target is no label.
// expect: cross_entropy: ignore_index is for integer labels, but the target is of type float
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
constexpr tl::loss ignoring{.ignore_index = -1};
#ifdef CORRECTED
constexpr auto target = tl::input<"t", int, batch>;
#else
constexpr auto target = tl::input<"t", float, batch, 10>;
#endif

constexpr auto model = [] { return tl::cross_entropy<ignoring>(tl::input<"x", float, batch, 10>, target); };

int main() { tl::function f{model}; }
