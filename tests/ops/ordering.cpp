// SPDX-License-Identifier: BSL-1.0
// Orders of elements, and elements that are brought to places: laws, and what PyTorch makes of ties, NaN and
// places that are named twice.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <tapeless/operations.hpp>

#include "laws/laws.hpp"

using laws::part;

TAPELESS_LAW(ordered, 12, 6, -1, 1,
             tl::sort<0>(part<0, 2, 3>(z)).values* tl::sort(part<6, 2, 3>(z), tl::descending).values +
                 tl::topk<1>(part<0, 2, 3>(z)).values * tl::topk<3>(part<6, 2, 3>(z), tl::smallest).values)
// iota / 2 is 0, 0, 1, 1: places that are named twice, and one that is not named.
TAPELESS_LAW(scattered, 12, 3, 0.5, 2,
             tl::scatter_reduce<0, tl::reduce::prod>(part<0, 3>(z), tl::iota<std::int64_t, 4>() / 2_c,
                                                     part<3, 4>(z)) *
                     tl::scatter_reduce<0, tl::reduce::amax>(part<7, 3>(z), tl::iota<std::int64_t, 4>() / 2_c,
                                                             part<3, 4>(z)) +
                 tl::scatter_reduce<0, tl::reduce::amin>(part<7, 3>(z), tl::iota<std::int64_t, 4>() / 2_c,
                                                         part<5, 4>(z), tl::exclude_self) *
                     tl::scatter_reduce<0, tl::reduce::mean>(part<0, 3>(z), tl::iota<std::int64_t, 4>() / 2_c,
                                                             part<8, 4>(z)))
TAPELESS_LAW(placed, 12, 6, -1, 1,
             tl::index_add<1>(part<0, 2, 3>(z), tl::iota<std::int64_t, 4>() / 2_c, part<4, 2, 4>(z)) *
                     tl::index_copy<0>(part<6, 2, 3>(z), tl::iota<std::int64_t, 1>(), part<0, 1, 3>(z)) +
                 tl::index_fill<1>(part<6, 2, 3>(z), tl::iota<std::int64_t, 2>(), 0.5_c) *
                     tl::put(part<0, 2, 3>(z), tl::iota<std::int64_t, 2>(), part<6, 2>(z)) +
                 tl::put(part<0, 2, 3>(z), tl::iota<std::int64_t, 2>() / 2_c, part<6, 2>(z), tl::adding))
TAPELESS_LAW(masked, 8, 4, -1, 1,
             tl::masked_fill(part<0, 4>(z), part<4, 4>(z) > 0_c, 2_c) *
                     tl::masked_select<4>(part<4, 4>(z), part<0, 4>(z) > 0_c) +
                 tl::scatter<0>(part<0, 4>(z), tl::iota<std::int64_t, 2>(), part<6, 2>(z)))
TAPELESS_LAW(repeated, 8, 12, -1, 1,
             tl::tile<3, 2>(part<0, 1, 2>(z)) * tl::repeat_interleave<0, 3>(part<2, 1, 4>(z)) +
                 tl::rot90<3>(tl::tile<2, 1>(part<2, 2, 3>(z))))
TAPELESS_LAW(differences, 9, 3, -1, 1,
             tl::diff<0>(part<0, 4>(z)) * tl::trapezoid<1>(part<0, 3, 3>(z), part<4, 3>(z)) +
                 tl::trapezoid<0>(part<0, 3, 3>(z)) +
                 tl::concat<0>(tl::diagonal<1>(part<0, 3, 3>(z)),
                               tl::diagonal<-2>(tl::diag_embed<-2>(part<3, 1>(z)))))
TAPELESS_LAW(running, 6, 6, -1, 1,
             tl::cummax<0>(z).values* tl::cummin<0>(z).values + tl::logcumsumexp<0>(3_c * z))

namespace {

constexpr auto n = tl::dyn<"n">;

struct orders {
  constexpr auto operator()() const {
    auto x = tl::input<"x", float, 2, n>;
    auto up = tl::sort(x);
    auto down = tl::sort(x, tl::descending);
    auto columns = tl::topk<1, 0>(x, tl::smallest);
    return tl::outputs(tl::named<"up">(up.values), tl::named<"up_places">(up.indices),
                       tl::named<"down">(down.values), tl::named<"down_places">(down.indices),
                       tl::named<"least">(columns.indices),
                       tl::named<"whole">(tl::argsort(tl::cast<std::int32_t>(x))));
  }
};

}  // namespace

TEST_CASE("equal elements keep their order, and NaN is larger than all numbers") {
  test::on_each_policy([]<class Policy>() {
    tl::function<orders, Policy> f{orders{}};
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    constexpr float infinity = std::numeric_limits<float>::infinity();
    const auto y = f("x"_t = std::vector<float>{2, nan, -1, 2, infinity, 0, 0, -0.f, -infinity, 0});
    CHECK(test::elements(y.template get<"up_places">()) == std::vector<double>{2, 0, 3, 4, 1, 3, 0, 1, 2, 4});
    CHECK(test::elements(y.template get<"down_places">()) ==
          std::vector<double>{1, 4, 0, 3, 2, 0, 1, 2, 4, 3});
    const auto up = test::elements(y.template get<"up">());
    CHECK(up[0] == -1);
    CHECK(std::isnan(up[4]));
    CHECK(test::elements(y.template get<"down">())[1] == infinity);
    CHECK(test::elements(y.template get<"least">()) == std::vector<double>{1, 1, 0, 1, 1});
  });
}

TEST_CASE("a sort of many elements is the standard library's") {
  test::on_each_policy([]<class Policy>() {
    constexpr auto model = [] { return tl::named<"y">(tl::argsort(tl::input<"x", double, n>)); };
    tl::function<decltype(model), Policy> f{model};
    test::numbers random;
    std::vector<double> x = random.vector(777);
    for (double& one : x) one = std::floor(one * 20);
    std::vector<double> expected(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) expected[i] = static_cast<double>(i);
    std::sort(expected.begin(), expected.end(), [&](double a, double b) {
      const double left = x[static_cast<std::size_t>(a)], right = x[static_cast<std::size_t>(b)];
      return left < right || (left == right && a < b);
    });
    const auto r = f("x"_t = x);
    CHECK(test::elements(r.template get<"y">()) == expected);
  });
}

namespace {

constexpr auto places = [] {
  auto x = tl::input<"x", float, 3>;
  auto source = tl::input<"source", float, 4>;
  auto index = tl::input<"index", std::int64_t, 4>;
  auto g = [x, source](auto y) {
    return tl::concat<0>(y, tl::grad(tl::sum(y), x), tl::grad(tl::sum(y), source));
  };
  return tl::outputs(tl::named<"amax">(g(tl::scatter_reduce<0, tl::reduce::amax>(x, index, source))),
                     tl::named<"amin">(g(tl::scatter_reduce<0, tl::reduce::amin>(x, index, source))),
                     tl::named<"prod">(g(tl::scatter_reduce<0, tl::reduce::prod>(x, index, source))),
                     tl::named<"mean">(g(tl::scatter_reduce<0, tl::reduce::mean>(x, index, source))),
                     tl::named<"sum">(g(tl::scatter_reduce<0, tl::reduce::sum>(x, index, source))),
                     tl::named<"count">(tl::bincount<4>(index)),
                     tl::named<"weight">(tl::bincount<4>(index, source)),
                     tl::named<"left">(tl::searchsorted(x, source)),
                     tl::named<"right">(tl::searchsorted(x, source, tl::right_side)),
                     tl::named<"along">(tl::take_along<0>(tl::reshape<3, 1>(x), tl::reshape<2, 2>(index))));
};

}  // namespace

TEST_CASE("what is brought to a place is reduced with what is there, as PyTorch reduces it") {
  test::on_each_policy([]<class Policy>() {
    tl::function<decltype(places), Policy> f{places};
    const std::vector<float> x{1, 2, 4}, source{3, 1, 4, 0.5f};
    const std::vector<std::int64_t> index{0, 0, 2, 0};
    const auto y = f("x"_t = x, "source"_t = source, "index"_t = index);
    const auto is = [](const auto& view, std::vector<double> expected) {
      const std::vector<double> found = test::elements(view);
      REQUIRE(found.size() == expected.size());
      for (std::size_t i = 0; i < found.size(); ++i) CHECK(found[i] == test::Approx(expected[i]));
    };
    is(y.template get<"amax">(), {3, 2, 4, 0, 1, 0.5, 1, 0, 0.5, 0});
    is(y.template get<"amin">(), {0.5, 2, 4, 0, 1, 0.5, 0, 0, 0.5, 1});
    is(y.template get<"prod">(), {1.5, 2, 16, 1.5, 1, 4, 0.5, 1.5, 4, 3});
    is(y.template get<"mean">(), {1.375, 2, 4, 0.25, 1, 0.5, 0.25, 0.25, 0.5, 0.25});
    is(y.template get<"sum">(), {5.5, 2, 8, 1, 1, 1, 1, 1, 1, 1});
    is(y.template get<"count">(), {3, 0, 1, 0});
    is(y.template get<"weight">(), {4.5, 0, 4, 0});
    is(y.template get<"left">(), {2, 0, 2, 0});
    is(y.template get<"right">(), {2, 1, 3, 0});
    is(y.template get<"along">(), {1, 1, 4, 1});
  });
}

namespace {

constexpr auto extremes = [] {
  auto x = tl::input<"x", float, 5>;
  auto source = tl::input<"source", float, n>;
  auto index = tl::input<"index", std::int64_t, n>;
  auto whole = tl::input<"whole", std::int32_t, n>;
  auto g = [x, source](auto y) {
    return tl::concat<0>(y, tl::grad(tl::sum(y), x), tl::grad(tl::sum(y), source));
  };
  constexpr auto amax = [](auto... all) { return tl::scatter_reduce<0, tl::reduce::amax>(all...); };
  constexpr auto amin = [](auto... all) { return tl::scatter_reduce<0, tl::reduce::amin>(all...); };
  auto sevens = tl::full<std::int32_t, 5>(7_c);
  return tl::outputs(tl::named<"amax">(g(amax(x, index, source))),
                     tl::named<"amin">(g(amin(x, index, source))),
                     tl::named<"amax alone">(g(amax(x, index, source, tl::exclude_self))),
                     tl::named<"amin alone">(g(amin(x, index, source, tl::exclude_self))),
                     tl::named<"whole">(amax(sevens, index, whole, tl::exclude_self)),
                     tl::named<"half">(amin(tl::cast<tl::bf16>(x), index, tl::cast<tl::bf16>(source))));
};

constexpr auto rows_of_extremes = [] {
  auto x = tl::input<"x", double, 3, 2, 4>;
  auto index = tl::input<"index", std::int32_t, 2, n, 3>;
  return tl::outputs(tl::named<"amax">(
      tl::scatter_reduce<1, tl::reduce::amax>(x, index, tl::input<"source", double, 2, n, 3>)));
};

}  // namespace

TEST_CASE("the largest and smallest of a place: equal ones share the derivative, x's own among them") {
  test::on_each_policy([]<class Policy>() {
    tl::function<decltype(extremes), Policy> f{extremes};
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    const std::vector<float> x{1, 2, 4, 5, -3}, source{4, 4, 1, 4, 0, nan, -3};
    const std::vector<std::int64_t> index{0, 0, 0, 2, 2, 3, 4};
    const std::vector<std::int32_t> whole{-5, -4, -6, -2147483647 - 1, -7, 0, 9};
    const auto y = f("x"_t = x, "source"_t = source, "index"_t = index, "whole"_t = whole);
    const auto is = [](const auto& view, std::vector<double> expected) {
      std::vector<double> found = test::elements(view);
      CHECK(std::isnan(found[3]));
      found[3] = 0;
      CHECK(found == expected);
    };
    is(y.template get<"amax">(), {4, 2, 4, 0, -3, 0, 1, 0.5, 0, 0.5, 0.5, 0.5, 0, 0.5, 0, 0, 0.5});
    is(y.template get<"amin">(), {1, 2, 0, 0, -3, 0.5, 1, 0, 0, 0.5, 0, 0, 0.5, 0, 1, 0, 0.5});
    is(y.template get<"amax alone">(), {4, 2, 4, 0, -3, 0, 1, 0, 0, 0, 0.5, 0.5, 0, 1, 0, 0, 1});
    is(y.template get<"amin alone">(), {1, 2, 0, 0, -3, 0, 1, 0, 0, 0, 0, 0, 1, 0, 1, 0, 1});
    is(y.template get<"half">(), {1, 2, 0, 0, -3});
    CHECK(test::elements(y.template get<"whole">()) == std::vector<double>{-4, 7, -7, 0, 9});
  });
}

TEST_CASE("the largest of a place along a middle axis, of an index with shorter rows") {
  test::on_each_policy([]<class Policy>() {
    tl::function<decltype(rows_of_extremes), Policy> f{rows_of_extremes};
    std::vector<double> x(24, -0.5), expected = x;
    for (const std::size_t count : {std::size_t{0}, std::size_t{5}, std::size_t{300}}) {
      const std::vector<double> source = test::numbers(2).vector(6 * count);
      std::vector<std::int32_t> index;
      for (std::size_t i = 0; i < 6 * count; ++i) index.push_back(static_cast<std::int32_t>(i * i % 7 % 2));
      for (std::size_t i = 0; i < 6 * count; ++i) {
        const std::size_t row = i / (3 * count), column = i % 3;
        double& y = expected[row * 8 + static_cast<std::size_t>(index[i]) * 4 + column];
        y = std::max(y, source[i]);
      }
      const auto r = f("x"_t = x, "index"_t = index, "source"_t = source);
      CHECK(test::elements(r.template get<"amax">()) == expected);
      expected = x;
    }
  });
}

namespace {

constexpr auto bytes = [] {
  auto table = tl::input<"table", float, 300, 2>;
  auto label = tl::input<"label", std::uint8_t, n>;
  auto logits = tl::input<"logits", float, n, 3>;
  auto kind = tl::input<"kind", std::uint8_t, n>;
  return tl::outputs(tl::named<"rows">(tl::embedding(table, label)),
                     tl::named<"picked">(tl::index_select<0>(table, label)),
                     tl::named<"hot">(tl::one_hot<300>(label)),
                     tl::named<"loss">(tl::cross_entropy(logits, kind) -
                                       tl::cross_entropy(logits, tl::cast<std::int64_t>(kind))));
};

}  // namespace

TEST_CASE("an index of a product that is out of range is an error, from an input or computed") {
  static constexpr auto product = [](auto index) {
    return tl::named<"y">(tl::scatter_reduce<0, tl::reduce::prod>(tl::input<"x", float, 3>, index,
                                                                  tl::input<"source", float, 2>));
  };
  tl::function bound{[] { return product(tl::input<"index", std::int32_t, 2>); }};
  tl::function computed{[] { return product(tl::input<"index", std::int32_t, 2> - 1_c); }};
  const std::vector<float> x{1, 2, 3}, source{5, 7};
  for (const std::int32_t wrong : {-1, 3, 100}) {
    CHECK_THROWS_WITH(bound("x"_t = x, "source"_t = source, "index"_t = std::vector<std::int32_t>{wrong, 1}),
                      test::contains("\"index\"") && test::contains(std::to_string(wrong)));
    CHECK_THROWS_WITH(
        computed("x"_t = x, "source"_t = source, "index"_t = std::vector<std::int32_t>{wrong + 1, 1}),
        test::contains("an index is " + std::to_string(wrong)));
  }
  const auto y = computed("x"_t = x, "source"_t = source, "index"_t = std::vector<std::int32_t>{3, 2});
  CHECK(test::elements(y.get<"y">()) == std::vector<double>{1, 14, 15});
}

TEST_CASE("bytes are indices of products, in more places than a byte counts") {
  test::on_each_policy([]<class Policy>() {
    constexpr auto product = [] {
      return tl::named<"y">(tl::scatter_reduce<0, tl::reduce::prod>(
          tl::input<"x", float, 300>, tl::input<"index", std::uint8_t, 2>, tl::input<"source", float, 2>));
    };
    tl::function<decltype(product), Policy> f{product};
    std::vector<double> expected(300, 1);
    expected[2] = 5;
    expected[255] = 7;
    const auto y = f("x"_t = std::vector<float>(300, 1), "source"_t = std::vector<float>{5, 7},
                     "index"_t = std::vector<std::uint8_t>{2, 255});
    CHECK(test::elements(y.template get<"y">()) == expected);
  });
}

TEST_CASE("the mean of whole numbers that are brought to a place is rounded down") {
  tl::function f{[] {
    auto x = tl::input<"x", std::int64_t, 3>;
    auto index = tl::input<"index", std::int64_t, 4>;
    auto source = tl::input<"source", std::int64_t, 4>;
    return tl::outputs(
        tl::named<"with">(tl::scatter_reduce<0, tl::reduce::mean>(x, index, source)),
        tl::named<"alone">(tl::scatter_reduce<0, tl::reduce::mean>(x, index, source, tl::exclude_self)));
  }};
  using numbers = std::vector<std::int64_t>;
  const auto y =
      f("x"_t = numbers{-1, 1, 9}, "index"_t = numbers{0, 1, 1, 1}, "source"_t = numbers{-2, 2, 2, -6});
  CHECK(test::elements(y.get<"with">()) == std::vector<double>{-2, -1, 9});
  CHECK(test::elements(y.get<"alone">()) == std::vector<double>{-2, -1, 9});
}

TEST_CASE("NaN stands behind all numbers of a sequence, and is at home there") {
  test::on_each_policy([]<class Policy>() {
    constexpr auto places_in = [] {
      auto sequence = tl::input<"sequence", double, 4>;
      auto x = tl::input<"x", double, 4>;
      return tl::outputs(tl::named<"left">(tl::searchsorted(sequence, x)),
                         tl::named<"right">(tl::searchsorted(sequence, x, tl::right_side)));
    };
    tl::function<decltype(places_in), Policy> f{places_in};
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    const auto y =
        f("sequence"_t = std::vector<double>{1, 2, nan, nan}, "x"_t = std::vector<double>{1.5, 2, 5, nan});
    CHECK(test::elements(y.template get<"left">()) == std::vector<double>{1, 1, 2, 2});
    CHECK(test::elements(y.template get<"right">()) == std::vector<double>{1, 2, 2, 4});
  });
}

TEST_CASE("bytes are indices, and labels") {
  test::on_each_policy([]<class Policy>() {
    tl::function<decltype(bytes), Policy> f{bytes};
    const std::vector<float> table = test::numbers().vector<float>(600),
                             logits = test::numbers().vector<float>(6);
    const std::vector<std::uint8_t> label{255, 3};
    std::vector<std::uint8_t> kind{2, 0};
    const auto y = f("table"_t = table, "label"_t = label, "logits"_t = logits, "kind"_t = kind);
    const auto rows = test::elements(y.template get<"rows">());
    CHECK(rows == std::vector<double>{table[510], table[511], table[6], table[7]});
    CHECK(test::elements(y.template get<"picked">()) == rows);
    CHECK(test::elements(y.template get<"hot">())[255] == 1);
    CHECK(test::elements(y.template get<"loss">())[0] == 0);
    kind[0] = 3;
    CHECK_THROWS_WITH(f("table"_t = table, "label"_t = label, "logits"_t = logits, "kind"_t = kind),
                      test::contains("\"kind\" holds 3 at position 0; as an index it must be from 0 to 2"));
  });
}

TEST_CASE("a reshape finds out an extent, an expand keeps one, and a correction may be fractional") {
  constexpr auto model = [] {
    auto x = tl::input<"x", double, n, 6>;
    return tl::outputs(tl::named<"a">(tl::reshape<-1, 3>(x)), tl::named<"b">(tl::reshape<n, -1, 2>(x)),
                       tl::named<"c">(tl::expand<2, -1, 6>(tl::slice<1, 0, 1>(x))),
                       tl::named<"v">(tl::var<1>(x, tl::correction<1.5>)));
  };
  tl::function f{model};
  const auto y = f("x"_t = std::vector<double>{1, 2, 3, 4, 5, 6, 0, 0, 0, 0, 0, 9});
  CHECK(y.get<"a">().shape()[0] == 4);
  CHECK(y.get<"b">().shape()[1] == 3);
  CHECK(test::elements(y.get<"a">()) == test::elements(y.get<"b">()));
  CHECK(y.get<"c">().shape()[1] == 2);
  CHECK(test::elements(y.get<"v">())[0] == test::Approx(17.5 / 4.5));
}

namespace {

struct running_places {
  constexpr auto operator()() const {
    auto x = tl::input<"x", float, 2, 5>;
    auto most = tl::cummax<1>(x);
    auto least = tl::cummin<0>(x);
    return tl::outputs(tl::named<"most">(most.indices), tl::named<"values">(most.values),
                       tl::named<"least">(least.indices), tl::named<"sums">(tl::logcumsumexp<1>(500_c * x)));
  }
};

}  // namespace

TEST_CASE("of equal largest elements the last is found, and no power overflows") {
  test::on_each_policy([]<class Policy>() {
    tl::function<running_places, Policy> f{running_places{}};
    const auto y = f("x"_t = std::vector<float>{1, 3, 2, 3, 0, 4, 3, 5, 5, 1});
    CHECK(test::elements(y.template get<"most">()) == std::vector<double>{0, 1, 1, 3, 3, 0, 0, 2, 3, 3});
    CHECK(test::elements(y.template get<"values">()) == std::vector<double>{1, 3, 3, 3, 3, 4, 4, 5, 5, 5});
    CHECK(test::elements(y.template get<"least">()) == std::vector<double>{0, 0, 0, 0, 0, 0, 1, 0, 0, 0});
    const auto sums = test::elements(y.template get<"sums">());
    CHECK(sums[1] == 1500);
    CHECK(sums[3] == test::Approx(1500.6931));
    CHECK(sums[8] == test::Approx(2500.6931));
  });
}

TEST_CASE("bits of integers, and numbers as conditions") {
  test::on_each_policy([]<class Policy>() {
    constexpr auto model = [] {
      auto a = tl::input<"a", std::int32_t, 4>;
      auto b = tl::input<"b", std::int32_t, 4>;
      auto x = tl::input<"x", float, 4>;
      auto byte = tl::cast<std::uint8_t>(b);
      return tl::outputs(
          tl::named<"bits">(tl::concat<0>(tl::bitwise_and(a, b), tl::bitwise_or(a, b), tl::bitwise_xor(a, b),
                                          tl::bitwise_not(a), tl::bitwise_left_shift(a, b),
                                          tl::bitwise_right_shift(a, b))),
          tl::named<"bytes">(tl::concat<0>(tl::bitwise_not(byte), tl::bitwise_xor(byte, 6_c))),
          tl::named<"truth">(
              tl::concat<0>(tl::logical_and(a, x), tl::logical_or(a, x), tl::logical_xor(x != 0_c, b))));
    };
    tl::function<decltype(model), Policy> f{model};
    constexpr int lowest = std::numeric_limits<std::int32_t>::lowest(),
                  highest = std::numeric_limits<std::int32_t>::max();
    const auto y =
        f("a"_t = std::array<std::int32_t, 4>{12, 0, lowest, highest},
          "b"_t = std::array<std::int32_t, 4>{10, 1, 1, 31}, "x"_t = std::vector<float>{0, -2, 0.5f, 0});
    CHECK(test::elements(y.template get<"bits">()) ==
          std::vector<double>{8,     0, 0,          31,           14,  1,  lowest + 1, highest,
                              6,     1, lowest + 1, highest - 31, -13, -1, highest,    lowest,
                              12288, 0, 0,          lowest,       0,   0,  lowest / 2, 0});
    CHECK(test::elements(y.template get<"bytes">()) == std::vector<double>{245, 254, 254, 224, 12, 7, 7, 25});
    CHECK(test::elements(y.template get<"truth">()) ==
          std::vector<double>{0, 0, 1, 0, 1, 1, 1, 1, 1, 0, 0, 1});
  });
}

TEST_CASE("whole numbers of all sizes are inputs and indices, and keep their range") {
  test::on_each_policy([]<class Policy>() {
    constexpr auto model = [] {
      auto a = tl::input<"a", std::int8_t, 3>;
      auto b = tl::input<"b", std::int16_t, 3>;
      auto c = tl::input<"c", std::uint32_t, 3>;
      auto table = tl::input<"table", float, 4>;
      return tl::outputs(
          tl::named<"sum">(a + a), tl::named<"size">(tl::abs(c)),
          tl::named<"least">(tl::min(b, tl::sort<0>(b).values)), tl::named<"wide">(tl::cast<double>(c) + 1_c),
          tl::named<"ends">(tl::cast<std::int8_t>(table * 100_c)),
          tl::named<"picked">(tl::index_select<0>(table, a) + tl::index_select<0>(table, b - 299_c) +
                              tl::index_select<0>(table, c - c)));
    };
    tl::function<decltype(model), Policy> f{model};
    const auto y =
        f("a"_t = std::array<std::int8_t, 3>{1, 0, 3}, "b"_t = std::array<std::int16_t, 3>{301, 300, 299},
          "c"_t = std::array<std::uint32_t, 3>{4294967295u, 0, 7},
          "table"_t = std::vector<float>{1, -2, 3, 0.5f});
    CHECK(test::elements(y.template get<"sum">()) == std::vector<double>{2, 0, 6});
    CHECK(test::elements(y.template get<"size">()) == std::vector<double>{4294967295.0, 0, 7});
    CHECK(test::elements(y.template get<"least">()) == std::vector<double>{299, 300, 299});
    CHECK(test::elements(y.template get<"wide">()) == std::vector<double>{4294967296.0, 1, 8});
    CHECK(test::elements(y.template get<"ends">()) == std::vector<double>{100, -128, 127, 50});
    CHECK(test::elements(y.template get<"picked">()) == std::vector<double>{2, 0, 2.5});
  });
}

TEST_CASE("a grid of two vectors repeats each along the other's axis") {
  tl::function f{[] {
    auto x = tl::input<"x", float, 2>;
    auto y = tl::input<"y", float, 3>;
    auto [rows, columns] = tl::meshgrid(x, y);
    return tl::outputs(tl::named<"rows">(rows), tl::named<"columns">(columns));
  }};
  auto r = f("x"_t = std::vector<float>{1, 2}, "y"_t = std::vector<float>{3, 4, 5});
  CHECK(test::elements(r.get<"rows">()) == std::vector<double>{1, 1, 1, 2, 2, 2});
  CHECK(test::elements(r.get<"columns">()) == std::vector<double>{3, 4, 5, 3, 4, 5});
}

namespace {

struct different_elements {
  constexpr auto operator()() const {
    auto x = tl::input<"x", double, n>;
    auto sorted = tl::unique<3>(x);
    auto runs = tl::unique_consecutive<3>(x);
    return tl::outputs(tl::named<"values">(sorted.values), tl::named<"inverse">(sorted.inverse),
                       tl::named<"counts">(sorted.counts), tl::named<"run_values">(runs.values),
                       tl::named<"run_inverse">(runs.inverse), tl::named<"run_counts">(runs.counts),
                       tl::named<"dx">(tl::vjp(sorted.values, x, tl::iota<double, 3>() + 1_c)));
  }
};

}  // namespace

TEST_CASE("different elements, fewer and more than there is room for") {
  using tl::literals::operator""_t;
  tl::function f{different_elements{}};
  const auto is = [](const auto& view, const std::vector<double>& expected) {
    CHECK(std::vector<double>(view.begin(), view.end()) == expected);
  };
  const auto some = f("x"_t = std::vector<double>{2, 2, -1, 2});
  is(some.get<"values">(), {-1, 2, 0});
  is(some.get<"inverse">(), {1, 1, 0, 1});
  is(some.get<"counts">(), {1, 3, 0});
  is(some.get<"dx">(), {2, 0, 1, 0});
  is(some.get<"run_values">(), {2, -1, 2});
  is(some.get<"run_inverse">(), {0, 0, 1, 2});
  is(some.get<"run_counts">(), {2, 1, 1});
  const auto many = f("x"_t = std::vector<double>{5, 1, 4, 2, 1});
  is(many.get<"values">(), {1, 2, 4});
  is(many.get<"inverse">(), {3, 0, 2, 1, 0});
  is(many.get<"counts">(), {2, 1, 1});
  const double nan = std::numeric_limits<double>::quiet_NaN();
  is(f("x"_t = std::vector<double>{nan, 3, nan}).get<"counts">(), {1, 1, 1});
}
