// SPDX-License-Identifier: BSL-1.0
// The laws for the cells of recurrent networks.
#include "laws/laws.hpp"

using laws::part;

// x [2, 3], h [2, 2], then weights and biases
TAPELESS_LAW(rnn_cell, 24, 4, -1, 1,
             tl::rnn_cell(part<0, 2, 3>(z), part<6, 2, 2>(z), part<10, 2, 3>(z), part<16, 2, 2>(z),
                          part<20, 2>(z), part<22, 2>(z)))
TAPELESS_LAW(gru_cell, 52, 4, -1, 1,
             tl::gru_cell(part<0, 2, 3>(z), part<6, 2, 2>(z), part<10, 6, 3>(z), part<28, 6, 2>(z),
                          part<40, 6>(z), part<46, 6>(z)))
TAPELESS_LAW(lstm_cell, 70, 8, -1, 1, [&] {
  auto [h, c] = tl::lstm_cell(part<0, 2, 3>(z), part<6, 2, 2>(z), part<10, 2, 2>(z), part<14, 8, 3>(z),
                              part<38, 8, 2>(z), part<54, 8>(z), part<62, 8>(z));
  return tl::concat<1>(h, c);
}())
