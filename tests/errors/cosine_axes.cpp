// SPDX-License-Identifier: BSL-1.0
// Vectors of different lengths.
// expect: cosine_similarity got a float[batch, 3] and b float[batch, 4]: it takes two of one floating type
// expect: whose shapes broadcast, with the vectors along an axis that both have
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
constexpr int features = 3;
#else
constexpr int features = 4;
#endif

constexpr auto model = [] {
  return tl::cosine_similarity(tl::input<"x", float, batch, 3>, tl::input<"y", float, batch, features>);
};

int main() { tl::function f{model}; }
