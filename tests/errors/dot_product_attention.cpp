// SPDX-License-Identifier: BSL-1.0
// Values of another number of keys.
// expect: scaled_dot_product_attention got queries float[2, 5, 3], keys float[2, 4, 3] and values
// expect: float[2, 5, 3]: it takes [.., queries, width], [.., keys, width] and [.., keys, any] of one
// expect: floating type, whose leading axes broadcast
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
constexpr int keys = 5;
#else
constexpr int keys = 4;
#endif

constexpr auto model = [] {
  return tl::scaled_dot_product_attention(tl::input<"q", float, 2, 5, 3>, tl::input<"k", float, 2, keys, 3>,
                                          tl::input<"v", float, 2, 5, 3>);
};

int main() { tl::function f{model}; }
