// SPDX-License-Identifier: BSL-1.0
// Options that are numbers, types and words in other places.
// both compilers
// expect: interpolate: numbers are options: tl::interpolate<tl::resize{.scale_factor = 2}>(x)
// expect: one_hot: the number of classes stands before the type: tl::one_hot<4, float>(index)
// expect: tapeless: a padding in words is tl::padding_size::same or tl::padding_size::valid
// reject: no match
// reject: ambiguous
#include <tapeless/operations.hpp>
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto x = tl::input<"x", float, 2, 3, 8, 8>;
constexpr auto classes = tl::input<"classes", int, 8>;
#ifdef CORRECTED
constexpr auto a = tl::interpolate<tl::resize{.scale_factor = 2}>(x);
constexpr auto b = tl::one_hot<4, float>(classes);
constexpr tl::conv c{.kernel = 3, .padding = tl::padding_size::same};
#else
constexpr auto a = tl::interpolate<2>(x);
constexpr auto b = tl::one_hot<float, 4>(classes);
constexpr tl::conv c{.kernel = 3, .padding = "same"};
#endif
