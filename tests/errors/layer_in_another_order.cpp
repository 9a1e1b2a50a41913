// SPDX-License-Identifier: BSL-1.0
// A layer's template arguments in another order, and one that is left out.
// lines: 40
// first: a layer has template arguments in this order, its name first: tl::lstm<"lstm", 64>(x)
// expect: a layer has template arguments in this order, its name first: tl::lstm<"lstm", 64>(x)
// expect: a layer has template arguments in this order, its name first: tl::embedding<"words", 1000, 64>(index)
// reject: no match
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto word = tl::input<"index", int, 8, 4>;
#ifdef CORRECTED
constexpr auto y = tl::lstm<"lstm", 64>(tl::embedding<"words", 100, 16>(word));
#else
constexpr auto x = tl::input<"x", float, 8, 4, 2>;
constexpr auto y = tl::lstm<64, "lstm">(x);
constexpr auto z = tl::embedding<"words">(word);
#endif
