// SPDX-License-Identifier: BSL-1.0
// Class weights of a wrong length.
// expect: cross_entropy got logits float[batch, 10] and class weights float[9]: it takes class weights of
// expect: the same element type, one for each class
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
constexpr int weights = 10;
#else
constexpr int weights = 9;
#endif

constexpr auto model = [] {
  return tl::cross_entropy(tl::input<"x", float, batch, 10>, tl::input<"label", int, batch>,
                           tl::input<"w", float, weights>);
};

int main() { tl::function f{model}; }
