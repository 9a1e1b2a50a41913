// SPDX-License-Identifier: BSL-1.0
// A step of a small convolutional classifier on images of CIFAR-10's shape, float, AdamW.
// Usage: cnn [BATCH] [SECONDS]
#include "timing.hpp"

namespace tl = tapeless;
using namespace tl::literals;

namespace {

constexpr auto batch = tl::dyn<"batch">;

template <tl::name Name, int Channels>
constexpr auto block(tl::expression auto x) {  // [N, C, H, W] -> [N, Channels, H / 2, W / 2]
  auto y = tl::relu(tl::conv2d<Name, Channels, tl::conv{.kernel = 3, .padding = 1}>(x));
  return tl::max_pool2d<tl::pool{.kernel = 2}>(y);
}

constexpr auto model = [] {
  auto image = tl::input<"image", float, batch, 3, 32, 32>;
  auto label = tl::input<"label", std::int32_t, batch>;
  auto features = block<"conv3", 128>(block<"conv2", 64>(block<"conv1", 32>(image)));
  auto logits = tl::linear<"head", 10>(tl::flatten(tl::global_avg_pool2d(features)));
  return tl::cross_entropy(logits, label);
};

/// What one step is given.
struct samples {
  timing::tensor<float> image;
  timing::tensor<std::int32_t> label;

  samples(std::int64_t size, std::uint32_t number, timing::place place)
      : image(timing::numbers(size * 3 * 32 * 32, 2 * number), {size, 3, 32, 32}, place),
        label(timing::integers(size, 10, 2 * number + 1), {size}, place) {}
};

void measure(const timing::arguments& given) {
  tl::trainer net{model, tl::adamw({.learning_rate = 1e-3f, .weight_decay = 1e-2f})};
  timing::measure_steps<samples>("cnn", "f32", given, [&](const samples& s) {
    return net.step("image"_t = s.image, "label"_t = s.label);
  });
}

}  // namespace

int main(int argc, char** argv) {
  return timing::run([&] { measure({argc, argv, 256}); });
}
