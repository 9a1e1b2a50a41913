// SPDX-License-Identifier: BSL-1.0
// The place of the largest of no elements.
// expect: argmax of a value of the shape [2, 0]: there is no element
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
constexpr int extent = 4;
#else
constexpr int extent = 0;
#endif

constexpr auto place = [] { return tl::argmax<-1>(tl::input<"x", float, 2, extent>); };

int main() { tl::function f{place}; }
