// SPDX-License-Identifier: BSL-1.0
// Bounds as template arguments in a rule, where numbers are plain.
// lines: 20
// expect: clamp: numbers are arguments here, not template arguments: tl::clamp(x, 0, 1)
// reject: no matching
// reject: no match for
// reject: invalid operands
// reject: cannot convert
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] { return tl::sum(tl::square(tl::param<"b", double, 3>(tl::fill(1)))); };

struct clipped : tl::gradient_transform<0> {
  static constexpr std::array<tl::name, 0> hyper_names{};
  static constexpr tl::value transform(tl::rule_context&, tl::value g) {
#ifdef CORRECTED
    return 2.0 * tl::clamp(g, -1, 1);
#else
    return 2.0 * tl::clamp<-1, 1>(g);
#endif
  }
};

int main() {
  tl::trainer net{model, tl::chain(clipped{}, tl::scale(-0.1))};
  net.step();
}
