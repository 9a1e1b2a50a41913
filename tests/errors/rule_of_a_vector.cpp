// SPDX-License-Identifier: BSL-1.0
// A rule's own computation that fits matrices only, where the first parameter is a vector.
// both compilers
// lines: 20
// expect: transpose_last of a value of the shape [3]: it takes [.., m, n]
// reject: constant expression
// reject: built<
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] { return tl::sum(tl::square(tl::param<"b", double, 3>(tl::fill(1)))); };

struct squared : tl::gradient_transform<0> {
  static constexpr std::array<tl::name, 0> hyper_names{};
  static constexpr tl::value transform(tl::rule_context&, tl::value g) {
#ifdef CORRECTED
    if (g.rank() < 2) return g;
#endif
    return tl::matmul(g, tl::transpose_last(g));
  }
};

int main() {
  tl::trainer net{model, tl::chain(squared{}, tl::scale(-0.1))};
  net.step();
}
