// SPDX-License-Identifier: BSL-1.0
// An LSTM whose memory is of another batch.
// expect: lstm_cell got x float[3, 4], h float[3, 5], c float[2, 5], weights float[20, 4] and float[20,
// expect: 5], biases float[20] and float[20]: it takes x [.., in], h and c [.., hidden], weights [4
// expect: hidden, in] and [4 hidden, hidden] and two biases [4 hidden] of one floating type
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
constexpr int batch = 3;
#else
constexpr int batch = 2;
#endif

constexpr auto model = [] {
  auto [h, c] = tl::lstm_cell<"lstm", 5>(tl::input<"x", float, 3, 4>, tl::input<"h", float, 3, 5>,
                                         tl::input<"c", float, batch, 5>);
  return h;
};

int main() { tl::function f{model}; }
