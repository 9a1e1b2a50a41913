// SPDX-License-Identifier: BSL-1.0
// A gradient transformation that asks for more hyperparameters than it has, where the next one in the chain
// has some.
// expect: a gradient transformation asks for c.hyper(1), but has 1 hyperparameters: hyper_names lists them all, and
// reject: no matching function
// reject: no type named
// reject: has no member
#include <array>

#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] { return tl::sum(tl::square(tl::param<"w", float, 2>(tl::fill(1)))); };

struct shrink : tl::gradient_transform<1> {
  static constexpr std::array<tl::name, 1> hyper_names{"factor"};
#ifdef CORRECTED
  static constexpr tl::value transform(tl::rule_context& c, tl::value g) { return g * c.hyper(0); }
#else
  static constexpr tl::value transform(tl::rule_context& c, tl::value g) { return g * c.hyper(1); }
#endif
};

int main() {
  tl::trainer net{model, tl::chain(shrink{{{0.5}}}, tl::scale(-0.1))};
  net.step();
}
