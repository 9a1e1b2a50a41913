// SPDX-License-Identifier: BSL-1.0
// Parameters that start as an array of the program.
#include <tapeless/expr/array_initializer.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

#include <tapeless/bare.hpp>
#include <tapeless/bytes.hpp>
#include <tapeless/ops/ops.hpp>
#include <tapeless/optim/optim.hpp>
#include <tapeless/train/trainer/initialized.hpp>
#include <tapeless/train/trainer/trainer.hpp>

#include "catch.hpp"
#include "policies.hpp"
#include "program.hpp"

using namespace tl::literals;

namespace {

using numbers = std::vector<double>;

constexpr std::array<double, 6> flat{1, 2.5, -3, 4, 5, 6};
constexpr std::array<std::array<float, 3>, 2> rows{{{0.1f, 0.2f, 0.3f}, {0.4f, 0.5f, 0.6f}}};
constexpr std::array<std::int8_t, 2> order{1, 0};

constexpr auto filtered = [] {
  constexpr std::array<float, 1> local{7};
  auto x = tl::input<"x", float, 3>;
  auto bank = tl::stop_gradient(tl::param<"bank", float, 2, 3>(tl::values<flat>()));
  auto weights = tl::param<"weights", float, 2, 3>(tl::values<rows>());
  auto places = tl::stop_gradient(tl::param<"places", std::int32_t, 2>(tl::values<order>()));
  return tl::index_select<0>(bank * x, places) * weights + tl::param<"b", float>(tl::values<local>());
};
constexpr auto model = [] { return tl::mean(filtered()); };
constexpr auto answer = [] { return tl::outputs(tl::named<"y">(filtered())); };

const float x[3] = {1, 1, 2};

template <class Y>
void require_filtered(const Y& y) {
  const float wanted[] = {4 * 0.1f + 7, 5 * 0.2f + 7,    12 * 0.3f + 7,
                          0.4f + 7,     2.5f * 0.5f + 7, -6 * 0.6f + 7};
  REQUIRE(y.size() == 6);
  for (std::size_t i = 0; i < 6; ++i) CHECK(y[i] == test::Approx(wanted[i]).epsilon(1e-6));
}

}  // namespace

TEST_CASE("elements are those of the array on every policy, and no rule changes them behind stop_gradient") {
  test::on_each_policy([]<class Policy> {
    tl::trainer net{model, tl::adamw({.learning_rate = 0.1f, .weight_decay = 0.5f}), Policy{}, 3};
    CHECK(test::elements(net.template parameter<"bank">()) == numbers(flat.begin(), flat.end()));
    CHECK(test::elements(net.template parameter<"places">()) == numbers{1, 0});
    CHECK(test::elements(net.template parameter<"b">()) == numbers{7});
    for (std::size_t i = 0; i < 6; ++i) CHECK(net.template parameter<"weights">()[i] == rows[i / 3][i % 3]);
    net.step("x"_t = x);
    CHECK(test::elements(net.template parameter<"bank">()) == numbers(flat.begin(), flat.end()));
    CHECK(net.template parameter<"weights">()[0] != rows[0][0]);
  });
}

TEST_CASE("so they are of a function without a trainer, and on tl::bare") {
  tl::function f{answer};
  require_filtered(f("x"_t = x).get<"y">());
  static tl::function small{answer, tl::bare{}};
  require_filtered(small("x"_t = x).get<"y">());
  static tl::trainer learning{model, tl::sgd({.learning_rate = 0.5f}), tl::bare{}};
  CHECK(learning.parameter<"bank">()[1] == 2.5f);
  learning.step("x"_t = x);
  CHECK(learning.parameter<"bank">()[1] == 2.5f);
  CHECK(learning.parameter<"weights">()[0] != rows[0][0]);
}

TEST_CASE("files hold them as they hold others, for models that start otherwise, too") {
  constexpr auto from_zero = [] {
    auto x = tl::input<"x", float, 3>;
    return tl::mean(tl::param<"bank", float, 2, 3> * x);
  };
  tl::trainer net{model, tl::sgd({})};
  tl::trainer other{from_zero, tl::sgd({})};
  tl::load_bytes(other, tl::save_bytes(net));
  CHECK(test::elements(other.parameter<"bank">()) == numbers(flat.begin(), flat.end()));
  other.parameter<"bank">()[0] = 100;
  tl::load_bytes(net, tl::save_bytes(other), {.only = {"bank"}});
  CHECK(net.parameter<"bank">()[0] == 100);
  constexpr auto without = [] { return tl::sum(tl::param<"weights", float, 2, 3>(tl::fill(9))); };
  tl::trainer old{without, tl::sgd({})};
  tl::trainer fresh{model, tl::sgd({})};
  tl::load_bytes(fresh, tl::save_bytes(old), {.allow_missing = true});
  CHECK(test::elements(fresh.parameter<"bank">()) == numbers(flat.begin(), flat.end()));
  CHECK(fresh.parameter<"weights">()[5] == 9);
}

TEST_CASE("each iteration's own parameter starts as the array") {
  constexpr auto loop = [] {
    auto body = [](auto h) { return h * tl::param<"w", float, 2, 3>(tl::values<flat>()); };
    return tl::sum(tl::scan<2>(tl::input<"x", float, 2, 3>, body));
  };
  numbers twice(flat.begin(), flat.end());
  twice.insert(twice.end(), flat.begin(), flat.end());
  tl::trainer net{loop, tl::sgd({})};
  CHECK(test::elements(net.parameter<"w">()) == twice);
  static tl::trainer small{loop, tl::sgd({}), tl::bare{}};
  for (std::size_t i = 0; i < 12; ++i) CHECK(small.parameter<"w">()[i] == float(twice[i]));
}

TEST_CASE("a float copy of a parameter in 16 bits, a norm, and what initialized chooses") {
  constexpr auto product = [] {
    auto v = tl::param<"v", float, 2, 3>(tl::values<rows>());
    return tl::sum(v * tl::param<"g", float>(tl::norm_of<"v">()));
  };
  tl::trainer net{product, tl::mixed_precision<tl::bf16>(tl::sgd({}))};
  CHECK(net.master<"v">()[5] == 0.6f);
  CHECK(float(net.parameter<"v">()[5]) == float(tl::bf16(0.6f)));
  CHECK(net.master<"g">()[0] == test::Approx(0.95393920).epsilon(1e-6));
  tl::function f{tl::initialized<tl::values<flat>()>(product, tl::names_like<"v">)};
  CHECK(test::elements(f.parameter<"v">()) == numbers(flat.begin(), flat.end()));
}
