// SPDX-License-Identifier: BSL-1.0
// A reduction over an axis that is not there.
// expect: sum<2> of a value of the shape [batch, 6], which has no such axis
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
constexpr int axis = -2;
#else
constexpr int axis = 2;
#endif

constexpr auto model = [] { return tl::sum<axis>(tl::input<"x", float, tl::dyn<"batch">, 6>); };

int main() { tl::function f{model}; }
