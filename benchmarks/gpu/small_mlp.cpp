// SPDX-License-Identifier: BSL-1.0
// A step of the 4-64-64-2 controller, float, AdamW: hardly any arithmetic, so that starting it is what costs.
// Usage: small_mlp [BATCH] [SECONDS]
#include <tapeless/tapeless.hpp>

#include "timing.hpp"

namespace tl = tapeless;
using namespace tl::literals;

namespace {

constexpr auto batch = tl::dyn<"batch">;

constexpr auto model = [] {
  auto x = tl::input<"x", float, batch, 4>;
  auto y = tl::input<"y", float, batch, 2>;
  auto h1 = tl::relu(tl::linear<"fc1", 64>(x));
  auto h2 = tl::relu(tl::linear<"fc2", 64>(h1));
  return tl::mean(tl::square(tl::linear<"fc3", 2>(h2) - y));
};

/// What one step is given: arrays here, which the step copies to the device.
struct samples {
  std::vector<float> x, y;

  samples(std::int64_t size, std::uint32_t number)
      : x(timing::numbers(size * 4, 2 * number)), y(timing::numbers(size * 2, 2 * number + 1)) {}
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
  timing::measure("small_mlp", "f32", given, [&](int i) { last = step(i); }, [&] { return last.loss(); });
}

}  // namespace

int main(int argc, char** argv) {
  return timing::run("small_mlp", [&] { measure({argc, argv, 32}); });
}
