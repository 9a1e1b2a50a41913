// SPDX-License-Identifier: BSL-1.0
// Batches in parts for a rule that computes gradients several times in a step.
// expect: fit cannot compute batches in parts (physical_batch) for a rule whose trainer computes
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto model = [] {
  auto x = tl::input<"x", float, tl::dyn<"batch">, 2>;
  return tl::mean(tl::square(tl::linear<"fc", 1>(x)));
};

int main() {
  tl::trainer net{model, tl::lbfgs({})};
  tl::data::dataset data;
#ifdef CORRECTED
  tl::fit(net, data, {.batch = 4});
#else
  tl::fit(net, data, {.batch = 4, .physical_batch = 2});
#endif
}
