// SPDX-License-Identifier: BSL-1.0
// What can be bound, how run-time extents are found from it, and what is said where it does not fit.
#include <Eigen/Core>
#include <tapeless/tapeless.hpp>

#include <array>
#include <cmath>
#include <deque>
#include <limits>
#include <span>

#include "catch.hpp"

namespace tl = tapeless;
using namespace tl::literals;
using test::contains;

namespace {

constexpr auto batch = tl::dyn<"batch">;
constexpr auto rows = tl::dyn<"rows">;
constexpr auto columns = tl::dyn<"columns">;

// Row sums, times a number.
constexpr auto row_sums = [] {
  auto x = tl::input<"x", float, batch, 3>;
  auto scale = tl::input<"scale", float>;
  return tl::outputs(tl::named<"y">(scale * tl::sum<-1>(x)));
};

// Two run-time extents in one input.
constexpr auto weighted = [] {
  auto table = tl::input<"table", double, rows, columns>;
  auto weight = tl::input<"weight", double, columns>;
  return tl::outputs(tl::named<"y">(tl::sum<-1>(table * weight)));
};

// No input tells the extents.
constexpr auto alone = [] {
  return tl::outputs(tl::named<"y">(tl::sum<-1>(tl::input<"table", double, rows, columns>)));
};

// One name twice in one shape.
constexpr auto square_table = [] {
  return tl::outputs(tl::named<"y">(tl::sum<-1>(tl::input<"x", double, rows, rows>)));
};

constexpr auto classifier = [] {
  auto x = tl::input<"x", float, batch, 2>;
  auto label = tl::input<"label", std::int64_t, batch>;
  return tl::cross_entropy(tl::linear<"fc", 3>(x), label);
};

template <class View>
std::vector<double> numbers(View v) {
  return {v.begin(), v.end()};
}

/// Elements whose type the compiler does not see, as those of a dataset.
template <class Range>
tl::bound_elements untyped(const Range& range) {
  return tl::detail::elements_of(range);
}

const std::vector<float> six{1, 2, 3, 4, 5, 6};
const std::vector<double> sums{12, 30};

}  // namespace

TEST_CASE("ranges of all kinds") {
  tl::function f{row_sums};
  std::array<float, 6> array{1, 2, 3, 4, 5, 6};
  const float plain[] = {1, 2, 3, 4, 5, 6};
  const std::array<std::int64_t, 2> shape{2, 3};
  CHECK(numbers(f("x"_t = six, "scale"_t = 2.0f).get<"y">()) == sums);
  CHECK(numbers(f("x"_t = array, "scale"_t = 2.0f).get<"y">()) == sums);
  CHECK(numbers(f("x"_t = plain, "scale"_t = 2.0f).get<"y">()) == sums);
  CHECK(numbers(f("x"_t = std::span(array), "scale"_t = 2.0f).get<"y">()) == sums);
  CHECK(numbers(f("x"_t = std::span<const float, 6>(array), "scale"_t = 2.0f).get<"y">()) == sums);
  CHECK(numbers(f("scale"_t = 2.0f, "x"_t = tl::tensor_view<float>(array.data(), shape)).get<"y">()) == sums);
  CHECK(numbers(f("scale"_t = 2.0f, "x"_t = tl::tensor_view<const float>(plain, shape)).get<"y">()) == sums);
  const std::vector<float> scale{2};
  CHECK(numbers(f("x"_t = six, "scale"_t = scale).get<"y">()) == sums);
  CHECK(numbers(f("x"_t = std::vector<float>{1, 2, 3}, "scale"_t = 0.5f).get<"y">()) == std::vector{3.0});
}

TEST_CASE("elements in braces, in the call") {
  tl::function f{row_sums};
  const auto y = f("x"_t = {1.0f, 2.0f, 3.0f, 4.0f, 5.0f, 6.0f}, "scale"_t = {2.0f}).get<"y">();
  CHECK((y.size() == 2 && y[0] == 12 && y[1] == 30));
}

TEST_CASE("what says itself where its elements are, as elements on a device do") {
  struct says_where {
    operator tl::bound_elements() const {
      tl::bound_elements e;
      e.given = true;
      e.data = reinterpret_cast<const std::byte*>(six.data());
      e.type = tl::element::f32;
      e.count = 6;
      return e;
    }
  };
  tl::function f{row_sums};
  CHECK(numbers(f("x"_t = says_where(), "scale"_t = 2.0f).get<"y">()) == sums);
}

TEST_CASE("an output can be bound to an input") {
  tl::function f{row_sums}, g{row_sums};
  const std::vector<float> ones(9, 1.0f);
  const auto y = f("x"_t = ones, "scale"_t = 1.0f).get<"y">();
  CHECK(numbers(g("x"_t = std::span(y.data(), y.size()), "scale"_t = 1.0f).get<"y">()) == std::vector{9.0});
}

TEST_CASE("integers of the same size are the same") {
  constexpr auto total = [] {
    return tl::outputs(tl::named<"y">(tl::sum(tl::input<"x", std::int64_t, batch>)));
  };
  tl::function f{total};
  CHECK(f("x"_t = std::vector<long long>{1, 2, 3}).get<"y">()[0] == 6);
  CHECK(f("x"_t = std::vector<std::int64_t>{1, 2, 4}).get<"y">()[0] == 7);
  CHECK_THROWS_WITH(f("x"_t = untyped(std::vector<std::int32_t>{1, 2})),
                    contains("input \"x\" expects elements of type std::int64_t, but got std::int32_t"));
}

TEST_CASE("run-time extents are found") {
  tl::function f{weighted};
  const std::vector<double> table{1, 2, 3, 4, 5, 6}, weight{1, 10, 100}, two{1, 10};
  const std::vector<double> of_three{321, 654}, of_two{21, 43, 65};

  SECTION("from counts, of another input first") {
    CHECK(numbers(f("table"_t = table, "weight"_t = weight).get<"y">()) == of_three);
    CHECK(numbers(f("table"_t = table, "weight"_t = two).get<"y">()) == of_two);
    CHECK(numbers(f("weight"_t = weight, "table"_t = table).get<"y">()) == of_three);
  }
  SECTION("from shapes") {
    const std::array<std::int64_t, 2> shape{2, 3}, other{3, 2};
    const tl::tensor_view<const double> as_three(table.data(), shape), as_two(table.data(), other);
    CHECK(numbers(f("table"_t = as_three, "weight"_t = weight).get<"y">()) == of_three);
    CHECK(numbers(f("table"_t = as_two, "weight"_t = two).get<"y">()) == of_two);
    tl::function g{alone};
    CHECK(numbers(g("table"_t = as_three).get<"y">()) == std::vector<double>{6, 15});
    CHECK(numbers(g("table"_t = as_two).get<"y">()) == std::vector<double>{3, 7, 11});
  }
  SECTION("by name") {
    tl::function g{alone};
    CHECK(numbers(g("table"_t = table, "rows"_t = 2).get<"y">()) == std::vector<double>{6, 15});
    CHECK(numbers(g("columns"_t = 2, "table"_t = table).get<"y">()) == std::vector<double>{3, 7, 11});
    CHECK(numbers(g("columns"_t = 6, "table"_t = table, "rows"_t = 1).get<"y">()) == std::vector{21.0});
    CHECK(numbers(g("rows"_t = std::int64_t{6}, "table"_t = table).get<"y">()) == table);
  }
}

TEST_CASE("the shape of a result follows the extents") {
  tl::function f{row_sums};
  for (const std::size_t n : {4u, 1u, 7u}) {
    const auto r = f("x"_t = std::vector<float>(3 * n), "scale"_t = 1.0f);
    CHECK(r.get<"y">().shape().size() == 1);
    CHECK(r.get<"y">().shape()[0] == static_cast<std::int64_t>(n));
    CHECK(r.get<"y">().size() == n);
  }
}

// An input that is not mentioned is an error of the compiler, as are other element types: tests/errors.
TEST_CASE("an input that is bound to nothing") {
  tl::function f{row_sums};
  const tl::bound_elements nothing;
  CHECK_THROWS_AS(f("x"_t = six, "scale"_t = nothing), tl::error);
  CHECK_THROWS_WITH(f("x"_t = six, "scale"_t = nothing),
                    "tapeless: input \"scale\" is not bound: give it float[]");
  CHECK_THROWS_WITH(f("x"_t = nothing, "scale"_t = 1.0f),
                    "tapeless: input \"x\" is not bound: give it float[batch, 3]");
  CHECK_THROWS_WITH(f("x"_t = nothing, "scale"_t = 1.0f, "batch"_t = 5),
                    "tapeless: input \"x\" is not bound: give it float[batch = 5, 3]");
}

TEST_CASE("a binding of the wrong size or shape") {
  tl::function f{row_sums};
  const auto bind = [&](const auto& x) { f("x"_t = x, "scale"_t = 1.0f); };
  const auto view = [](std::vector<std::int64_t> shape) {
    return tl::tensor_view<const float>(six.data(), shape);
  };
  CHECK_THROWS_WITH(bind(std::vector<float>(7)),
                    "tapeless: input \"x\" expects the shape [batch, 3], but got 7 elements");
  CHECK_THROWS_WITH(f("x"_t = six, "scale"_t = 1.0f, "batch"_t = 3),
                    "tapeless: input \"x\" expects the shape [batch = 3, 3], but got 6 elements");
  CHECK_THROWS_WITH(bind(view({6})), "tapeless: input \"x\" expects the shape [batch, 3], but got [6]");
  CHECK_THROWS_WITH(bind(view({3, 2})), contains("expects the shape [batch = 3, 3], but got [3, 2]"));
  CHECK_THROWS_WITH(bind(view({1, 2, 3})), contains("expects the shape [batch, 3], but got [1, 2, 3]"));
  CHECK_THROWS_WITH(bind(1.0f), contains("expects the shape [batch, 3], but got 1 element"));
  CHECK_THROWS_WITH(f("x"_t = six, "scale"_t = six),
                    contains("input \"scale\" expects the shape [], but got 6"));
}

TEST_CASE("a binding of another element type, which only the program knows") {
  tl::function f{row_sums};
  CHECK_THROWS_WITH(f("x"_t = untyped(std::vector<double>(6)), "scale"_t = 1.0f),
                    "tapeless: input \"x\" expects elements of type float, but got double");
  CHECK_THROWS_WITH(f("x"_t = six, tl::binding<"scale">(true)), contains("type float, but got bool"));
}

TEST_CASE("a number takes the type of its input, and the shape of one that has one element") {
  constexpr auto sums = [] {
    auto x = tl::input<"x", float, batch, 1>;
    auto y = tl::input<"y", double>;
    auto i = tl::input<"i", std::int64_t, 1, 1>;
    return tl::outputs(tl::named<"x">(tl::sum(x)), tl::named<"y">(y), tl::named<"i">(i));
  };
  tl::function f{sums};
  const auto check = [&](const auto& x, const auto& y, const auto& i, float a, double b, std::int64_t c) {
    const auto r = f("x"_t = x, "y"_t = y, "i"_t = i);
    CHECK(r.template get<"x">()[0] == a);
    CHECK(r.template get<"y">()[0] == b);
    CHECK(r.template get<"i">()[0] == c);
  };
  check(0.1, 0.1f, 3, 0.1f, 0.1f, 3);
  check(7, std::uint8_t{200}, std::int16_t{-5}, 7, 200, -5);
  check(std::int64_t{1} << 40, std::size_t{6}, std::size_t{7}, 1099511627776.0f, 6, 7);
  check(tl::bf16(1.5f), tl::f16(-2.25f), std::uint32_t{4000000000}, 1.5f, -2.25, 4000000000);
  check(std::array{1.0f, 2.0f}, 1e300, std::array<std::int64_t, 1>{9}, 3, 1e300, 9);
  const auto kept = "y"_t = 2;  // a binding that is copied has its own number
  CHECK(f("x"_t = 1, kept, "i"_t = 0).get<"y">()[0] == 2);
  CHECK_THROWS_WITH(f("x"_t = 1, "y"_t = 2, tl::binding<"i">(1.0)),
                    contains("input \"i\" expects elements of type std::int64_t, but got double"));
  CHECK_THROWS_WITH(f("x"_t = 1, "y"_t = 2, "i"_t = 0, "batch"_t = 2),
                    contains("input \"x\" expects the shape [batch = 2, 1], but got 1 element"));
}

TEST_CASE("an extent that cannot be found, or is none") {
  tl::function f{alone};
  const std::vector<double> table(6);
  CHECK_THROWS_WITH(f("table"_t = table),
                    "tapeless: the run-time extents \"rows\", \"columns\" cannot be found from the inputs: "
                    "bind them by their names; of each input one may be left out");
  CHECK_THROWS_WITH(f("table"_t = table, "rows"_t = -2),
                    "tapeless: the run-time extent \"rows\" is bound to -2; it must not be negative");
  CHECK_THROWS_WITH(f("table"_t = table, "rows"_t = 4), contains("[rows = 4, columns], but got 6 elements"));
  CHECK_THROWS_WITH(f("table"_t = table, "rows"_t = 2, "columns"_t = 2),
                    contains("[rows = 2, columns = 2], but got 6 elements"));
  tl::function of_no_input{[] { return tl::named<"places">(tl::iota<float, rows, columns>()); }};
  CHECK_THROWS_WITH(of_no_input(),
                    "tapeless: the run-time extents \"rows\", \"columns\" cannot be found from the inputs: "
                    "bind them by their names");
  CHECK_THROWS_WITH(f("table"_t = table, "rows"_t = 0), contains("[rows = 0, columns], but got 6 elements"));
  CHECK_THROWS_WITH(
      f("table"_t = std::vector<double>{}, "rows"_t = 0),
      contains("the run-time extent \"columns\" cannot be found from the inputs: bind it by its name"));
}

TEST_CASE("equal names are equal extents") {
  tl::function f{weighted};
  const std::vector<double> table{1, 2, 3, 4, 5, 6}, weight{1, 2, 3};
  const std::array<std::int64_t, 2> shape{3, 2}, square{2, 2};
  const tl::tensor_view<const double> view(table.data(), shape);
  CHECK_THROWS_WITH(f("table"_t = view, "weight"_t = weight),
                    "tapeless: input \"weight\" expects the shape [columns = 2], but got 3 elements");
  CHECK_THROWS_WITH(f("table"_t = table, "weight"_t = std::vector<double>(4)),
                    contains("input \"table\" expects the shape [rows, columns = 4], but got 6 elements"));
  tl::function g{square_table};
  CHECK_THROWS_WITH(g("x"_t = view),
                    "tapeless: input \"x\" expects the shape [rows = 3, rows = 3], but got [3, 2]");
  CHECK(numbers(g("x"_t = tl::tensor_view<const double>(table.data(), square)).get<"y">()) ==
        std::vector<double>{3, 7});
  CHECK_THROWS_WITH(g("x"_t = std::vector<double>(4)), contains("\"rows\" cannot be found"));
  CHECK_THROWS_WITH(g("x"_t = std::vector<double>(5), "rows"_t = 2), contains("but got 5 elements"));
  CHECK(numbers(g("x"_t = std::vector<double>{1, 2, 3, 4}, "rows"_t = 2).get<"y">()) ==
        std::vector<double>{3, 7});
}

TEST_CASE("labels are checked, and a refused step changes nothing") {
  tl::trainer net{classifier, tl::adam({.learning_rate = 0.1})},
      other{classifier, tl::adam({.learning_rate = 0.1})};
  const std::vector<float> x{1, 2, 3, 4, 5, 6};
  const std::vector<std::int64_t> label{0, 2, 1}, above{0, 1, 3}, below{0, -1, 7}, far{1LL << 40, 0, 0};
  CHECK(net.step("x"_t = x, "label"_t = label).loss() == other.step("x"_t = x, "label"_t = label).loss());

  CHECK_THROWS_AS(net.step("x"_t = x, "label"_t = above), tl::error);
  CHECK_THROWS_WITH(net.step("x"_t = x, "label"_t = above),
                    "tapeless: input \"label\" holds 3 at position 2; as an index it must be from 0 to 2");
  CHECK_THROWS_WITH(net.step("x"_t = x, "label"_t = below),
                    "tapeless: input \"label\" holds -1 at position 1; as an index it must be from 0 to 2");
  CHECK_THROWS_WITH(net.evaluate("x"_t = x, "label"_t = far), contains("holds 1099511627776 at position 0"));
  CHECK_THROWS_WITH(net.accumulate(1, "x"_t = x, "label"_t = above), contains("holds 3 at position 2"));
  CHECK_THROWS_AS(net.step("x"_t = x, "label"_t = tl::bound_elements{}), tl::error);
  CHECK_THROWS_AS(net.step("x"_t = std::vector<float>(5), "label"_t = label), tl::error);
  CHECK_THROWS_AS(net.step("x"_t = x, "label"_t = std::vector<std::int64_t>(2)), tl::error);
  CHECK_THROWS_AS(net.step("x"_t = x, "label"_t = untyped(std::vector<std::int32_t>(3))), tl::error);
  CHECK(net.steps() == 1);

  for (int i = 0; i < 3; ++i)
    CHECK(net.step("x"_t = x, "label"_t = label).loss() == other.step("x"_t = x, "label"_t = label).loss());
  CHECK(numbers(net.parameter<"fc.weight">()) == numbers(other.parameter<"fc.weight">()));
  CHECK(numbers(net.parameter<"fc.bias">()) == numbers(other.parameter<"fc.bias">()));
}

TEST_CASE("where a label may be ignored the sentence says which") {
  tl::function f{[] {
    auto x = tl::input<"x", float, batch, 2>;
    auto label = tl::input<"label", std::int64_t, batch>;
    return tl::cross_entropy<tl::loss{.ignore_index = -100}>(tl::linear<"fc", 3>(x), label);
  }};
  const std::vector<float> x{1, 2, 3, 4};
  CHECK_NOTHROW(f("x"_t = x, "label"_t = std::vector<std::int64_t>{2, -100}));
  CHECK_THROWS_WITH(
      f("x"_t = x, "label"_t = std::vector<std::int64_t>{-100, -1}),
      "tapeless: input \"label\" holds -1 at position 1; as an index it must be from 0 to 2, or "
      "ignore_index = -100");
}

TEST_CASE("a function is called again after an error") {
  tl::function f{row_sums};
  const auto call = [&] { return numbers(f("x"_t = six, "scale"_t = 2.0f).get<"y">()); };
  CHECK_THROWS(f("x"_t = std::vector<float>(7), "scale"_t = 2.0f));
  CHECK(call() == sums);
  CHECK_THROWS(f("x"_t = std::vector<float>(4), "scale"_t = 2.0f));
  CHECK_THROWS(f("x"_t = six, "scale"_t = tl::bound_elements{}));
  CHECK(call() == sums);
}

TEST_CASE("an element of a run-time axis that is too short is an error") {
  tl::function f{[] {
    auto x = tl::input<"x", float, tl::dyn<"n">, 2>;
    return tl::outputs(tl::named<"third">(tl::at<2>(x)));
  }};
  const std::vector<float> three{1, 2, 3, 4, 5, 6}, two{1, 2, 3, 4}, none;
  CHECK(f("x"_t = three).get<"third">()[1] == 6);
  CHECK_THROWS_WITH(f("x"_t = two),
                    test::contains("element 2 along axis 0 is asked for, but the run-time extent "
                                   "there is 2: \"x\" has the shape [2, 2]"));
  CHECK_THROWS_AS(f("x"_t = none), tl::error);
  CHECK(f("x"_t = three).get<"third">()[0] == 5);
}

TEST_CASE("an axis that would have fewer than no elements is an error, also where others make up for it") {
  tl::function f{[] {
    auto x = tl::input<"x", float, tl::dyn<"n">>;
    auto rest = tl::slice<0, 40, tl::to_end>(x);
    return tl::outputs(tl::named<"y">(tl::concat<0>(rest, tl::input<"y", float, 40>)));
  }};
  const std::vector<float> one(1), forty(40), more(41, 2);
  CHECK_THROWS_WITH(f("x"_t = one, "y"_t = forty),
                    "tapeless: the run-time extents are too small: an axis would have -39 elements");
  CHECK(f("x"_t = forty, "y"_t = forty).get<"y">().size() == 40);
  CHECK(f("x"_t = more, "y"_t = forty).get<"y">()[0] == 2);
}

TEST_CASE("a number that is no extent") {
  tl::function f{alone};
  const std::vector<double> table(6);
  CHECK_THROWS_WITH(
      f("table"_t = table, "rows"_t = 1.5),
      "tapeless: the run-time extent \"rows\" is bound to 1.500000; it must be a whole number below 2^48");
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_WITH(f("table"_t = table, "rows"_t = nan), contains("\"rows\" is bound to nan"));
  CHECK_THROWS_WITH(f("table"_t = table, "rows"_t = 1e30f), contains("it must be a whole number below 2^48"));
  CHECK_THROWS_WITH(f("table"_t = table, "rows"_t = table),
                    "tapeless: the run-time extent \"rows\" is bound to elements; it is a whole number");
  CHECK(f("table"_t = table, "rows"_t = 2.0).get<"y">().size() == 2);
  CHECK(f("table"_t = table, "rows"_t = table.size()).get<"y">().size() == 6);
  CHECK_THROWS_WITH(f("table"_t = table, "rows"_t = ~std::size_t{}),
                    contains("which is more than a std::int64_t holds"));
}

TEST_CASE("scalars are what they are") {
  constexpr auto scaled = [] { return tl::named<"y">(2_c * tl::input<"x", double>); };
  tl::function f{scaled};
  CHECK(std::isnan(f("x"_t = std::numeric_limits<double>::quiet_NaN()).get<"y">()[0]));
  CHECK(f("x"_t = 1e300).get<"y">()[0] == 2e300);
}

TEST_CASE("extents that are too large") {
  tl::function f{alone};
  tl::function g{square_table};
  const std::vector<double> none;
  const std::int64_t large = std::int64_t{1} << 33, larger = std::int64_t{1} << 50;
  CHECK_THROWS_WITH(
      f("table"_t = none, "rows"_t = large, "columns"_t = large),
      contains("expects the shape [rows = 8589934592, columns = 8589934592], but got 0 elements"));
  CHECK_THROWS_WITH(g("x"_t = none, "rows"_t = std::int64_t{1} << 32), contains("but got 0 elements"));
  CHECK_THROWS_WITH(f("table"_t = none, "rows"_t = 0, "columns"_t = larger),
                    contains("more than 2^48 elements"));

  constexpr auto outer = [] {
    auto x = tl::input<"x", float, rows>;
    return tl::named<"y">(tl::sum(tl::cumsum<0>(tl::outer(x, tl::iota<float, columns>()))));
  };
  tl::function h{outer};
  const std::vector<float> x(100000);
  CHECK_THROWS_WITH(h("x"_t = x, "columns"_t = std::int64_t{1} << 47),
                    "tapeless: the run-time extents are too large: with \"rows\" = 100000, \"columns\" = "
                    "140737488355328, a tensor has more than 2^48 elements");
}

TEST_CASE("an input that is needed for its shape only") {
  constexpr auto model = [] {
    auto x = tl::input<"x", float, rows, 2>;
    auto y = tl::input<"y", float, rows>;
    auto z = tl::input<"z", float, columns, 3>;
    return tl::outputs(tl::mean(tl::square(tl::sum<-1>(x) - y)) + tl::sum(z),
                       tl::named<"places">(tl::iota<float, rows, columns>()));
  };
  tl::trainer net{model, tl::sgd({.learning_rate = 0.1})};
  const std::vector<float> x{1, 2, 3, 4}, y{1, 2}, z(9);
  const auto shape_of = [](const auto& r) {
    const auto shape = r.template get<"places">().shape();
    return std::vector<std::int64_t>(shape.begin(), shape.end());
  };
  const std::vector<std::int64_t> two_by_three{2, 3};
  CHECK(shape_of(net.predict("y"_t = y, "z"_t = z)) == two_by_three);
  CHECK(shape_of(net.predict("x"_t = x, "z"_t = z, "y"_t = y)) == two_by_three);
  CHECK(shape_of(net.predict("rows"_t = 2, "z"_t = z)) == two_by_three);
  CHECK(shape_of(net.predict("rows"_t = 2, "columns"_t = 3)) == two_by_three);
  CHECK(shape_of(net.predict("x"_t = Eigen::MatrixXf(4, 2), "z"_t = z)) == std::vector<std::int64_t>{4, 3});
  CHECK_THROWS_WITH(net.predict("z"_t = z), contains("the run-time extent \"rows\" cannot be found"));
  CHECK_THROWS_WITH(net.predict("x"_t = x, "y"_t = z, "z"_t = z),
                    "tapeless: input \"y\" has 9 along \"rows\", which is 2");
  CHECK_THROWS_WITH(net.predict("rows"_t = 5, "x"_t = x, "z"_t = z),
                    "tapeless: input \"x\" has 2 along \"rows\", which is 5");
}

TEST_CASE("evaluating no sample") {
  tl::trainer net{classifier, tl::adam({.learning_rate = 0.1})};
  const std::vector<float> x;
  const std::vector<std::int64_t> label;
  CHECK_THROWS_WITH(net.evaluate("x"_t = x, "label"_t = label),
                    "tapeless: input \"x\" has no elements: one sample or more is needed");
  CHECK_THROWS_WITH(net.step("x"_t = x, "label"_t = label), contains("one sample or more is needed"));
}
