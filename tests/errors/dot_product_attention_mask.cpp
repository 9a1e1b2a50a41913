// SPDX-License-Identifier: BSL-1.0
// A mask of integers.
// expect: scaled_dot_product_attention got queries float[5, 3], keys float[4, 3] and a mask
// expect: std::int32_t[5, 4]: it takes a mask of booleans (true: may attend) or of the type of the queries
// expect: (added to the scores) that broadcasts to [.., queries, keys]
// reject: no matching function
// reject: no match for
// reject: no type named
// reject: no member named
// reject: has no member
#include <tapeless/expr/input.hpp>
#include <tapeless/ops/ops.hpp>
#include <tapeless/train/trainer/function.hpp>

namespace tl = tapeless;

#ifdef CORRECTED
using type = bool;
#else
using type = int;
#endif

constexpr auto model = [] {
  return tl::scaled_dot_product_attention(tl::input<"q", float, 5, 3>, tl::input<"k", float, 4, 3>,
                                          tl::input<"v", float, 4, 3>, tl::input<"mask", type, 5, 4>);
};

int main() { tl::function f{model}; }
