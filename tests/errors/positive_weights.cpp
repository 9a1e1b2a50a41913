// SPDX-License-Identifier: BSL-1.0
// Weights of positive classes that are not one for each class.
// expect: bce_with_logits_loss got logits float[batch, 3] and positive weights float[2]: it takes positive
// expect: weights that broadcast to the shape of the logits
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
constexpr int weights = 3;
#else
constexpr int weights = 2;
#endif

constexpr auto model = [] {
  return tl::bce_with_logits_loss(tl::input<"x", float, batch, 3>, tl::input<"t", float, batch, 3>,
                                  tl::input<"w", float, weights>);
};

int main() { tl::function f{model}; }
