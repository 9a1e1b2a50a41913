// SPDX-License-Identifier: BSL-1.0
// What docs/guide/bare_machines.md says of computing with trained weights.
#include <tapeless/bare.hpp>
#include <tapeless/bytes.hpp>
#include <tapeless/tapeless.hpp>

#include <cstdio>
#include <vector>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto difference = [] {
  auto x = tl::input<"x", float, 4>;
  return tl::outputs(tl::named<"p">(tl::linear<"fc2", 1>(tl::tanh(tl::linear<"fc1", 8>(x)))));
};

// On the large machine: weights of some training, as an array in a header of the device's program.
static void write_weights() {
  tl::function trained{difference, tl::cpu{}, 7};
  tl::save_array(trained, "weights.hpp", "weights");
}

// What that header has.
alignas(64) static unsigned char weights[512];
static void read_header() {
  tl::function trained{difference, tl::cpu{}, 7};
  std::size_t i = 0;
  for (const std::byte b : tl::save_bytes(trained)) weights[i++] = static_cast<unsigned char>(b);
}

// On the device.
static float predict(const float (&x)[4]) {
  static tl::function f{difference, tl::weights(weights), tl::bare{}};
  static_assert(sizeof f <= 128);  // the arena, and where the weights are
  return f("x"_t = x).get<"p">()[0];
}

int main() {
  write_weights();
  read_header();
  const std::vector<float> x{0.6f, 0.2f, 0.12f, 1};
  const float wanted = tl::function{difference, tl::cpu{}, 7}("x"_t = x).get<"p">()[0];
  const float given = predict({0.6f, 0.2f, 0.12f, 1});
  std::printf("%.4f on the large machine, %.4f on the device\n", static_cast<double>(wanted),
              static_cast<double>(given));
  std::remove("weights.hpp");
  return wanted - given < 1e-5f && given - wanted < 1e-5f ? 0 : 1;
}
