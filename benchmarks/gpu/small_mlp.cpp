// SPDX-License-Identifier: BSL-1.0
// A step of the 4-64-64-2 controller, float, AdamW: hardly any arithmetic, so that starting it is what costs.
// Usage: small_mlp [BATCH] [SECONDS]
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

/// What one step is given.
struct samples {
  timing::tensor<float> x, y;

  samples(std::int64_t size, std::uint32_t number, timing::place place)
      : x(timing::numbers(size * 4, 2 * number), {size, 4}, place),
        y(timing::numbers(size * 2, 2 * number + 1), {size, 2}, place) {}
};

void measure(const timing::arguments& given) {
  tl::trainer net{model, tl::adamw({.learning_rate = 1e-3f, .weight_decay = 1e-2f})};
  timing::measure_steps<samples>("small_mlp", "f32", given,
                                 [&](const samples& s) { return net.step("x"_t = s.x, "y"_t = s.y); });
}

}  // namespace

int main(int argc, char** argv) {
  return timing::run([&] { measure({argc, argv, 32}); });
}
