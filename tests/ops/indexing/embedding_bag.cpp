// SPDX-License-Identifier: BSL-1.0
// Bags of rows against PyTorch's embedding_bag, with gradients; empty bags, and a layer's table.
#include <tapeless/ops/indexing/embedding_bag.hpp>

#include "catch.hpp"
#include "check.hpp"
#include "policies.hpp"
#include "program.hpp"

#include <cmath>
#include <cstdint>
#include <limits>

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

namespace {

// Bags of 2, 0 and 3 rows, and none of the last one's; then the same bags padded with 3, which none has.
template <tl::bag Options, tl::extent Places, tl::extent Bags>
struct of_offsets {
  constexpr auto operator()() const {
    auto table = tl::input<"table", double, 4, 3>;
    auto scale = tl::input<"scale", double, 4, 3>;
    auto index = tl::input<"index", std::int32_t, Places>;
    auto y = tl::embedding_bag<Options>(table, index, tl::input<"offsets", std::int64_t, Bags>);
    auto z = tl::embedding_bag<tl::bag{.mode = Options.mode, .padding_index = 3}>(
        table, tl::input<"padded", std::int32_t, 4, 3>);
    return tl::outputs(tl::named<"y">(y), tl::named<"z">(z),
                       tl::named<"y by table">(tl::grad(tl::sum(y * scale), table)),
                       tl::named<"z by table">(tl::grad(tl::sum(z * scale), table)));
  }
};

template <tl::bag Options>
void check_offsets(const std::vector<std::int32_t>& index, const std::vector<std::int64_t>& offsets) {
  const auto table = test::numbers(1).vector(12), scale = test::numbers(2).vector(12);
  const std::vector<std::int32_t> padded{2, 0, 3, 3, 3, 3, 1, 1, 0, 3, 3, 3};
  const auto check_program = [&](auto f) {
    const auto r = f("table"_t = table, "scale"_t = scale, "index"_t = index, "offsets"_t = offsets,
                     "padded"_t = padded);
    test::check(r.template get<"y">(), test::elements(r.template get<"z">()));
    test::check(r.template get<"y by table">(), test::elements(r.template get<"z by table">()));
  };
  test::on_each_policy([&]<class Policy>() {
    constexpr of_offsets<Options, n, 4> model{};
    check_program(tl::function<of_offsets<Options, n, 4>, Policy>{model});
  });
}

}  // namespace

TEST_CASE("embedding_bag takes bags one behind the other, as it does padded ones") {
  const std::vector<std::int64_t> offsets{0, 2, 2, 5};
  check_offsets<tl::bag{.mode = sum}>({2, 0, 1, 1, 0}, offsets);
  check_offsets<tl::bag{}>({2, 0, 1, 1, 0}, offsets);
  check_offsets<tl::bag{.mode = largest}>({2, 0, 1, 1, 0}, offsets);
  check_offsets<tl::bag{.padding_index = 3}>({2, 3, 0, 3, 1, 1, 0}, {0, 3, 4, 7});
  check_offsets<tl::bag{.mode = largest, .padding_index = 3}>({2, 3, 0, 3, 1, 1, 0}, {0, 3, 4, 7});
  check_offsets<tl::bag{}>({3, 2, 0, 1, 1, 0}, {1, 3, 3, 6});  // the first row is in no bag
}

TEST_CASE("offsets are checked when they are bound") {
  tl::function f{of_offsets<tl::bag{}, 5, 4>{}};
  const std::vector<double> table(12);
  CHECK_THROWS_WITH(
      f("table"_t = table, "scale"_t = table, "index"_t = std::vector<std::int32_t>(5),
        "offsets"_t = std::vector<std::int64_t>{0, 2, 6, 5}, "padded"_t = std::vector<std::int32_t>(12)),
      test::contains("input \"offsets\" holds 6 at position 2"));
}

namespace {

constexpr auto weighted = [] {
  auto table = tl::input<"table", double, 4, 3>;
  auto w = tl::input<"w", double, 2, 3>;
  auto scale = tl::input<"scale", double, 2, 3>;
  auto index = tl::input<"index", std::int32_t, 2, 3>;
  constexpr tl::bag options{.mode = sum, .padding_index = 0};
  auto y = tl::embedding_bag<options>(table, index, w);
  auto z = tl::embedding_bag<options>(table, tl::reshape<6>(index), tl::input<"offsets", std::int32_t, 2>,
                                      tl::reshape<6>(w));
  return tl::outputs(tl::named<"y">(y), tl::named<"by table">(tl::grad(tl::sum(y * scale), table)),
                     tl::named<"by w">(tl::grad(tl::sum(y * scale), w)), tl::named<"z">(z),
                     tl::named<"z by w">(tl::grad(tl::sum(z * scale), w)));
};

constexpr auto weighted_layer = [] {
  auto index = tl::input<"index", std::int64_t, 2, 2>;
  auto w = tl::input<"w", float, 2, 2>;
  return tl::outputs(tl::named<"y">(tl::embedding_bag<"bag", 6, 2, tl::bag{.mode = sum}>(index, w)),
                     tl::named<"z">(tl::embedding_bag<"bag", 6, 2, tl::bag{.mode = sum}>(
                         tl::reshape<4>(index), 2_c * tl::iota<std::int64_t, 2>(), tl::reshape<4>(w))));
};

}  // namespace

// The rows of bags times their weights, by hand: index [2, 0, 3], [1, 1, 0] of which 0 is padding, whatever
// its row and weights are.
TEST_CASE("embedding_bag sums rows with weights") {
  test::on_each_policy([]<class Policy>() {
    tl::function<decltype(weighted), Policy> f{weighted};
    const double nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();
    const auto r = f("table"_t = std::vector<double>{infinity, nan, 3, 0.5, 4, -1, -3, 2, 2, 0.25, -0.5, 6},
                     "w"_t = std::vector<double>{2, nan, -1, 0.5, 3, infinity},
                     "scale"_t = std::vector<double>{1, 2, -1, 0.5, 1, 3},
                     "index"_t = std::vector<std::int32_t>{2, 0, 3, 1, 1, 0},
                     "offsets"_t = std::vector<std::int32_t>{0, 3});
    test::check(r.template get<"y">(), {-6.25, 4.5, -2, 1.75, 14, -3.5});
    test::check(r.template get<"z">(), {-6.25, 4.5, -2, 1.75, 14, -3.5});
    test::check(r.template get<"by table">(), {0, 0, 0, 1.75, 3.5, 10.5, 2, 4, -2, -1, -2, 1});
    test::check(r.template get<"by w">(), {-1, 0, -6.75, 1.25, 1.25, 0});
    test::check(r.template get<"z by w">(), {-1, 0, -6.75, 1.25, 1.25, 0});
  });
  tl::function layer{weighted_layer};
  const auto r =
      layer("index"_t = std::vector<std::int64_t>{1, 4, 1, 1}, "w"_t = std::vector<float>{2, -1, 0.5, 3});
  const auto table = layer.parameter<"bag.weight">();
  CHECK(r.get<"y">()[0] == test::Approx(2 * table[2] - table[8]));
  CHECK(r.get<"y">()[3] == test::Approx(3.5 * table[3]));
  test::check(r.get<"z">(), test::elements(r.get<"y">()));
}
