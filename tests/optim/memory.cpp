// SPDX-License-Identifier: BSL-1.0
// What rules keep, in bytes, as the compiler knows it: states of rows and columns, of low rank, of some
// parameters only.
#include "optim/reference.hpp"

namespace {

constexpr auto model = [] { return tl::sum(tl::param<"w", float, 64, 128>); };
constexpr std::int64_t weights = 64 * 128 * 4, row = 64 * 4, column = 128 * 4;
constexpr std::int64_t number = 64;  // a state takes 64 bytes at least

template <class Rule>
constexpr std::int64_t kept(Rule) {
  using net = decltype(tl::trainer{model, std::declval<Rule>()});
  return net::plan().optimizer;
}

}  // namespace

TEST_CASE("the memory of rules") {
  CHECK(kept(tl::sgd({})) == 0);
  CHECK(kept(tl::lion({})) == weights);
  CHECK(kept(tl::adam({})) == 2 * weights);
  CHECK(kept(tl::adam({.amsgrad = true})) == 3 * weights);
  CHECK(kept(tl::novograd({})) == weights + number);
  CHECK(kept(tl::sm3({})) == row + column);
  CHECK(kept(tl::adafactor({})) == row + column);
  CHECK(kept(tl::apollo_mini({})) == 2 * column + number);
  CHECK(kept(tl::apollo<4>({})) == 2 * 4 * column + number);
  CHECK(kept(tl::muon({})) == weights);
  CHECK(kept(tl::shampoo({})) == (64 * 64 + 128 * 128) * 4);
}
