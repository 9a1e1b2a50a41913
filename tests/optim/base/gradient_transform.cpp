// SPDX-License-Identifier: BSL-1.0
// What rules see of parameters of 16 bits.
#include <tapeless/optim/base/gradient_transform.hpp>

#include <tapeless/optim/optim.hpp>
#include <tapeless/train/trainer/trainer.hpp>
#include <type_traits>
#include <vector>

#include "catch.hpp"
#include "policies.hpp"
#include "program.hpp"

namespace {

template <class T>
struct linear_loss {
  constexpr auto operator()() const {
    return tl::sum(tl::cast<float>(tl::param<"w", T, 3>(tl::fill(1))) * tl::input<"g", float, 3>);
  }
};

// f16 has neither the square of the second gradient nor an epsilon of 1e-8 beside the first one's.
const std::vector<float> gradient{0, 1e-5f, 1};

template <class View>
std::vector<float> floats(const View& view) {
  std::vector<float> all;
  for (const auto x : view) all.push_back(static_cast<float>(x));
  return all;
}

template <class Net>
std::vector<float> after_steps(Net& net) {
  for (int t = 0; t < 4; ++t) net.step("g"_t = gradient);
  return floats(net.template parameter<"w">());
}

/// Whether parameters of f16 go where those of float go, and are rounded once in a step.
template <class Policy = tl::cpu, class Rule>
void follows_float(const Rule& rule, Policy policy = {}) {
  tl::trainer net{linear_loss<tl::f16>{}, rule, policy};
  tl::trainer other{linear_loss<float>{}, rule, policy};
  const auto found = after_steps(net), expected = after_steps(other);
  for (std::size_t i = 0; i < 3; ++i) CHECK(found[i] == test::Approx(expected[i]).margin(2e-3));
}

struct of_two_types {
  constexpr auto operator()() const { return linear_loss<tl::f16>{}() + tl::sum(tl::param<"v", float, 2>); }
};

struct lookups {
  constexpr auto operator()() const {
    auto table = tl::param<"table", tl::f16, 9, 2>(tl::fill(1));
    return tl::sum(tl::square(tl::cast<float>(tl::embedding(table, tl::input<"index", std::int32_t, 4>))));
  }
};

}  // namespace

TEST_CASE("adaptive rules move parameters of f16 as those of float") {
  test::on_each_policy([]<class Policy>() { follows_float(tl::adamw({.learning_rate = 0.1}), Policy{}); });
  follows_float(tl::adam({.learning_rate = 0.1, .amsgrad = true}));
  follows_float(tl::adagrad({.learning_rate = 0.1}));
  follows_float(tl::adabelief({.learning_rate = 0.1}));
  follows_float(tl::rmsprop({.learning_rate = 0.1}));
  follows_float(tl::dadapt({.first_distance = 0.01}));
}

TEST_CASE("the same where the rule is wrapped, or updates wait") {
  const auto adam = tl::adam({.learning_rate = 0.1});
  follows_float(tl::accumulate(2, adam));
  follows_float(tl::lookahead(tl::freezable(adam), {.sync_period = 2}));
  follows_float(tl::skip_nonfinite(tl::average(adam)));
  tl::trainer lazy{lookups{}, tl::lazy_rows(adam)};
  tl::trainer whole{lookups{}, adam};
  const std::vector<int> index{3, 0, 8, 3};
  lazy.step("index"_t = index);
  whole.step("index"_t = index);
  CHECK(floats(lazy.parameter<"table">()) == floats(whole.parameter<"table">()));
}

TEST_CASE("mixed_precision of another type leaves parameters of f16 as they are stored") {
  const auto adam = tl::adam({.learning_rate = 0.1});
  tl::trainer mixed{of_two_types{}, tl::mixed_precision<tl::bf16>(adam)};
  tl::trainer alone{linear_loss<tl::f16>{}, adam};
  CHECK(after_steps(mixed) == after_steps(alone));
}

TEST_CASE("states of parameters of f16 are float, what is averaged is not rounded") {
  tl::trainer net{linear_loss<tl::f16>{}, tl::average(tl::sgd({.learning_rate = 0.1}), {.decay = 0.5})};
  const auto last = after_steps(net);
  const auto average = net.state<"average", "w">();
  STATIC_REQUIRE(std::is_same_v<decltype(average[0]), float&>);
  CHECK(last[2] == test::Approx(0.6).epsilon(1e-3));
  CHECK(average[2] == test::Approx(0.6875).epsilon(1e-3));
  CHECK(static_cast<float>(tl::f16(average[2])) != average[2]);
}

TEST_CASE("gradients of parameters of 16 bits are added up in float") {
  tl::trainer net{linear_loss<tl::bf16>{}, tl::accumulate(2, tl::sgd({.learning_rate = 0.5}))};
  CHECK(after_steps(net) == std::vector<float>{1, 1, 0});
}
