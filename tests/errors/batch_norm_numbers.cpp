// SPDX-License-Identifier: BSL-1.0
// eps and momentum without names, of which PyTorch has eps first, and a number of channels.
// both compilers
// lines: 40
// expect: a layer has template arguments in this order, its name first: tl::batch_norm<"bn1",
// expect: tl::batch_norm_options{.eps = 1e-5, .momentum = 0.1}>(x)
// reject: no match
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto x = tl::input<"x", float, 8, 4, 2>;
#ifdef CORRECTED
constexpr auto y = tl::batch_norm<"bn", tl::batch_norm_options{.eps = 1e-3, .momentum = 0.01}>(x);
#else
constexpr auto y = tl::batch_norm<"bn", 1e-3, 0.01>(x);
constexpr auto z = tl::batch_norm<"bn", 4>(x);
#endif
