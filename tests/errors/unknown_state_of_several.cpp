// SPDX-License-Identifier: BSL-1.0
// A state that a rule with a transformation several times does not have: each name is listed once.
// expect: the rule has no state \"ema_3.mean\" of a parameter \"w\"; its states are \"ema.mean\", \"ema_2.mean\"
// reject: \"ema_2.mean\", \"ema_2.mean\"
// lines: 20
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  return tl::sum(tl::square(tl::param<"w", float, 2>(tl::fill(1)) + tl::param<"b", float, 2>(tl::fill(1))));
};

int main() {
  tl::trainer net{model, tl::chain(tl::ema({}), tl::ema({}), tl::scale(-0.1f))};
#ifdef CORRECTED
  return net.state<"ema_2.mean", "w">()[0] > 0;
#else
  return net.state<"ema_3.mean", "w">()[0] > 0;
#endif
}
