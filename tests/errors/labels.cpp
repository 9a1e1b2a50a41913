// SPDX-License-Identifier: BSL-1.0
// Labels that do not fit the logits.
// both compilers
// expect: cross_entropy got logits float[batch, 10] and labels std::int64_t[batch, 1]: it takes floating
// expect: logits [..., classes] and integer labels [...], or probabilities of the shape and type of the
// expect: logits
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
constexpr auto labels = tl::input<"label", std::int64_t, batch>;
#else
constexpr auto labels = tl::input<"label", std::int64_t, batch, 1>;
#endif

constexpr auto model = [] { return tl::cross_entropy(tl::input<"x", float, batch, 10>, labels); };

int main() { tl::function f{model}; }
