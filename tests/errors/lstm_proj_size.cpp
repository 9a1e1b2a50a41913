// SPDX-License-Identifier: BSL-1.0
// An LSTM whose projection is not narrower than its features, and a GRU with a projection.
// expect: lstm: proj_size is below the number of hidden features, or 0 for none, but got 5 of 5
// expect: proj_size is an option of lstm, and of gru it is not
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
constexpr tl::recurrent of_lstm{.proj_size = 4}, of_gru{};
#else
constexpr tl::recurrent of_lstm{.proj_size = 5}, of_gru{.proj_size = 4};
#endif

constexpr auto model = [] {
  auto x = tl::input<"x", float, tl::dyn<"time">, 2, 3>;
  auto [y, h, c] = tl::lstm<"lstm", 5, of_lstm>(x);
  auto [u, last] = tl::gru<"gru", 5, of_gru>(x);
  return tl::outputs(tl::named<"y">(y), tl::named<"u">(u));
};

int main() { tl::function f{model}; }
