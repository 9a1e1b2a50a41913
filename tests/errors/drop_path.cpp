// SPDX-License-Identifier: BSL-1.0
// Integers, a scalar, a probability as an argument, one above 1, and none.
// expect: drop_path of a value of the shape [8, 3]: it takes floating [batch, ..]
// expect: drop_path of a value of the shape []: it takes floating [batch, ..]
// expect: drop_path takes a probability from 0 to 1, but got 1.5
// expect: axes, extents and shares are template arguments, since they are known while compiling
// expect: drop_path: its probability is a template argument: tl::drop_path<0.1>(x)
// reject: no matching function
// reject: no match for
// reject: no type named
// reject: no member named
// reject: has no member
#include <tapeless/expr/input.hpp>
#include <tapeless/operations.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto x = tl::input<"x", float, 8, 3>;
#ifndef CORRECTED
  tl::drop_path<0.1>(tl::input<"i", int, 8, 3>);
  tl::drop_path<0.1>(tl::sum(x));
  tl::drop_path<1.5>(x);
  tl::drop_path(x, 0.1);
  tl::drop_path(x);
  tl::drop_path<"second">(x);
#endif
  return tl::drop_path<0.1>(x) + tl::drop_path<"second", 0.1>(x);
};

int main() { model(); }
