// SPDX-License-Identifier: BSL-1.0
// Labels of a floating type.
// expect: cross_entropy got logits float[batch, 10] and labels float[batch]: it takes floating logits
// expect: [..., classes] and integer labels [...], or probabilities of the shape and type of the logits
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
using label = std::int32_t;
#else
using label = float;
#endif

constexpr auto model = [] {
  return tl::cross_entropy(tl::input<"x", float, batch, 10>, tl::input<"label", label, batch>);
};

int main() { tl::function f{model}; }
