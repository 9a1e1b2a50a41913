// SPDX-License-Identifier: BSL-1.0
// A trainer's own calls: step, evaluate, predict, accumulate and apply, parameters, structs that are bound.
#include <tapeless/tapeless.hpp>

#include <boost/hana/adapt_struct.hpp>
#include <cmath>
#include <limits>

#include "catch.hpp"
#include "parameters.hpp"

namespace tl = tapeless;
using namespace tl::literals;
using test::all_parameters, test::Approx;

namespace user {

struct sample {
  std::vector<float> x;
  std::vector<std::int32_t> label;
};

// Numbers of 16 bits, and of types that no tensor has.
struct numbers_of_all_kinds {
  tl::f16 scale;
  tl::bf16 shift;
  std::uint32_t seed;
  std::size_t count, batch;
  unsigned short rows;
  std::vector<float> x;
};

}  // namespace user

BOOST_HANA_ADAPT_STRUCT(user::sample, x, label);
BOOST_HANA_ADAPT_STRUCT(user::numbers_of_all_kinds, scale, shift, seed, count, batch, rows, x);

namespace {

constexpr auto batch = tl::dyn<"batch">;

constexpr auto mlp = [] {
  auto x = tl::input<"x", float, batch, 4>;
  auto label = tl::input<"label", std::int32_t, batch>;
  auto logits = tl::linear<"fc2", 3>(tl::tanh(tl::linear<"fc1", 8>(x)));
  return tl::outputs(tl::cross_entropy(logits, label), tl::named<"logits">(logits));
};

// Equal layers under the same names, and more behind them.
constexpr auto deeper = [] {
  auto x = tl::input<"x", float, batch, 4>;
  auto label = tl::input<"label", std::int32_t, batch>;
  auto hidden = tl::tanh(tl::linear<"fc2", 8>(tl::tanh(tl::linear<"fc1", 8>(x))));
  return tl::cross_entropy(tl::linear<"fc3", 3>(hidden), label);
};

user::sample make_sample(std::size_t rows, int seed = 0) {
  user::sample s{std::vector<float>(4 * rows), std::vector<std::int32_t>(rows)};
  for (std::size_t i = 0; i < s.x.size(); ++i)
    s.x[i] = static_cast<float>(std::sin(1.7 * static_cast<double>(i) + seed));
  for (std::size_t i = 0; i < rows; ++i) s.label[i] = static_cast<std::int32_t>((i * i + i / 2) % 3);
  return s;
}

template <class View>
std::vector<double> numbers(View v) {
  return {v.begin(), v.end()};
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  REQUIRE(a.size() == b.size());
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

}  // namespace

TEST_CASE("step returns the outputs before the update") {
  tl::trainer net{mlp, tl::sgd({.learning_rate = 0.5f})};
  const user::sample s = make_sample(6);
  const auto evaluate = [&] { return net.evaluate("x"_t = s.x, "label"_t = s.label); };
  const float before = evaluate().loss();
  const auto logits = numbers(evaluate().get<"logits">());
  const auto r = net.step("x"_t = s.x, "label"_t = s.label);
  CHECK(r.loss() == Approx(before).epsilon(1e-6));
  CHECK(largest_difference(numbers(r.get<"logits">()), logits) < 1e-6);
  CHECK(r.get<"logits">().shape().size() == 2);
  CHECK(r.get<"logits">().shape()[0] == 6);
  CHECK(r.get<"logits">().shape()[1] == 3);
  CHECK(net.steps() == 1);
  CHECK(evaluate().loss() < before);
  CHECK(evaluate().loss() == evaluate().loss());
  CHECK(net.steps() == 1);
}

TEST_CASE("predict needs no label") {
  tl::trainer net{mlp, tl::sgd({.learning_rate = 0.5f})};
  const user::sample s = make_sample(6);
  const auto of_evaluate = numbers(net.evaluate("x"_t = s.x, "label"_t = s.label).get<"logits">());
  CHECK(largest_difference(numbers(net.predict("x"_t = s.x).get<"logits">()), of_evaluate) < 1e-6);
  CHECK(net.predict("x"_t = s.x, "label"_t = s.label).get<"logits">().size() == 18);  // it does no harm
  CHECK(net.predict("x"_t = std::span(s.x).first(4)).get<"logits">().size() == 3);
}

TEST_CASE("a parameter is a view that can be written") {
  tl::trainer net{mlp, tl::sgd({.learning_rate = 0.5f})};
  auto weight = net.parameter<"fc1.weight">();
  auto bias = net.parameter<"fc2.bias">();
  static_assert(std::is_same_v<decltype(weight), tl::tensor_view<float>>);
  CHECK(weight.size() == 32);
  CHECK(weight.shape()[0] == 8);
  CHECK(weight.shape()[1] == 4);
  CHECK(numbers(bias) == std::vector<double>(3, 0.0));
  for (float w : weight) CHECK(std::abs(w) <= std::sqrt(6.0f / (8 + 4)));

  const user::sample s = make_sample(2);
  std::fill(weight.begin(), weight.end(), 0.0f);
  bias[1] = 2;
  const auto logits = net.predict("x"_t = s.x).get<"logits">();
  CHECK(numbers(logits) == std::vector<double>{0, 2, 0, 0, 2, 0});
  net.step("x"_t = s.x, "label"_t = s.label);
  CHECK(bias[1] < 2);  // the view shows what the step made of it
  CHECK(numbers(net.parameter<"fc2.bias">()) == numbers(bias));
}

TEST_CASE("initial values depend on the seed alone") {
  tl::trainer a{mlp, tl::sgd({.learning_rate = 1})};
  tl::trainer b{mlp, tl::adam({})}, c{mlp, tl::adam({}), tl::cpu{.threads = 2}};
  tl::trainer d{mlp, tl::adam({}), tl::cpu{}, 1}, e{mlp, tl::adam({}), tl::cpu{}, 1};
  CHECK(all_parameters(a) == all_parameters(b));
  CHECK(all_parameters(a) == all_parameters(c));
  CHECK(all_parameters(a) != all_parameters(d));
  CHECK(all_parameters(d) == all_parameters(e));
}

TEST_CASE("accumulated parts are a step on the whole") {
  const user::sample s = make_sample(10);
  const auto check = [&](auto rule) {
    tl::trainer whole{mlp, rule}, parts{mlp, rule};
    for (int step = 0; step < 5; ++step) {
      whole.step("x"_t = s.x, "label"_t = s.label);
      const std::span x(s.x);
      const std::span label(s.label);
      const double first = parts.accumulate(0.7, "x"_t = x.first(28), "label"_t = label.first(7)).loss();
      const double second = parts.accumulate(0.3, "x"_t = x.subspan(28), "label"_t = label.subspan(7)).loss();
      CHECK(first != second);
      CHECK(parts.steps() == step);
      parts.apply();
      CHECK(parts.steps() == step + 1);
    }
    CHECK(largest_difference(all_parameters(whole), all_parameters(parts)) < 2e-6);
  };
  check(tl::sgd({.learning_rate = 0.5f, .momentum = 0.9f}));
  check(tl::adamw({.learning_rate = 0.01f, .epsilon = 1e-4f}));
}

TEST_CASE("a struct of the user's is bound as a whole") {
  tl::trainer net{mlp, tl::sgd({.learning_rate = 0.5f})}, other{mlp, tl::sgd({.learning_rate = 0.5f})};
  const user::sample s = make_sample(5);
  CHECK(net.step(s).loss() == other.step("x"_t = s.x, "label"_t = s.label).loss());
  CHECK(net.evaluate(s).loss() == other.evaluate("x"_t = s.x, "label"_t = s.label).loss());
  CHECK(numbers(net.predict(s).get<"logits">()) == numbers(other.predict("x"_t = s.x).get<"logits">()));
  CHECK(net.step("batch"_t = 5, s).loss() == other.step(s).loss());
  net.accumulate(1, s);
  other.accumulate(1, make_sample(5));
  net.apply();
  other.apply();
  CHECK(all_parameters(net) == all_parameters(other));
}

TEST_CASE("a struct's numbers of 16 bits, sizes and other unsigned ones are read where they are") {
  constexpr auto model = [] {
    auto x = tl::input<"x", float, tl::dyn<"batch">>;
    auto numbers = tl::cast<float>(tl::input<"scale", tl::f16>) * tl::mean(x) +
                   tl::cast<float>(tl::input<"shift", tl::bf16>) +
                   tl::cast<float>(tl::input<"seed", std::uint32_t>) +
                   tl::cast<float>(tl::input<"count", std::int64_t>);
    auto places = tl::sum(tl::iota<float, tl::dyn<"rows">>());
    auto y = tl::param<"w", float>(tl::fill(1)) * (numbers + places);
    return tl::outputs(tl::square(y), tl::named<"y">(y));
  };
  tl::trainer net{model, tl::sgd({.learning_rate = 0.0005f})};
  user::numbers_of_all_kinds n{tl::f16(2.0f), tl::bf16(5.0f), 70, 600, 3, 4, {1, 1, 1}};
  CHECK(net.predict(n).get<"y">()[0] == 683);  // 2 + 5 + 70 + 600 + (0 + 1 + 2 + 3)
  CHECK(net.evaluate(n).loss() == 683 * 683);
  CHECK(net.step(n).loss() == 683 * 683);
  CHECK(net.parameter<"w">()[0] == Approx(1 - 0.001 * 683 * 683));
  n.count = ~std::size_t{};
  CHECK_THROWS_WITH(
      net.predict(n),
      "tapeless: \"count\" is bound to 18446744073709551615, which is more than a std::int64_t holds");
}

TEST_CASE("trainers do not interfere") {
  const user::sample s = make_sample(6), t = make_sample(6, 1);
  tl::trainer one{mlp, tl::adam({.learning_rate = 0.1f})}, two{mlp, tl::adam({.learning_rate = 0.1f})};
  tl::trainer alone{mlp, tl::adam({.learning_rate = 0.1f})};
  tl::trainer longer{deeper, tl::adam({.learning_rate = 0.1f})},
      longer_alone{deeper, tl::adam({.learning_rate = 0.1f})};
  for (int step = 0; step < 4; ++step) {
    const auto mine = one.step(s);
    const double loss = mine.loss();
    two.step(t);
    two.set<"learning_rate">(0.2);
    longer.step(s);
    CHECK(mine.loss() == loss);
    CHECK(alone.step(s).loss() == loss);
  }
  for (int step = 0; step < 4; ++step) longer_alone.step(s);
  CHECK(all_parameters(one) == all_parameters(alone));
  CHECK(all_parameters(one) != all_parameters(two));
  CHECK(all_parameters(longer) == all_parameters(longer_alone));
  CHECK(longer.parameter<"fc1.weight">().data() != one.parameter<"fc1.weight">().data());
}

TEST_CASE("a step on no samples") {
  tl::trainer net{mlp, tl::sgd({.learning_rate = 0.5f})};
  const auto before = all_parameters(net);
  CHECK_THROWS_AS(net.step("x"_t = std::vector<float>{}, "label"_t = std::vector<std::int32_t>{}), tl::error);
  CHECK(all_parameters(net) == before);
  CHECK(net.predict("x"_t = std::vector<float>{}).get<"logits">().size() == 0);
  const user::sample s = make_sample(3);
  CHECK(std::isfinite(net.step(s).loss()));
}

TEST_CASE("the plan is a constant expression") {
  using net_type = decltype(tl::trainer{mlp, tl::adam({})});
  constexpr tl::memory_plan small = net_type::plan("batch"_t = 1), large = net_type::plan("batch"_t = 1000);
  STATIC_REQUIRE(small.parameters == large.parameters);
  STATIC_REQUIRE(small.optimizer == 2 * small.parameters);
  STATIC_REQUIRE(large.activations > small.activations);
  STATIC_REQUIRE(large.peak > small.peak);
  STATIC_REQUIRE(decltype(tl::trainer{mlp, tl::sgd({})})::plan("batch"_t = 1).optimizer == 0);

  // Parameters lie one after the other, so the last one's end tells what they take.
  tl::trainer net{mlp, tl::adam({})};
  const auto data = net.parameter_data();
  const std::int64_t last = 3 * 4;
  CHECK(data[data.size() - 1] + last - data[0] <= small.parameters);
  CHECK(data[data.size() - 1] + last - data[0] > small.parameters - 64);
  CHECK(net_type::plan("batch"_t = 1) == small);
  CHECK_THROWS_WITH(net_type::plan(), test::contains("the run-time extent \"batch\" is not given"));
}
