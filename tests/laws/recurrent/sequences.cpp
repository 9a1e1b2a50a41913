// SPDX-License-Identifier: BSL-1.0
// The laws for recurrent networks over sequences.
#include "laws/laws.hpp"

using laws::part;

// x [2, 1, 2], the states [1, 2], then weights and biases
TAPELESS_LAW(rnn, 18, 4, -1, 1, [&] {
  auto [y, h] = tl::rnn(part<0, 2, 1, 2>(z), part<4, 1, 2>(z), part<6, 2, 2>(z), part<10, 2, 2>(z),
                        part<14, 2>(z), part<16, 2>(z));
  return y;
}())
TAPELESS_LAW(gru, 30, 6, -1, 1, [&] {
  auto [y, h] = tl::gru(part<0, 2, 1, 2>(z), part<4, 1, 2>(z), part<6, 6, 2>(z), part<18, 6, 2>(z));
  return tl::concat<0>(tl::reshape<4>(y), tl::reshape<2>(h));
}())
TAPELESS_LAW(lstm, 56, 6, -1, 1, [&] {
  auto [y, h, c] = tl::lstm(part<0, 2, 1, 2>(z), part<4, 1, 2>(z), part<6, 1, 2>(z), part<8, 8, 2>(z),
                            part<24, 8, 2>(z), part<40, 8>(z), part<48, 8>(z));
  return tl::concat<0>(tl::reshape<4>(y), tl::reshape<2>(c));
}())
// h of width 1, c of width 2
TAPELESS_LAW(lstm_projected, 33, 4, -1, 1, [&] {
  auto [y, h, c] = tl::lstm(part<0, 2, 1, 1>(z), part<2, 1, 1>(z), part<3, 1, 2>(z), part<5, 8, 1>(z),
                            part<13, 8, 1>(z), part<5, 8>(z), part<23, 8>(z), part<31, 1, 2>(z));
  return tl::concat<0>(tl::reshape<2>(y), tl::reshape<2>(c));
}())
