// SPDX-License-Identifier: BSL-1.0
// Results of recurrent layers without their size.
// both compilers
// lines: 60
// expect: a layer has template arguments in this order, its name first: tl::lstm<"lstm", 64>(x)
// expect: a layer has template arguments in this order, its name first: tl::gru<"gru", 64>(x)
// expect: a layer has template arguments in this order, its name first: tl::rnn<"rnn", 64>(x)
// expect: a layer has template arguments in this order, its name first: tl::lstm_cell<"cell", 64>(x, h, c)
// reject: no matching
// reject: no match for
// reject: cannot decompose
// reject: cannot be decomposed
// reject: has no member
#include <tapeless/expr/input.hpp>
#include <tapeless/operations.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto s = tl::input<"s", float, 5, 2, 3>;
  auto x = tl::input<"x", float, 2, 3>;
#ifdef CORRECTED
  auto y = std::get<0>(tl::lstm<"l", 4>(s));
  auto [z, h] = tl::gru<"g", 4>(s);
  auto r = std::get<1>(tl::rnn<"r", 4>(s));
  auto [next, c] = tl::lstm_cell<"c", 4>(x, tl::zeros<float, 2, 4>(), tl::zeros<float, 2, 4>());
#else
  auto y = std::get<0>(tl::lstm<"l">(s));
  auto [z, h] = tl::gru<"g">(s);
  auto r = std::get<1>(tl::rnn<"r">(s));
  auto [next, c] = tl::lstm_cell<"c">(x, tl::zeros<float, 2, 4>(), tl::zeros<float, 2, 4>());
#endif
  return tl::sum(y) + tl::sum(z) + tl::sum(h) + tl::sum(r) + tl::sum(next) + tl::sum(c);
};

int main() { model(); }
