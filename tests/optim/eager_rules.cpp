// SPDX-License-Identifier: BSL-1.0
// Rules with states of other shapes, matrices and partitions give the same numbers with eager updates, bit
// for bit.
#include "optim/reference.hpp"

namespace {

constexpr auto model = [] {
  auto h = tl::tanh(tl::linear<"fc1", 6>(tl::input<"x", float, 4, 5>));
  auto again = tl::tanh(tl::linear<"fc2", 6>(h)) + tl::tanh(tl::linear<"fc2", 6>(tl::neg(h)));  // shared
  return tl::mean(tl::square(tl::linear<"fc3", 2>(again) - tl::input<"y", float, 4, 2>));
};

template <class Rule>
void same(const Rule& rule) {
  tl::trainer deferred{model, rule};
  tl::trainer eager{model, rule, tl::cpu{}, tl::eager_updates};
  test::numbers next(5);
  for (int t = 0; t < 8; ++t) {
    const auto x = next.vector<float>(20), y = next.vector<float>(8);
    const auto a = deferred.step("x"_t = x, "y"_t = y).loss();
    const auto b = eager.step("x"_t = x, "y"_t = y).loss();
    CHECK(a == b);
  }
}

}  // namespace

TEST_CASE("eager and deferred updates agree") {
  same(tl::chain(tl::clip_by_norm(0.1), tl::nadam({.learning_rate = 0.05})));
  same(tl::adafactor({.learning_rate = 0.05}));
  same(tl::sm3({.learning_rate = 0.05, .momentum = 0.9}));
  same(tl::partition(tl::for_parameters(tl::matrices, tl::muon({.learning_rate = 0.05})),
                     tl::schedule_free_adamw({.learning_rate = 0.05})));
  same(tl::apollo_mini({.learning_rate = 0.05}));
  same(tl::partition(tl::for_parameters(tl::matrices, tl::shampoo({.learning_rate = 0.05})),
                     tl::adam({.learning_rate = 0.05})));
}
