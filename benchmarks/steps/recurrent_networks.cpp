// SPDX-License-Identifier: BSL-1.0
// An LSTM of 32 units over 20 steps with Adam.
#include "row.hpp"

namespace steps {

namespace {

template <int Batch>
constexpr auto network = [] {
  auto x = tl::input<"x", float, 20, Batch, 8>;
  auto target = tl::input<"y", float, Batch, 1>;
  auto [y, h, c] = tl::lstm<"l", 32>(x);
  return tl::mean(tl::square(tl::linear<"o", 1>(tl::reshape<Batch, 32>(h)) - target));
};

template <int Batch>
row network_row() {
  return row_of(
      "lstm/" + std::to_string(Batch), 6.0 * 20 * Batch * 128 * 40,
      [] { return inputs{.x = inputs::numbers(20 * Batch * 8, 1), .y = inputs::numbers(Batch, 2)}; },
      [](int threads) { return tl::trainer{network<Batch>, tl::adam({}), tl::cpu{.threads = threads}}; },
      [](auto& net, const inputs& in) { return net.step("x"_t = in.x, "y"_t = in.y).loss(); });
}

}  // namespace

void add_recurrent_networks(std::vector<row>& rows) {
  rows.push_back(network_row<1>());
  rows.push_back(network_row<32>());
}

}  // namespace steps
