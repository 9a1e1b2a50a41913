// SPDX-License-Identifier: BSL-1.0
// A step of the 784-500-10 classifier, float, AdamW. Usage: mlp [BATCH] [SECONDS]
#include <tapeless/tapeless.hpp>

#include "timing.hpp"

namespace tl = tapeless;
using namespace tl::literals;

namespace {

constexpr auto batch = tl::dyn<"batch">;

constexpr auto model = [] {
  auto x = tl::input<"x", float, batch, 784>;
  auto y = tl::input<"y", std::int32_t, batch>;
  auto hidden = tl::relu(tl::linear<"fc1", 500>(x));
  return tl::cross_entropy(tl::linear<"fc2", 10>(hidden), y);
};

/// What one step is given: arrays here, which the step copies to the device.
struct samples {
  std::vector<float> x;
  std::vector<std::int32_t> y;

  samples(std::int64_t size, std::uint32_t number)
      : x(timing::numbers(size * 784, 2 * number)), y(timing::integers(size, 10, 2 * number + 1)) {}
};

void measure(const timing::arguments& given) {
  std::vector<samples> data;
  for (std::uint32_t i = 0; i < 4; ++i) data.emplace_back(given.size, i);

  tl::trainer net{model, tl::adamw({.learning_rate = 1e-3f, .weight_decay = 1e-2f})};
  const auto step = [&](int i) {
    const samples& s = data[static_cast<std::size_t>(i) % data.size()];
    return net.step("x"_t = s.x, "y"_t = s.y);
  };
  auto last = step(0);
  timing::measure("mlp", "f32", given, [&](int i) { last = step(i); }, [&] { return last.loss(); });
}

}  // namespace

int main(int argc, char** argv) {
  return timing::run("mlp", [&] { measure({argc, argv, 32}); });
}
