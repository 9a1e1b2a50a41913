// SPDX-License-Identifier: BSL-1.0
// A value for a run-time extent that the model does not have.
// expect: straight_line_at has a value for "samples", but the model's run-time extents are: "batch"
#include <tapeless/run/cpu/straight_line_at.hpp>
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto model = [] {
  auto x = tl::input<"x", float, tl::dyn<"batch">>;
  return tl::mean(tl::square(tl::param<"w", float> - x));
};

void train(const float (&x)[1]) {
#ifdef CORRECTED
  using policy = tl::straight_line_at<tl::extent_values{{"batch", 1}}>;
#else
  using policy = tl::straight_line_at<tl::extent_values{{"samples", 1}}>;
#endif
  tl::trainer net{model, tl::sgd({.learning_rate = 0.1f}), policy{}};
  net.step("x"_t = x);
}
