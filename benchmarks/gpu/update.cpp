// SPDX-License-Identifier: BSL-1.0
// AdamW's update of 100 million parameters, float, from gradients that are on the device already: gradient,
// parameter and both moments are read and written (gradients that were added up start again at zero).
// Usage: update [IGNORED] [SECONDS]
#include "timing.hpp"

namespace tl = tapeless;
using namespace tl::literals;

namespace {

constexpr std::int64_t count = 100'000'000;

// Its gradient is the parameter itself, so that no input has to travel.
constexpr auto model = [] {
  return tl::sum(tl::square(tl::param<"p", float, count>(tl::normal(0.02)))) / 2_c;
};

void measure(timing::arguments given) {
  given.size = count;
  tl::trainer net{model, tl::adamw({.learning_rate = 1e-3f, .weight_decay = 1e-2f})};
  const double loss = net.accumulate(1).loss();
  net.gradient<"p">();  // so that later updates go on without new ones, from zeros
  const auto finish = [&] {
    timing::wait_for_device();
    return loss;
  };
  timing::measure(
      "update", "f32", given, timing::place::device, [&](int) { net.apply(); }, finish,
      8.0 * sizeof(float) * count);
}

}  // namespace

int main(int argc, char** argv) {
  return timing::run([&] { measure({argc, argv, count}); });
}
