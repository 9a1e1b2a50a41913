// SPDX-License-Identifier: BSL-1.0
// Networks on tl::bare whose flash and memory sizes.cmake measures: -DNETWORK=0 to 4. A few steps on a board.
#include <tapeless/bare.hpp>

#include <tapeless/ops/norm.hpp>
#include <tapeless/ops/recurrent.hpp>
#include <tapeless/ops/spatial.hpp>

namespace tl = tapeless;
using namespace tl::literals;

#if NETWORK == 0  // 2-16-1
constexpr int inputs = 2, outputs = 1;
constexpr auto model = [] {
  auto x = tl::input<"x", float, 2>;
  auto y = tl::input<"y", float, 1>;
  auto p = tl::linear<"fc2", 1>(tl::tanh(tl::linear<"fc1", 16>(x)));
  return tl::outputs(tl::mse_loss(p, y), tl::named<"p">(p));
};
#define RULE tl::sgd({.learning_rate = 0.05f})
#elif NETWORK == 1  // 4-64-64-2 with Adam
constexpr int inputs = 4, outputs = 2;
constexpr auto model = [] {
  auto x = tl::input<"x", float, 4>;
  auto y = tl::input<"y", float, 2>;
  auto h = tl::relu(tl::linear<"fc2", 64>(tl::relu(tl::linear<"fc1", 64>(x))));
  auto p = tl::linear<"fc3", 2>(h);
  return tl::outputs(tl::mse_loss(p, y), tl::named<"p">(p));
};
#define RULE tl::adam({.learning_rate = 1e-3f})
#elif NETWORK == 2  // keywords: 49 frames of 10 coefficients, depthwise separable convolutions of 64 channels
constexpr int inputs = 490, outputs = 12;
template <tl::name Name>
constexpr auto separable(tl::expression auto x) {
  constexpr tl::conv depthwise{.kernel = 3, .padding = 1, .groups = 64};
  auto h = tl::relu(tl::conv2d<Name + ".depthwise", 64, depthwise>(x));
  return tl::relu(tl::conv2d<Name + ".pointwise", 64, tl::conv{.kernel = 1}>(h));
}
constexpr auto model = [] {
  auto x = tl::input<"x", float, 1, 1, 49, 10>;
  auto y = tl::input<"y", float, 1, 12>;
  auto h = tl::relu(tl::conv2d<"stem", 64, tl::conv{.kernel = {10, 4}, .stride = 2, .padding = {4, 1}}>(x));
  auto top = separable<"4">(separable<"3">(separable<"2">(separable<"1">(h))));
  auto p = tl::linear<"head", 12>(tl::mean<2, 3>(top));
  return tl::outputs(tl::cross_entropy(p, y), tl::named<"p">(p));
};
#define RULE tl::sgd({.learning_rate = 0.01f})
#elif NETWORK == 3  // an LSTM of 32 units over 20 steps of 8 numbers
constexpr int inputs = 160, outputs = 1;
constexpr auto model = [] {
  auto x = tl::input<"x", float, 20, 1, 8>;
  auto y = tl::input<"y", float, 1, 1>;
  auto [states, last, cell] = tl::lstm<"lstm", 32>(x);
  auto p = tl::linear<"head", 1>(tl::at<19>(states));
  return tl::outputs(tl::mse_loss(p, y), tl::named<"p">(p));
};
#define RULE tl::adam({.learning_rate = 1e-3f})
#else  // 4-64-64-64-64-64-2: layers of equal shapes
constexpr int inputs = 4, outputs = 2;
template <tl::name Name>
constexpr auto layer(tl::expression auto x) {
  return tl::tanh(tl::linear<Name, 64>(x));
}
constexpr auto model = [] {
  auto x = tl::input<"x", float, 4>;
  auto y = tl::input<"y", float, 2>;
  auto p = tl::linear<"fc6", 2>(layer<"fc5">(layer<"fc4">(layer<"fc3">(layer<"fc2">(layer<"fc1">(x))))));
  return tl::outputs(tl::mse_loss(p, y), tl::named<"p">(p));
};
#define RULE tl::adam({.learning_rate = 1e-3f})
#endif

static tl::trainer net{model, RULE, tl::bare{}, 1};
static float x[inputs], y[outputs];

static float train() {
  float loss = 0;
  for (int step = 0; step < 3; ++step) {
    for (int i = 0; i < inputs; ++i) x[i] = static_cast<float>((step * 7 + i * 5) % 11) / 5.0f - 1.0f;
    for (int i = 0; i < outputs; ++i) y[i] = i == 0 ? 1.0f : 0.0f;
    loss = static_cast<float>(net.step("x"_t = x, "y"_t = y).loss());
  }
  return loss;
}

#if __STDC_HOSTED__
#include <cstdio>
int main() { std::printf("%zu bytes, loss %g\n", sizeof net, static_cast<double>(train())); }
#else
#include "machine.hpp"
extern "C" int main() { return train() < 100.0f ? 0 : 1; }
#endif
