// SPDX-License-Identifier: BSL-1.0
// Paddings without an axis, of two axes at once, and as in PyTorch.
// both compilers
// lines: 90
// expect: pad: its template arguments are one axis, and how much is put before x and behind it there: tl::pad<-1, 1, 2>(x)
// expect: is put before x and behind it there: tl::pad<-1, 1, 2, tl::padding_mode::reflect>(x)
// reject: no matching
// reject: no match for
// reject: ambiguous
// reject: decompose
// reject: has no member
#include <tapeless/expr/input.hpp>
#include <tapeless/operations.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto x = tl::input<"x", float, 8, 8>;
#ifdef CORRECTED
  return tl::pad<-1, 2, 0>(x);
#else
  return tl::sum(tl::pad<2, 0>(x)) + tl::sum(tl::pad<2>(x)) + tl::sum(tl::pad<1, 1, 1, 1>(x)) +
         tl::sum(tl::pad(x, 1, 2, 0)) + tl::sum(tl::pad(x, {1, 1, 2, 2})) +
         tl::sum(tl::pad<1, 1, tl::padding_mode::reflect>(x));
#endif
};

int main() { model(); }
