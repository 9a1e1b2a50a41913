// SPDX-License-Identifier: BSL-1.0
// One name for a parameter that starts in two ways.
// expect: the name \"w\" is used twice, for param float[2] and for param float[2] with another initializer
// reject: no matching function
// reject: no match for
// reject: no type named
// reject: no member named
// reject: has no member
#include <tapeless/expr/param.hpp>
#include <tapeless/ops/ops.hpp>
#include <tapeless/train/trainer/function.hpp>

namespace tl = tapeless;

#ifdef CORRECTED
constexpr auto start = tl::fill(0);
#else
constexpr auto start = tl::fill(1);
#endif

constexpr auto model = [] { return tl::param<"w", float, 2> * tl::param<"w", float, 2>(start); };

int main() { tl::function f{model}; }
