// SPDX-License-Identifier: BSL-1.0
// A prediction and a target of different shapes.
// expect: mse_loss got predictions float[batch, 1] and targets float[batch]: it takes two of one floating
// expect: type and shape
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
constexpr auto prediction = tl::input<"x", float, batch>;
#else
constexpr auto prediction = tl::input<"x", float, batch, 1>;
#endif

constexpr auto model = [] { return tl::mse_loss(prediction, tl::input<"t", float, batch>); };

int main() { tl::function f{model}; }
