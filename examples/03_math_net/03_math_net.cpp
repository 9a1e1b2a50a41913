// SPDX-License-Identifier: BSL-1.0
// 03  A network that adds: two numbers of 4 bits go in, the 5 bits of their sum come out.
//
// Problem   Learn a + b from examples alone. The network is shown bits; nobody tells it about carries.
// Idea      Online learning: one random sum for each step, for ever new ones, until a running accuracy passes
//           0.995.
// Formula   p = sigmoid(W3 relu(W2 relu(W1 bits))),   L = the mean cross entropy of the five bits,
//           accuracy <- 0.999 accuracy + 0.001 (are all five bits right?)
// Here      Each sum is guessed before it is learned, so the running accuracy is honest. The picture shows
//           what is hard: the highest bit, whether the sum is large, comes first; then the lowest, an xor of
//           two inputs. Those in between are the xor of three things, one of them a carry, and come last.
// Try       5 bits; a narrower network; sgd instead of adam; a batch of 32 (fewer steps, but each is dearer).
#include <tapeless/tapeless.hpp>

#include <array>
#include <chrono>
#include <cstdio>
#include <random>
#include <vector>

#include "common/svg.hpp"

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto batch = tl::dyn<"batch">;
constexpr int bits = 4, numbers = 1 << bits;

constexpr auto model = [] {
  auto terms = tl::input<"terms", float, batch, 2 * bits>;
  auto sum = tl::input<"sum", float, batch, bits + 1>;
  auto h = tl::relu(tl::linear<"fc2", 48>(tl::relu(tl::linear<"fc1", 48>(terms))));
  auto logits = tl::linear<"fc3", bits + 1>(h);
  return tl::outputs(tl::bce_with_logits_loss(logits, sum), tl::named<"logits">(logits));
};

// The lowest bit first; a bit that is not set is -1, so that it pulls as hard as one that is.
void put_bits(int number, int count, float zero, float* to) {
  for (int k = 0; k < count; ++k) to[k] = (number >> k & 1) != 0 ? 1.0f : zero;
}

int number_of(const auto& logits) {
  int number = 0;
  for (std::size_t k = 0; k <= bits; ++k) number |= (logits[k] > 0) << k;
  return number;
}

int main() {
  tl::trainer net{model, tl::adam({.learning_rate = 1e-3f}), tl::cpu{}, 1};

  std::mt19937 random{1};
  std::array<float, 2 * bits> terms;
  std::array<float, bits + 1> sum;
  double accuracy = 0, seconds = 0;
  int iterations = 0;
  std::array<double, bits + 1> of_bit;  // the same for each bit
  of_bit.fill(0.5);
  std::vector<double> at;
  std::array<std::vector<double>, bits + 1> curves;
  for (; accuracy <= 0.995 && iterations < 1'000'000; ++iterations) {
    const int a = static_cast<int>(random() % numbers), b = static_cast<int>(random() % numbers);
    put_bits(a, bits, -1, terms.data());
    put_bits(b, bits, -1, &terms[bits]);
    put_bits(a + b, bits + 1, 0, sum.data());
    const auto begin = std::chrono::steady_clock::now();
    const auto guess = net.step("terms"_t = terms, "sum"_t = sum).get<"logits">();  // made before the update
    seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    accuracy += 0.001 * ((number_of(guess) == a + b) - accuracy);
    for (std::size_t k = 0; k <= bits; ++k) {
      of_bit[k] += 0.001 * (((guess[k] > 0) == (sum[k] == 1)) - of_bit[k]);
      if (iterations % 100 == 0) curves[k].push_back(of_bit[k]);
    }
    if (iterations % 100 == 0) at.push_back(iterations / 1000.0);
  }

  int right = 0;
  for (int a = 0; a < numbers; ++a)
    for (int b = 0; b < numbers; ++b) {
      put_bits(a, bits, -1, terms.data());
      put_bits(b, bits, -1, &terms[bits]);
      const int found = number_of(net.predict("terms"_t = terms).get<"logits">());
      right += found == a + b;
      if (b == 15 - a / 2 && a % 4 == 3) std::printf("%2d + %2d = %2d\n", a, b, found);
    }
  std::printf("running accuracy %.4f after %d iterations of %.2f microseconds; %d of 256 sums right\n",
              accuracy, iterations, 1e6 * seconds / iterations, right);

  svg::axes plot({.title = "how often each bit of the sum is right",
                  .x_label = "thousands of iterations",
                  .x = {0, iterations / 1000.0},
                  .y = {0.4, 1.02},
                  .legend = 130,
                  .width = 620});
  const char* const colors[] = {svg::blue, svg::green, svg::purple, svg::red, svg::orange};
  const char* const labels[] = {"bit 0, the lowest", "bit 1", "bit 2", "bit 3", "bit 4, the carry"};
  for (std::size_t k = 0; k <= bits; ++k)
    plot.line(at, curves[k], {.color = colors[k], .width = 2, .label = labels[k]});
  svg::write("03_math_net.svg", {plot});
  return accuracy > 0.995 && right >= 250 ? 0 : 1;
}
