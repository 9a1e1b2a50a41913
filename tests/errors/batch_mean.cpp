// SPDX-License-Identifier: BSL-1.0
// The mean over the batch of a loss that has none.
// expect: reduction::batch_mean of a loss without axes
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
constexpr tl::loss over_batch{.reduce = tl::reduction::batch_mean};
#ifdef CORRECTED
constexpr auto x = tl::input<"x", float, batch>;
#else
constexpr auto x = tl::input<"x", float>;
#endif

constexpr auto model = [] { return tl::l1_loss<over_batch>(x, x); };

int main() { tl::function f{model}; }
