// SPDX-License-Identifier: BSL-1.0
// A gradient transformation where a trainer takes a rule: what it lacks is said, and nothing that follows.
// both compilers
// expect: scale_by_adam_transform` is no update rule; it lacks: hyper_count
// reject: no matching function
// reject: no member named
// reject: has no member
// reject: is not a member
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] { return tl::sum(tl::square(tl::param<"w", float, 2>(tl::fill(1)))); };

int main() {
#ifdef CORRECTED
  tl::trainer net{model, tl::chain(tl::scale_by_adam(), tl::scale_by_learning_rate(1e-3))};
#else
  tl::trainer net{model, tl::scale_by_adam()};
#endif
  net.step();
  net.parameter<"w">();
  net.set<"learning_rate">(1e-4);
}
