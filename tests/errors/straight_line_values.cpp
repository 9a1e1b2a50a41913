// SPDX-License-Identifier: BSL-1.0
// A value for a run-time extent that is none.
// expect: straight_line_at has values of run-time extents, each 1 or more, and for four names at most
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
  using policy = tl::straight_line_at<1>;
#else
  using policy = tl::straight_line_at<0>;
#endif
  tl::trainer net{model, tl::sgd({.learning_rate = 0.1f}), policy{}};
  net.step("x"_t = x);
}
