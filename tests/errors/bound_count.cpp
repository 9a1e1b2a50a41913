// SPDX-License-Identifier: BSL-1.0
// As many elements as the input does not have, both known while compiling.
// both compilers
// lines: 20
// first: input "x" expects float[3], but got 4 elements
// expect: input "x" expects float[3], but got 4 elements
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto model = [] {
  auto x = tl::input<"x", float, 3>;
  auto samples = tl::input<"samples", float, tl::dyn<"batch">, 3>;
  return tl::sum(tl::linear<"fc", 2>(samples + x));
};

int main() {
  tl::trainer net{model, tl::sgd({.learning_rate = 0.1f})};
  const float samples[12] = {};  // any multiple is a batch
#ifdef CORRECTED
  const float x[3] = {};
#else
  const float x[4] = {};
#endif
  net.step("samples"_t = samples, "x"_t = x);
}
