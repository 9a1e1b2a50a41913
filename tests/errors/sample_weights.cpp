// SPDX-License-Identifier: BSL-1.0
// Sample weights that are not one for each sample.
// expect: mse_loss got losses float[batch, 3] and sample weights float[3]: it takes sample weights of the same
// expect: element type, whose axes are the first ones of the losses, each of the same extent or 1
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
constexpr auto weights = tl::input<"w", float, batch>;
#else
constexpr auto weights = tl::input<"w", float, 3>;
#endif

constexpr auto model = [] {
  return tl::mse_loss(tl::input<"x", float, batch, 3>, tl::input<"t", float, batch, 3>,
                      tl::sample_weights(weights));
};

int main() { tl::function f{model}; }
