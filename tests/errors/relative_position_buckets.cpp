// SPDX-License-Identifier: BSL-1.0
// Relative positions with a number of buckets that cannot be halved twice.
// expect: relative_position_bias takes a max_distance of 1 or more; with logarithmic distances a multiple of
// expect: 4 buckets, and a max_distance above half of it; but got 30 buckets and a max_distance of 128
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
constexpr int buckets = 30;
#endif

constexpr auto model = [] {
  auto q = tl::input<"q", float, 6, 8>;
  return tl::relative_position_bias<"bias", 2, tl::relative_positions{.buckets = buckets}>(q, q);
};

int main() { tl::function f{model}; }
