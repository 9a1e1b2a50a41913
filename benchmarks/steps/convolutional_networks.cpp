// SPDX-License-Identifier: BSL-1.0
// A small network of convolutions and poolings with Adam; and one
// convolution of 64 channels, forward and backward.
#include "row.hpp"

namespace steps {

namespace {

constexpr auto batch = tl::dyn<"batch">;
constexpr tl::conv padded{.kernel = 3, .padding = 1};
constexpr auto network = [] {
  auto x = tl::input<"x", float, batch, 1, 28, 28>;
  auto y = tl::input<"y", std::int32_t, batch>;
  auto a = tl::max_pool2d<tl::pool{.kernel = 2}>(tl::relu(tl::conv2d<"c1", 8, padded>(x)));
  auto b = tl::max_pool2d<tl::pool{.kernel = 2}>(tl::relu(tl::conv2d<"c2", 16, padded>(a)));
  return tl::cross_entropy(tl::linear<"fc", 10>(tl::flatten(b)), y);
};

// The images are a parameter, so that they get a gradient, too.
constexpr auto convolution = [] {
  constexpr tl::conv without_bias{.kernel = 3, .padding = 1, .bias = false};
  auto x = tl::param<"x", float, 32, 64, 32, 32>(tl::normal(1.0));
  auto t = tl::input<"t", float, 32, 64, 32, 32>;
  return tl::mean(tl::conv2d<"c", 64, without_bias>(x) * t);
};

row network_row(int size) {
  const auto n = static_cast<std::size_t>(size);
  const double products = 784.0 * 9 * 8 + 196.0 * 72 * 16 + 784.0 * 10;
  return row_of(
      "conv-net/" + std::to_string(size), 2 * size * (3 * products - 784.0 * 9 * 8),
      [=] { return inputs{.x = inputs::numbers(n * 784, 1), .labels = inputs::classes(n, 10, 2)}; },
      [](int threads) { return tl::trainer{network, tl::adam({}), tl::cpu{.threads = threads}}; },
      [](auto& net, const inputs& in) { return net.step("x"_t = in.x, "y"_t = in.labels).loss(); });
}

}  // namespace

void add_convolutional_networks(std::vector<row>& rows) {
  for (int size : {1, 32, 500}) rows.push_back(network_row(size));
  rows.push_back(row_of(
      "conv-64-64/32", 3 * 2.0 * 32 * 64 * 64 * 9 * 1024,
      [] { return inputs{.x = inputs::numbers(32 * 64 * 1024, 1)}; },
      [](int threads) {
        return tl::trainer{convolution, tl::sgd({.learning_rate = 1e-3f}), tl::cpu{.threads = threads}};
      },
      [](auto& net, const inputs& in) { return net.step("t"_t = in.x).loss(); }));
}

}  // namespace steps
