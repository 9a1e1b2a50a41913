// SPDX-License-Identifier: BSL-1.0
// Networks as small as a control loop: 2-16-1 and linear regression with SGD, 4-64-64-2 with Adam. Their
// steps by hand are small_steps.cpp's, beside tl::bare.
#include "row.hpp"

namespace steps {

namespace {

template <int Batch>
constexpr auto mlp = [] {
  auto x = tl::input<"x", float, Batch, 2>;
  auto y = tl::input<"y", float, Batch, 1>;
  return tl::mean(tl::square(tl::linear<"b", 1>(tl::tanh(tl::linear<"a", 16>(x))) - y));
};
template <int Batch>
constexpr auto controller = [] {
  auto x = tl::input<"x", float, Batch, 4>;
  auto y = tl::input<"y", float, Batch, 2>;
  auto h = tl::tanh(tl::linear<"b", 64>(tl::tanh(tl::linear<"a", 64>(x))));
  return tl::mean(tl::square(tl::linear<"c", 2>(h) - y));
};
template <int Batch>
constexpr auto regression = [] {
  auto x = tl::input<"x", float, Batch, 8>;
  auto y = tl::input<"y", float, Batch, 1>;
  return tl::mean(tl::square(tl::linear<"a", 1>(x) - y));
};

template <class Make>
row small_row(const std::string& name, std::size_t in, std::size_t out, int weights, int size, Make make) {
  const auto n = static_cast<std::size_t>(size);
  return row_of(
      name + "/" + std::to_string(size), 6.0 * size * weights,
      [=] { return inputs{.x = inputs::numbers(n * in, 1), .y = inputs::numbers(n * out, 2)}; }, make,
      [](auto& net, const inputs& given) { return net.step("x"_t = given.x, "y"_t = given.y).loss(); });
}

template <int Batch>
void add_with_batch(std::vector<row>& rows) {
  rows.push_back(small_row("2-16-1", 2, 1, 48, Batch, [](int threads) {
    return tl::trainer{mlp<Batch>, tl::sgd({.learning_rate = 0.01f}), tl::cpu{.threads = threads}};
  }));
  rows.push_back(small_row("4-64-64-2", 4, 2, 4480, Batch, [](int threads) {
    return tl::trainer{controller<Batch>, tl::adam({}), tl::cpu{.threads = threads}};
  }));
  rows.push_back(small_row("8-1", 8, 1, 8, Batch, [](int threads) {
    return tl::trainer{regression<Batch>, tl::sgd({.learning_rate = 0.01f}), tl::cpu{.threads = threads}};
  }));
}

}  // namespace

void add_small_networks(std::vector<row>& rows) {
  add_with_batch<1>(rows);
  add_with_batch<32>(rows);
}

}  // namespace steps
