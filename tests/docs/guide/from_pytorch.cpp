// SPDX-License-Identifier: BSL-1.0
// The guide from PyTorch: a convolutional network, with the names and layouts that PyTorch's has.
#include <tapeless/tapeless.hpp>

#include <cstdio>
#include <string>
#include <vector>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto batch = tl::dyn<"batch">;

constexpr auto model = [] {
  auto x = tl::input<"x", float, batch, 1, 12, 12>;
  auto y = tl::input<"y", std::int64_t, batch>;
  auto h = tl::conv2d<"conv", 8, tl::conv{.kernel = 3, .padding = 1}>(x);
  auto p = tl::max_pool2d<tl::pool{.kernel = 2}>(tl::relu(tl::batch_norm<"norm">(h)));
  auto logits = tl::linear<"head", 10>(tl::flatten(p));
  return tl::outputs(tl::cross_entropy(logits, y), tl::named<"logits">(logits));
};

int main() {
  tl::trainer net{model, tl::adamw({.learning_rate = 1e-2f})};

  std::vector<float> x(20 * 144);
  std::vector<std::int64_t> y(20);
  for (int i = 0; i < 20; ++i) {
    y[i] = i % 10;
    for (int k = 0; k < 144; ++k) x[i * 144 + k] = k % 10 == y[i] ? 1.0f : 0.0f;
  }
  float loss = 0;
  for (int epoch = 0; epoch < 60; ++epoch) loss = net.step("x"_t = x, "y"_t = y).loss();

  tl::save(net, "net.safetensors");  // torch: load_state_dict(safetensors.torch.load_file(...), strict=False)
  for (const auto& parameter : net.parameter_descriptions())
    std::printf("%s\n", std::string(parameter.label->view()).c_str());
  return loss < 0.5f ? 0 : 1;
}
