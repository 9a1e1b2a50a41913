// SPDX-License-Identifier: BSL-1.0
// A part of a chain that lacks its hyperparameters: one sentence, whatever is made of the chain.
// both compilers
// expect: halve` is no gradient transformation; it lacks: hypers, an array of as many hyperparameters
// reject: hyper_names, an array
// reject: update rule
// reject: no matching function
// reject: no member named
// reject: has no member
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] { return tl::sum(tl::square(tl::param<"w", float, 2>(tl::fill(1)))); };

#ifdef CORRECTED
struct halve : tl::gradient_transform<0> {
#else
struct halve {
#endif
  static constexpr std::array<tl::name, 0> hyper_names{};
  static constexpr tl::value transform(tl::rule_context&, tl::value g) { return 0.5 * g; }
};

int main() {
  auto rule = tl::accumulate(2, tl::chain(halve{}, tl::sgd({})));
  tl::trainer net{model, tl::lookahead(tl::chain(halve{}, tl::sgd({})))};
  net.step();
  tl::trainer other{model, rule};
  other.apply();
}
