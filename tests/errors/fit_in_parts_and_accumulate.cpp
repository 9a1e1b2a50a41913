// SPDX-License-Identifier: BSL-1.0
// Batches in parts, one update each, by a rule that updates after several steps.
// expect: updates after n steps: leave one of the two out
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto model = [] {
  auto x = tl::input<"x", float, tl::dyn<"batch">, 2>;
  return tl::mean(tl::square(tl::linear<"fc", 1>(x)));
};

int main() {
  tl::trainer net{model, tl::accumulate(2, tl::sgd({}))};
  tl::data::dataset data;
#ifdef CORRECTED
  tl::fit(net, data, {.batch = 4});
#else
  tl::fit(net, data, {.batch = 4, .physical_batch = 2});
#endif
}
