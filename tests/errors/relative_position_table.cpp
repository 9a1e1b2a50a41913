// SPDX-License-Identifier: BSL-1.0
// A table of relative positions with another number of rows than there are buckets.
// expect: relative_position_bias got a table float[16, 2], queries float[6, 8] and keys float[6, 8]: it takes a
// expect: floating table [32, heads], queries and keys [.., length, width]
// reject: no matching function
// reject: no match for
// reject: no type named
// reject: no member named
// reject: has no member
#include <tapeless/expr/input.hpp>
#include <tapeless/operations.hpp>
#include <tapeless/train/trainer/function.hpp>

namespace tl = tapeless;

#ifdef CORRECTED
constexpr int buckets = 32;
#else
constexpr int buckets = 16;
#endif

constexpr auto model = [] {
  auto q = tl::input<"q", float, 6, 8>;
  return tl::relative_position_bias(tl::input<"table", float, buckets, 2>, q, q);
};

int main() { tl::function f{model}; }
