// SPDX-License-Identifier: BSL-1.0
// Schedules and checkpoints on a machine without an operating system: they leave nothing undefined.
#include <tapeless/bare.hpp>

namespace tl = tapeless;
using namespace tl::literals;

namespace {

constexpr auto model = [] {
  auto x = tl::input<"x", float, 1, 2>;
  return tl::mse_loss(tl::linear<"out", 1>(x), tl::input<"y", float, 1, 1>);
};

auto first_rule() {
  return tl::adam({.learning_rate = tl::cosine_schedule({.start = 1e-2, .steps = 1000}),
                   .beta1 = tl::constant_schedule(0.9),
                   .beta2 = tl::exponential_schedule({.start = 0.99, .factor = 0.9999}),
                   .epsilon = tl::step_schedule({.start = 1e-6, .factor = 0.5, .every = 100}),
                   .weight_decay = tl::linear_schedule({.start = 1e-2, .end = 0, .steps = 1000})});
}
auto second_rule() {
  return tl::adam(
      {.learning_rate = tl::warmup_cosine({.peak = 1e-2, .warmup_steps = 10, .steps = 1000}),
       .beta1 = tl::warmup_stable_decay({.peak = 0.9, .warmup_steps = 10, .decay_steps = 100, .steps = 1000}),
       .weight_decay = tl::inverse_square_root({.peak = 1e-2, .warmup_steps = 10})});
}

template <class Rule>
float loss_of(const Rule& rule, const float (&x)[2], const float (&y)[1]) {
  tl::trainer net{model, rule, tl::bare{}};
  float loss = 0;
  for (int i = 0; i < 3; ++i) loss = net.step("x"_t = x, "y"_t = y).loss();
  net.template set<"learning_rate">(tl::step_schedule({.start = 1e-2, .factor = 0.5, .every = 100}));
  if (!net.template set<"weight_decay">(net.template get<"learning_rate">() / 10)) return 0;
  static unsigned char flash[decltype(net)::checkpoint_bytes()];
  if (net.save_checkpoint(flash, sizeof flash) == 0 || !net.load_checkpoint(flash, sizeof flash)) return 0;
  return loss + net.step("x"_t = x, "y"_t = y).loss();
}

// Nothing can be thrown where steps are forgotten.
static_assert(tl::cosine_schedule({.start = 0.5})(0) == 0.5);

}  // namespace

extern "C" float losses(const float (&x)[2], const float (&y)[1]) {
  return loss_of(first_rule(), x, y) + loss_of(second_rule(), x, y);
}
