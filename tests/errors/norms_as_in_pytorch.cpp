// SPDX-License-Identifier: BSL-1.0
// Normalizations with a number of channels or features where eps stands, and without groups.
// both compilers
// expect: group_norm: its number of groups stands before eps: tl::group_norm<"gn", 4, 1e-6>(x)
// expect: group_norm: channels and features are those of x, and are not given: tl::group_norm<"gn", 4>(x),
// expect: instance_norm: channels and features are those of x, and are not given: tl::instance_norm<"in">(x),
// expect: rms_norm: channels and features are those of x, and are not given: tl::rms_norm<"norm">(x), or
// expect: layer_norm of a value of the shape [2, 8, 4]: it takes a floating value of at least 64 axes; the number counts axes, not features: tl::layer_norm<"ln", 1e-6>(x)
// reject: no match
// reject: ambiguous
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto x = tl::input<"x", float, 2, 8, 4>;
#ifdef CORRECTED
constexpr auto a = tl::group_norm<"a", 4, 1e-6>(x);
constexpr auto b = tl::group_norm<"b", 4>(x);
constexpr auto c = tl::instance_norm<"c", 1e-6>(x);
constexpr auto d = tl::rms_norm<"d", 1e-6>(x);
constexpr auto e = tl::layer_norm<"e", 1e-6>(x);
#else
constexpr auto a = tl::group_norm<"a", 1e-6>(x);
constexpr auto b = tl::group_norm<"b", 4, 8>(x);
constexpr auto c = tl::instance_norm<"c", 8>(x);
constexpr auto d = tl::rms_norm<"d", 4>(x);
constexpr auto e = tl::group_norm<"e", 4, 8, 1e-6>(x);
constexpr auto model = [] { return tl::layer_norm<"f", 64>(x); };
tl::function f{model};
#endif
