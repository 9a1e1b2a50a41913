// SPDX-License-Identifier: BSL-1.0
// More keys than values.
// expect: attention<\"attn\"> got keys float[2, 7, 3] and values float[2, 6, 4]: it takes [.., keys, width] and
// expect: [.., keys, any], whose leading axes are those of x and whose widths are integers
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
constexpr int values = 7;
#else
constexpr int values = 6;
#endif

constexpr auto model = [] {
  auto x = tl::input<"x", float, 2, 5, 6>;
  return tl::attention<"attn">(x, tl::input<"k", float, 2, 7, 3>, tl::input<"v", float, 2, values, 4>);
};

int main() { tl::function f{model}; }
