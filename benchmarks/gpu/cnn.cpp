// SPDX-License-Identifier: BSL-1.0
// A step of a small convolutional classifier on images of CIFAR-10's shape, float, AdamW.
// Usage: cnn [BATCH] [SECONDS]
#include <tapeless/tapeless.hpp>

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

/// What one step is given: arrays here, which the step copies to the device.
struct samples {
  std::vector<float> image;
  std::vector<std::int32_t> label;

  samples(std::int64_t size, std::uint32_t number)
      : image(timing::numbers(size * 3 * 32 * 32, 2 * number)),
        label(timing::integers(size, 10, 2 * number + 1)) {}
};

void measure(const timing::arguments& given) {
  std::vector<samples> data;
  for (std::uint32_t i = 0; i < 4; ++i) data.emplace_back(given.size, i);

  tl::trainer net{model, tl::adamw({.learning_rate = 1e-3f, .weight_decay = 1e-2f})};
  const auto step = [&](int i) {
    const samples& s = data[static_cast<std::size_t>(i) % data.size()];
    return net.step("image"_t = s.image, "label"_t = s.label);
  };
  auto last = step(0);
  timing::measure("cnn", "f32", given, [&](int i) { last = step(i); }, [&] { return last.loss(); });
}

}  // namespace

int main(int argc, char** argv) {
  return timing::run("cnn", [&] { measure({argc, argv, 256}); });
}
