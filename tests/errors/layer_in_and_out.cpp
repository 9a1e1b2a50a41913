// SPDX-License-Identifier: BSL-1.0
// Layers with the numbers of inputs and of outputs, where one output reads like "with a bias".
// both compilers
// lines: 80
// first: its name first: tl::linear<"fc1", 10>(x)
// expect: its name first: tl::linear<"fc1", 10>(x), for 10 outputs; x has the inputs
// expect: its name first: tl::gru_cell<"cell", 64>(x, h)
// expect: its name first: tl::lstm_cell<"cell", 64>(x, h, c)
// expect: its name first: tl::rnn_cell<"cell", 64>(x, h)
// expect: its name first: tl::bilinear<"mix", 10>(a, b)
// reject: no match
#include <tapeless/ops/linalg/bilinear.hpp>
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto x = tl::input<"x", float, 8, 16>;
#ifdef CORRECTED
constexpr auto y = tl::linear<"fc2", 1>(x);
constexpr auto z = tl::gru_cell<"cell", 16, false>(x, x);
constexpr auto u = tl::lstm_cell<"lstm", 16, false>(x, x, x);
constexpr auto v = tl::rnn_cell<"rnn", 16, tl::nonlinearity::tanh, false>(x, x);
constexpr auto w = tl::bilinear<"mix", 16, false>(x, x);
#else
constexpr auto y = tl::linear<"fc2", 16, 1>(x);
constexpr auto z = tl::gru_cell<"cell", 16, 1>(x, x);
constexpr auto u = tl::lstm_cell<"lstm", 16, 1>(x, x, x);
constexpr auto v = tl::rnn_cell<"rnn", 16, tl::nonlinearity::tanh, 1>(x, x);
constexpr auto w = tl::bilinear<"mix", 16, 1>(x, x);
#endif
