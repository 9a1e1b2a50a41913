// SPDX-License-Identifier: BSL-1.0
// A model's error is all that the compiler says, also where the ready-made loops are used.
// both compilers
// expect: first output, must be a floating scalar, but is float[batch]
// reject: no type named
// reject: no member named
// reject: has no member
// reject: no matching function
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto batch = tl::dyn<"batch">;

constexpr auto model = [] {
  auto x = tl::input<"x", float, batch, 2>;
  auto w = tl::param<"w", float, 2>;
  auto y = tl::matmul(x, w);
#ifdef CORRECTED
  return tl::mean(y);
#else
  return y;
#endif
};

void train(const tl::data::dataset& samples) {
  tl::trainer net{model, tl::adam({})};
  tl::fit(net, samples, {.epochs = 2}, tl::progress_bar{});
  tl::evaluate(net, samples);
  tl::save(net, "model.safetensors");
  tl::load(net, "model.safetensors");
}
