// SPDX-License-Identifier: BSL-1.0
// How many elements there are, known while compiling or not.
#include "catch.hpp"
#include "policies.hpp"
#include "program.hpp"

namespace {

constexpr auto n = tl::dyn<"n">, m = tl::dyn<"m">;

constexpr auto counts = [] {
  auto x = tl::input<"x", float, n, 3, m>;
  auto i = tl::input<"i", std::int32_t, n>;
  return tl::outputs(tl::named<"all">(tl::size(x) + tl::sum(x)), tl::named<"rows">(tl::size<0>(x)),
                     tl::named<"middle">(tl::size<-2>(x)), tl::named<"both">(tl::size<0, 2>(x)),
                     tl::named<"i">(i * tl::size(i)), tl::named<"one">(tl::size(tl::sum(x))));
};

// A mean by hand, and its gradient.
constexpr auto mean = [] {
  auto x = tl::input<"x", double, n, 2>;
  auto y = tl::sum<0>(tl::square(x)) / tl::size<0>(x);
  return tl::outputs(tl::named<"y">(y), tl::named<"g">(tl::grad(tl::sum(y), x)));
};

// In the body of a loop it is the element's size.
constexpr auto loop = [] {
  auto x = tl::input<"x", double, n, 2>;
  return tl::named<"y">(tl::scan([](auto h, auto v) { return h + tl::size(v); }, tl::sum(x), x));
};

}  // namespace

TEST_CASE("the number of elements, by axes") {
  test::on_each_policy([]<class Policy>() {
    tl::function<decltype(counts), Policy> f{counts};
    const std::vector<std::int32_t> i{7, -1};
    const auto r = f("x"_t = std::vector<float>(24, 0.5f), "i"_t = i);
    CHECK(r.template get<"all">()[0] == 36);
    CHECK(r.template get<"rows">()[0] == 2);
    CHECK(r.template get<"middle">()[0] == 3);
    CHECK(r.template get<"both">()[0] == 8);
    CHECK(test::elements(r.template get<"i">()) == std::vector<double>{14, -2});
    CHECK(r.template get<"one">()[0] == 1);
    const auto none = f("x"_t = std::vector<float>{}, "i"_t = i, "m"_t = 0);
    CHECK(none.template get<"all">()[0] == 0);
    CHECK(none.template get<"rows">()[0] == 2);
  });
}

TEST_CASE("a mean by the number of rows") {
  test::on_each_policy([]<class Policy>() {
    tl::function<decltype(mean), Policy> f{mean};
    const auto r = f("x"_t = std::vector<double>{1, 2, 3, 4, 5, 6});
    CHECK(r.template get<"y">()[0] == test::Approx(35.0 / 3));
    CHECK(r.template get<"g">()[5] == test::Approx(4));
    tl::function<decltype(loop), Policy> g{loop};
    CHECK(g("x"_t = std::vector<double>{1, 2, 3, 4}).template get<"y">()[0] == 14);
  });
}
