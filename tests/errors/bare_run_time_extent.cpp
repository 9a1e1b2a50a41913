// SPDX-License-Identifier: BSL-1.0
// An extent that tl::bare would only know at run time.
// lines: 20
// first: tl::bare knows all extents while compiling, but "batch" is a run-time extent: give a number in
// expect: tl::bare knows all extents while compiling, but "batch" is a run-time extent: give a number in
#include <tapeless/bare.hpp>

namespace tl = tapeless;
using namespace tl::literals;

#ifdef CORRECTED
constexpr int batch = 8;
#else
constexpr auto batch = tl::dyn<"batch">;
#endif

constexpr auto model = [] {
  auto x = tl::input<"x", float, batch, 4>;
  return tl::mean(tl::square(tl::linear<"fc1", 2>(x)));
};

int main() {
  tl::trainer net{model, tl::sgd({.learning_rate = 0.1f}), tl::bare{}};
  const float x[32] = {};
  return net.step("x"_t = x).is_valid() ? 0 : 1;
}
