// SPDX-License-Identifier: BSL-1.0
// A trained classifier as an ONNX file.
#include <tapeless/onnx.hpp>
#include <tapeless/tapeless.hpp>

#include <cstdio>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto batch = tl::dyn<"batch">;

constexpr auto model = [] {
  auto x = tl::input<"x", float, batch, 2>;
  auto label = tl::input<"label", std::int32_t, batch>;
  auto h = tl::dropout<0.1>(tl::relu(tl::layer_norm<"norm">(tl::linear<"fc1", 16>(x))));
  auto logits = tl::linear<"fc2", 3>(h);
  return tl::outputs(tl::cross_entropy(logits, label), tl::named<"probability">(tl::softmax(logits)));
};

int main() {
  tl::trainer net{model, tl::adam({.learning_rate = 1e-2f})};
  const std::vector<float> x{0, 0, 0, 1, 1, 1};
  const std::vector<std::int32_t> label{0, 1, 2};
  float loss = 1;
  for (int i = 0; i < 200; ++i) loss = net.step("x"_t = x, "label"_t = label).loss();

  tl::save_onnx(net, "classifier.onnx", {.description = "three points"});
  return loss < 0.1f ? 0 : 1;
}
