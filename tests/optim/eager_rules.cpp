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

// The model computes an index of what it looks up, also by numbers that come behind running statistics. The
// gradient of "bias" needs no forward pass.
constexpr auto lookup = [] {
  auto x = tl::input<"x", float, 4, 3>;
  auto y = tl::batch_norm<"norm">(tl::linear<"fc", 3>(x));
  auto index = tl::cast<std::int32_t>(tl::round(tl::sum<1>(x) + 1e-6_c * tl::stop_gradient(tl::sum<1>(y))));
  auto found = tl::gather<0>(tl::param<"table", float, 5, 3>, tl::reshape<4, 1>(index));
  return tl::mean(tl::square(y - found)) + tl::sum(tl::param<"bias", float, 3> * x);
};

template <class Net>
std::vector<std::vector<double>> all_of(const Net& net) {
  std::vector<std::vector<double>> all;
  for (std::size_t i = 0; i < net.parameters().size(); ++i)
    all.push_back(test::elements(net.parameters()[i]));
  return all;
}

template <class... Timing>
void refuse_an_index(Timing... timing) {
  tl::trainer net{lookup, tl::adam({.learning_rate = 0.1}), tl::cpu{}, timing...};
  const std::vector<float> good(12, 0.5f), bad(12, 40);
  net.step("x"_t = good);
  const auto before = all_of(net);
  CHECK_THROWS_WITH(net.step("x"_t = bad), "tapeless: an index is 120, but must be from 0 to below 5");
  CHECK(all_of(net) == before);
  CHECK(net.steps() == 1);
  net.step("x"_t = good);
  CHECK(all_of(net) != before);
}

}  // namespace

TEST_CASE("a step that refuses an index has changed nothing") {
  refuse_an_index();
  refuse_an_index(tl::eager_updates);
}

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
