// SPDX-License-Identifier: BSL-1.0
// The profile of a step in a fit that makes its batches of parts.
// lines: 32
// first: tapeless: profiler measures a step, but fit computes its batches in parts (physical_batch)
// expect: tapeless: profiler measures a step, but fit computes its batches in parts (physical_batch)
#include <tapeless/tapeless.hpp>
#include <tapeless/train/inspect/profile.hpp>

#include <vector>

namespace tl = tapeless;

constexpr auto model = [] {
  auto x = tl::input<"x", float, tl::dyn<"batch">, 4>;
  return tl::mean(tl::linear<"fc1", 10>(x));
};

int main() {
  tl::data::dataset data;
  data.add("x", {4}, std::vector<float>(32));
  tl::trainer net{model, tl::sgd({.learning_rate = 0.1f})};
  tl::profiler timed;
#ifdef CORRECTED
  tl::fit(net, data, {.batch = 8}, timed);
#else
  tl::fit(net, data, {.batch = 8, .physical_batch = 4}, timed);
#endif
  return static_cast<int>(timed.profiles().size());
}
