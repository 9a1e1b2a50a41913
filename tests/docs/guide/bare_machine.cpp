// SPDX-License-Identifier: BSL-1.0
// A network that learns where there is nothing: what a controller would do, here on a computer.
#include <tapeless/bare.hpp>

#include <cstdio>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto model = [] {
  auto x = tl::input<"x", float, 4>;
  auto y = tl::input<"y", float, 1>;
  auto p = tl::linear<"fc2", 1>(tl::tanh(tl::linear<"fc1", 8>(x)));
  return tl::outputs(tl::mse_loss(p, y), tl::named<"p">(p));
};

using net_type = decltype(tl::trainer{model, tl::sgd({.learning_rate = 0.05f}), tl::bare{}});
static_assert(sizeof(net_type) <= 1024);  // parameters, states, arena: all of it
static net_type net{model, tl::sgd({.learning_rate = 0.05f}), tl::bare{}};

// One sample, as it comes from a sensor; false where it does not fit the model.
static bool learn(const float (&x)[4], float wanted) {
  const float y[1] = {wanted};
  return net.step("x"_t = x, "y"_t = y).is_valid();
}
static float predict(const float (&x)[4]) { return net.predict("x"_t = x).get<"p">()[0]; }

int main() {
  for (int i = 0; i < 4000; ++i) {
    const float a = static_cast<float>(i % 7) / 7, b = static_cast<float>(i % 5) / 5;
    if (!learn({a, b, a * b, 1}, a - b)) return 1;
  }
  static unsigned char flash[512];
  const long bytes = net.save(flash, sizeof flash);  // a safetensors file
  std::printf("0.6 - 0.2 is about %.2f; %ld bytes are kept\n",
              static_cast<double>(predict({0.6f, 0.2f, 0.12f, 1})), bytes);
  return net.load(flash, static_cast<unsigned long>(bytes)) ? 0 : 1;
}
