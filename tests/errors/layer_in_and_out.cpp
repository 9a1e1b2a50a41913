// SPDX-License-Identifier: BSL-1.0
// Layers with the numbers of inputs and of outputs, where one output reads like "with a bias".
// both compilers
// lines: 40
// first: its name first: tl::linear<"fc1", 10>(x)
// expect: its name first: tl::linear<"fc1", 10>(x), for 10 outputs; x has the inputs
// expect: its name first: tl::gru_cell<"cell", 64>(x, h)
// reject: no match
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto x = tl::input<"x", float, 8, 16>;
#ifdef CORRECTED
constexpr auto y = tl::linear<"fc2", 1>(x);
constexpr auto z = tl::gru_cell<"cell", 16, false>(x, x);
#else
constexpr auto y = tl::linear<"fc2", 16, 1>(x);
constexpr auto z = tl::gru_cell<"cell", 16, 1>(x, x);
#endif
