// SPDX-License-Identifier: BSL-1.0
// A model's numbers in a rule, which computes with values.
// both compilers
// lines: 20
// first: *: an expression of a model stands next to a tl::value, which rules and operations of your own
// expect: numbers are plain there, 1.0 or 2 in place of 1_c or 2_c
// reject: invalid operands
// reject: no match
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto model = [] { return tl::sum(tl::square(tl::param<"b", double, 3>(tl::fill(1)))); };

struct doubled : tl::gradient_transform<0> {
  static constexpr std::array<tl::name, 0> hyper_names{};
  static constexpr tl::value transform(tl::rule_context&, tl::value g) {
#ifdef CORRECTED
    return g + 2.0 * g;
#else
    return g + 2_c * g;
#endif
  }
};

int main() {
  tl::trainer net{model, tl::chain(doubled{}, tl::scale(-0.1))};
  net.step();
}
