// SPDX-License-Identifier: BSL-1.0
// A step of the 784-500-10 classifier, float, AdamW. Usage: mlp [BATCH] [SECONDS]
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

/// What one step is given.
struct samples {
  timing::tensor<float> x;
  timing::tensor<std::int32_t> y;

  samples(std::int64_t size, std::uint32_t number, timing::place place)
      : x(timing::numbers(size * 784, 2 * number), {size, 784}, place),
        y(timing::integers(size, 10, 2 * number + 1), {size}, place) {}
};

void measure(const timing::arguments& given) {
  tl::trainer net{model, tl::adamw({.learning_rate = 1e-3f, .weight_decay = 1e-2f})};
  timing::measure_steps<samples>("mlp", "f32", given,
                                 [&](const samples& s) { return net.step("x"_t = s.x, "y"_t = s.y); });
}

}  // namespace

int main(int argc, char** argv) {
  return timing::run([&] { measure({argc, argv, 32}); });
}
