// SPDX-License-Identifier: BSL-1.0
// Gated linear units of an odd number of features, and with an axis as an argument.
// expect: glu of a value of the shape [8, 5]: it takes floating elements and an even extent along axis -1
// expect: swiglu of a value of the shape [8, 5]: it takes floating elements and an even extent along axis 1
// expect: geglu of a value of the shape [8, 5]: it takes floating elements and an even extent along axis -1
// expect: axes, extents and shares are template arguments, since they are known while compiling
// reject: no matching function
// reject: no match for
// reject: no type named
// reject: no member named
// reject: has no member
#include <tapeless/expr/input.hpp>
#include <tapeless/operations.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
#ifdef CORRECTED
  auto x = tl::input<"x", float, 8, 6>;
#else
  auto x = tl::input<"x", float, 8, 5>;
  tl::glu(x, 1);
  tl::swiglu(x, 1);
  tl::geglu(x, 1);
#endif
  tl::swiglu<1>(x);
  tl::geglu(x);
  return tl::glu(x);
};

int main() { model(); }
