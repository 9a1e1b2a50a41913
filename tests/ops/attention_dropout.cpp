// SPDX-License-Identifier: BSL-1.0
// Attention that drops weights trains as what it stands for, written out, which draws the same numbers: on
// every policy, with masks, in loops, where it is computed again, and with derivatives of derivatives.
#include "catch.hpp"
#include "policies.hpp"
#include "program.hpp"
#include "thread_shares.hpp"

#include <string>
#include <vector>

#include <tapeless/ops/attention.hpp>
#include <tapeless/ops/ops.hpp>
#include <tapeless/optim/rules/sgd.hpp>
#include <tapeless/train/trainer/trainer.hpp>

namespace {

constexpr double dropout = 0.25;
constexpr tl::attention_options options{.scale = 0.5, .dropout = dropout};
constexpr int batch = 2, heads = 2, queries = 70, keys = 67, width = 4;

constexpr auto attended = [](auto q, auto k, auto v, auto... mask) {
  return tl::scaled_dot_product_attention<options>(q, k, v, mask...);
};
constexpr auto written_out = [](auto q, auto k, auto v, auto... mask) {
  auto scores = tl::matmul(q, tl::permute<0, 1, 3, 2>(k)) * 0.5_c;
  if constexpr (sizeof...(mask) == 0)
    return tl::matmul(tl::dropout<dropout>(tl::softmax(scores)), v);
  else
    return tl::matmul(tl::dropout<dropout>(tl::softmax((scores + ... + mask))), v);
};

template <class F>
constexpr auto with_operands(F f) {
  auto q = tl::param<"q", double, batch, heads, queries, width>(tl::normal(1));
  auto k = tl::param<"k", double, batch, heads, keys, width>(tl::normal(1));
  auto v = tl::param<"v", double, batch, heads, keys, width>(tl::normal(1));
  return f(q, k, v);
}

template <const auto& Attention>
struct plain {
  constexpr auto operator()() const {
    return with_operands([](auto q, auto k, auto v) { return tl::sum(tl::square(Attention(q, k, v))); });
  }
};
// A number for each head and pair, and one more for each key, are learned.
template <const auto& Attention>
struct with_numbers {
  constexpr auto operator()() const {
    return with_operands([](auto q, auto k, auto v) {
      auto bias = tl::param<"bias", double, heads, queries, keys>(tl::normal(1));
      auto of_keys = tl::param<"of_keys", double, batch, 1, 1, keys>(tl::normal(1));
      auto first = tl::sum(tl::square(Attention(q, k, v, bias)));
      return first + tl::sum(tl::square(Attention(q, k, v, of_keys)));
    });
  }
};
template <const auto& Attention>
struct with_second_derivatives {
  constexpr auto operator()() const {
    return with_operands([](auto q, auto k, auto v) {
      auto bias = tl::param<"bias", double, queries, keys>(tl::normal(1));
      auto s = tl::sum(tl::square(Attention(q, k, v, bias)));
      return s + tl::sum(tl::square(tl::grad(s, k)));
    });
  }
};
template <const auto& Attention>
struct in_a_loop {
  constexpr auto operator()() const {
    auto x = tl::param<"x", double, 1, 2, queries, width>(tl::normal(1));
    auto step = [](auto h) { return Attention(h, tl::sin(h), h + h * h); };
    auto looped = tl::sum(tl::square(tl::scan<3>(x, step)));
    return looped + tl::sum(tl::square(tl::checkpoint(step(x))));
  }
};

/// What two steps leave of all parameters.
template <tl::name... Names, class Policy, class Model>
std::vector<double> trained(Model model, Policy policy) {
  tl::trainer t{model, tl::sgd({.learning_rate = 0.001f}), policy, 5};
  test::numbers random(3);
  const auto set = [&](auto view) {
    for (double& x : view) x = random();
  };
  (set(t.template parameter<Names>()), ...);
  for (int i = 0; i < 2; ++i) t.step();
  std::vector<double> all;
  const auto add = [&](auto view) { all.insert(all.end(), view.begin(), view.end()); };
  (add(t.template parameter<Names>()), ...);
  return all;
}

template <template <const auto&> class Model, tl::name... Names>
void compare() {
  const std::vector<double> expected = trained<Names...>(Model<written_out>{}, tl::default_policy{});
  test::on_each_policy([&]<class Policy>() {
    const std::vector<double> found = trained<Names...>(Model<attended>{}, Policy{});
    REQUIRE(found.size() == expected.size());
    for (std::size_t i = 0; i < found.size(); ++i)
      REQUIRE(found[i] == test::Approx(expected[i]).margin(1e-11));
  });
  const test::smallest_shares shares;
  const std::vector<double> alone = trained<Names...>(Model<attended>{}, tl::cpu{.threads = 1});
  for (const int threads : {2, 3, 5})
    CHECK(trained<Names...>(Model<attended>{}, tl::cpu{.threads = threads}) == alone);
}

}  // namespace

TEST_CASE("attention that drops weights is softmax, dropout and products") {
  compare<plain, "q", "k", "v">();
}
TEST_CASE("attention with learned numbers that drops weights is softmax, dropout and products") {
  compare<with_numbers, "q", "k", "v", "bias", "of_keys">();
}
TEST_CASE("attention that drops weights has second derivatives") {
  compare<with_second_derivatives, "q", "k", "v", "bias">();
}
TEST_CASE("attention that drops weights in a loop, and computed again") { compare<in_a_loop, "x">(); }
