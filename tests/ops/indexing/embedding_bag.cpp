// SPDX-License-Identifier: BSL-1.0
// Bags of rows against PyTorch's embedding_bag, with gradients; empty bags, and a layer's table.
#include <tapeless/ops/indexing/embedding_bag.hpp>

#include "catch.hpp"
#include "check.hpp"
#include "policies.hpp"
#include "program.hpp"

#include <cstdint>

#include <tapeless/optim/rules/sgd.hpp>
#include <tapeless/optim/wrappers/lazy_rows.hpp>
#include <tapeless/train/trainer/trainer.hpp>

namespace {

constexpr auto n = tl::dyn<"n">;
constexpr auto sum = tl::bag_mode::sum, largest = tl::bag_mode::max;

template <tl::bag Options, tl::extent Length>
struct bags {
  constexpr auto operator()() const {
    auto table = tl::input<"table", double, 4, 3>;
    auto weights = tl::input<"weights", double, 3, 3>;
    auto y = tl::embedding_bag<Options>(table, tl::input<"index", std::int32_t, 3, Length>);
    return tl::outputs(tl::named<"y">(y), tl::named<"by table">(tl::grad(tl::sum(y * weights), table)));
  }
};

template <tl::bag Options>
void check(const std::vector<double>& y, const std::vector<double>& by_table) {
  const std::vector<double> table{1, -2, 3, 0.5, 4, -1, -3, 2, 2, 0.25, -0.5, 6};
  const std::vector<double> weights{1, 2, -1, 0.5, 1, 3, 2, -2, 1};
  const std::vector<std::int32_t> index{2, 0, 3, 1, 1, 0, 0, 0, 0};
  test::on_each_policy([&]<class Policy>() {
    tl::function<bags<Options, 3>, Policy> f{bags<Options, 3>{}};
    const auto r = f("table"_t = table, "weights"_t = weights, "index"_t = index);
    test::check(r.template get<"y">(), y);
    test::check(r.template get<"by table">(), by_table);
  });
  tl::function f{bags<Options, n>{}};
  test::check(f("table"_t = table, "weights"_t = weights, "index"_t = index).template get<"y">(), y);
  const auto none = f("table"_t = table, "weights"_t = weights, "index"_t = std::vector<std::int32_t>{});
  test::check(none.template get<"y">(), std::vector<double>(9));
  test::check(none.template get<"by table">(), std::vector<double>(12));
}

}  // namespace

TEST_CASE("embedding_bag sums rows") {
  check<tl::bag{.mode = sum}>({-1.75, -0.5, 11, 2, 6, 1, 3, -6, 9},
                              {7.5, -3, 5, 1, 2, 6, 1, 2, -1, 1, 2, -1});
  check<tl::bag{.mode = sum, .padding_index = 0}>({-2.75, 1.5, 8, 1, 8, -2, 0, 0, 0},
                                                  {0, 0, 0, 1, 2, 6, 1, 2, -1, 1, 2, -1});
}

TEST_CASE("embedding_bag has means, of what is no padding alone") {
  check<tl::bag{}>(
      {-1.75 / 3, -0.5 / 3, 11.0 / 3, 2.0 / 3, 2, 1.0 / 3, 1, -2, 3},
      {2.5, -1, 5.0 / 3, 1.0 / 3, 2.0 / 3, 2, 1.0 / 3, 2.0 / 3, -1.0 / 3, 1.0 / 3, 2.0 / 3, -1.0 / 3});
  check<tl::bag{.padding_index = 0}>({-1.375, 0.75, 4, 0.5, 4, -1, 0, 0, 0},
                                     {0, 0, 0, 0.5, 1, 3, 0.5, 1, -0.5, 0.5, 1, -0.5});
}

TEST_CASE("embedding_bag has maxima, element by element") {
  check<tl::bag{.mode = largest}>({1, 2, 6, 1, 4, 3, 1, -2, 3}, {3.5, -2, 4, 0, 1, 0, 0, 2, 0, 0, 0, -1});
  check<tl::bag{.mode = largest, .padding_index = 0}>({0.25, 2, 6, 0.5, 4, -1, 0, 0, 0},
                                                      {0, 0, 0, 0.5, 1, 3, 0, 2, 0, 1, 0, -1});
}

namespace {

template <tl::extent Length>
struct halves {
  constexpr auto operator()() const {
    auto table = tl::input<"table", tl::f16, 2, 1>;
    auto index = tl::input<"index", std::int32_t, 1, Length>;
    return tl::outputs(tl::named<"all">(tl::embedding_bag(table, index)),
                       tl::named<"kept">(tl::embedding_bag<tl::bag{.padding_index = 0}>(table, index)));
  }
};

struct empty_bags {
  constexpr auto operator()() const {
    auto table = tl::input<"table", float, 2, 3>;
    auto index = tl::input<"index", std::int32_t, 2, 0>;
    return tl::outputs(tl::named<"sum">(tl::embedding_bag<tl::bag{.mode = sum}>(table, index)),
                       tl::named<"mean">(tl::embedding_bag(table, index)),
                       tl::named<"max">(tl::embedding_bag<tl::bag{.mode = largest}>(table, index)));
  }
};

}  // namespace

TEST_CASE("embedding_bag has means in 16 bits of bags whose sum or length is beyond them") {
  const auto check_halves = [](auto f, std::size_t length, float row) {
    const std::vector<tl::f16> table{tl::f16(0), tl::f16(row)};
    const auto r = f("table"_t = table, "index"_t = std::vector<std::int32_t>(length, 1));
    CHECK(test::elements(r.template get<"all">()) == std::vector<double>{row});
    CHECK(test::elements(r.template get<"kept">()) == std::vector<double>{row});
  };
  test::on_each_policy([&]<class Policy>() {
    check_halves(tl::function<halves<100>, Policy>{halves<100>{}}, 100, 1000);
    check_halves(tl::function<halves<n>, Policy>{halves<n>{}}, 70000, 0.25);
  });
}

TEST_CASE("embedding_bag is 0 where bags have no room") {
  tl::function f{empty_bags{}};
  const auto r = f("table"_t = std::vector<float>{1, 2, 3, 4, 5, 6}, "index"_t = std::vector<std::int32_t>{});
  CHECK(test::elements(r.get<"sum">()) == std::vector<double>(6));
  CHECK(test::elements(r.get<"mean">()) == std::vector<double>(6));
  CHECK(test::elements(r.get<"max">()) == std::vector<double>(6));
}

namespace {

struct layer {
  constexpr auto operator()() const {
    auto index = tl::input<"index", std::int64_t, n, 2>;
    auto y = tl::embedding_bag<"bag", 6, 2, tl::bag{.mode = sum}, double>(index);
    auto z = tl::embedding_bag<"other", 6, 2>(index);
    return tl::outputs(tl::sum(y) + tl::cast<double>(tl::sum(z)), tl::named<"y">(y));
  }
};

}  // namespace

TEST_CASE("the layer embedding_bag owns a table, of which a step may update the rows that it has used") {
  tl::trainer net{layer{}, tl::lazy_rows(tl::sgd({.learning_rate = 1.f})), tl::cpu{}, 3};
  const std::vector<std::int64_t> index{1, 4, 1, 1};
  auto table = net.parameter<"bag.weight">();
  CHECK(table.size() == 12);
  const std::vector<double> before(table.begin(), table.end());
  const auto y = test::elements(net.step("index"_t = index).get<"y">());
  CHECK(y[0] == test::Approx(before[2] + before[8]));
  CHECK(y[3] == test::Approx(2 * before[3]));
  const double used[] = {0, 3, 0, 0, 1, 0};
  for (std::size_t i = 0; i < 12; ++i) CHECK(table[i] == test::Approx(before[i] - used[i / 2]));
}
