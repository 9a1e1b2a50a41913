// SPDX-License-Identifier: BSL-1.0
// Labels of nll_loss that are no integers.
// expect: nll_loss got log-probabilities float[batch, 10] and labels float[batch]: it takes floating
// expect: log-probabilities [..., classes] and integer labels [...]
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
using label = std::int64_t;
#else
using label = float;
#endif

constexpr auto model = [] {
  return tl::nll_loss(tl::input<"x", float, batch, 10>, tl::input<"label", label, batch>);
};

int main() { tl::function f{model}; }
