// SPDX-License-Identifier: BSL-1.0
// Training steps of one sample on tl::bare, on tl::cpu and by hand with Eigen's matrices of fixed
// sizes: an LSTM of 32 units over 20 steps, and two convolutions with poolings and a linear layer, both with
// Adam. They take turns.
//
// Usage: small_networks [ROUNDS]. Prints medians of the processor's time.
#include <cstdint>
#include <cstdlib>
#include <tapeless/bare.hpp>
#include <tapeless/tapeless.hpp>
#include <vector>

#include "hand_written_conv_net.hpp"
#include "hand_written_lstm.hpp"
#include "turns.hpp"

namespace tl = tapeless;
using namespace tl::literals;

namespace {

constexpr auto lstm_model = [] {
  auto x = tl::input<"x", float, 20, 1, 8>;
  auto y = tl::input<"y", float, 1, 1>;
  auto [states, last, cell] = tl::lstm<"a", 32>(x);
  return tl::mean(tl::square(tl::linear<"b", 1>(tl::reshape<1, 32>(last)) - y));
};
constexpr auto conv_net_model = [] {
  auto x = tl::input<"x", float, 1, 1, 28, 28>;
  auto y = tl::input<"y", std::int32_t, 1>;
  constexpr tl::conv c{.kernel = 3, .padding = 1};
  auto a = tl::max_pool2d<tl::pool{.kernel = 2}>(tl::relu(tl::conv2d<"a", 8, c>(x)));
  auto b = tl::max_pool2d<tl::pool{.kernel = 2}>(tl::relu(tl::conv2d<"b", 16, c>(a)));
  return tl::cross_entropy(tl::linear<"c", 10>(tl::flatten(b)), y);
};

// Numbers that make values of a usual size.
std::vector<float> random(std::size_t count) {
  std::vector<float> all(count);
  for (float& one : all)
    one = 0.35f * (static_cast<float>(std::rand()) / static_cast<float>(RAND_MAX) - 0.5f);
  return all;
}

void compare_lstm(int rounds) {
  static by_hand::lstm<1> hand;
  hand.set(random(128 * 8), random(128 * 32), random(128), random(128), random(32), random(1));
  static tl::trainer bare{lstm_model, tl::adam({.learning_rate = 1e-3f}), tl::bare{}};
  static tl::trainer usual{lstm_model, tl::adam({.learning_rate = 1e-3f}), tl::cpu{}};
  const std::vector<float> numbers = random(160);
  const auto& x = *reinterpret_cast<const float(*)[160]>(numbers.data());
  const float y[2][1] = {{0.5f}, {-0.5f}};
  benchmark::take_turns(
      "lstm", 1, rounds, 300, [&](int k) { return hand.step(x, y[k]); },
      benchmark::program{"tl::bare", [&](int k) { return bare.step("x"_t = x, "y"_t = y[k]).loss(); }},
      benchmark::program{"tl::cpu", [&](int k) { return usual.step("x"_t = x, "y"_t = y[k]).loss(); }});
}
void compare_conv_net(int rounds) {
  static by_hand::conv_net hand(1);
  const std::vector<float> parameters[] = {random(72), random(8),    random(1152),
                                           random(16), random(7840), random(10)};
  hand.set({parameters[0], parameters[1], parameters[2], parameters[3], parameters[4], parameters[5]});
  static tl::trainer bare{conv_net_model, tl::adam({.learning_rate = 1e-3f}), tl::bare{}};
  static tl::trainer usual{conv_net_model, tl::adam({.learning_rate = 1e-3f}), tl::cpu{}};
  const std::vector<float> image = random(784);
  const auto& x = *reinterpret_cast<const float(*)[784]>(image.data());
  const std::int32_t y[2][1] = {{3}, {7}};
  benchmark::take_turns(
      "conv net", 1, rounds, 100, [&](int k) { return hand.step(x, y[k]); },
      benchmark::program{"tl::bare", [&](int k) { return bare.step("x"_t = x, "y"_t = y[k]).loss(); }},
      benchmark::program{"tl::cpu", [&](int k) { return usual.step("x"_t = x, "y"_t = y[k]).loss(); }});
}

}  // namespace

int main(int count, char** arguments) {
  const int rounds = count > 1 ? std::atoi(arguments[1]) : 50;
  compare_lstm(rounds);
  compare_conv_net(rounds);
}
