// SPDX-License-Identifier: BSL-1.0
// A summary of the model itself.
// lines: 20
// first: tapeless: what is looked into is a trainer or a function: summary(net), explain(net), to_dot(net)
// expect: tapeless: what is looked into is a trainer or a function: summary(net), explain(net), to_dot(net)
#include <tapeless/tapeless.hpp>
#include <tapeless/train/inspect/summary.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto x = tl::input<"x", float, 8, 4>;
  return tl::mean(tl::linear<"fc1", 10>(x));
};

int main() {
#ifdef CORRECTED
  const tl::function net{model};
  return static_cast<int>(tl::summary(net).size());
#else
  return static_cast<int>(tl::summary(model).size());
#endif
}
