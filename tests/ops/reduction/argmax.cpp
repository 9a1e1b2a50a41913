// SPDX-License-Identifier: BSL-1.0
// Where the largest and the smallest elements are; whether any or all conditions hold.
#include "catch.hpp"
#include "program.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

namespace {

constexpr auto n = tl::dyn<"n">, m = tl::dyn<"m">;

template <class T, tl::extent Columns>
struct places {
  constexpr auto operator()() const {
    auto x = tl::input<"x", T, n, Columns>;
    return tl::outputs(tl::named<"rows">(tl::argmax<-1>(x)), tl::named<"columns">(tl::argmin<0>(x)),
                       tl::named<"kept">(tl::argmin<1>(x, tl::keep_dims)), tl::named<"all">(tl::argmax(x)),
                       tl::named<"all_kept">(tl::argmin(x, tl::keep_dims)));
  }
};

template <class View>
void check(const View& found, const std::vector<std::int64_t>& expected) {
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(found[0])>, std::int64_t>);
  CHECK(std::vector<std::int64_t>(found.begin(), found.end()) == expected);
}

constexpr auto conditions = [] {
  auto c = tl::input<"c", bool, n, m>;
  auto x = tl::input<"x", float, n, m>;
  return tl::outputs(tl::named<"any">(tl::any<-1>(c)), tl::named<"all">(tl::all<0>(c, tl::keep_dims)),
                     tl::named<"any_all">(tl::any(c)), tl::named<"all_all">(tl::all(c, tl::keep_dims)),
                     tl::named<"positive">(tl::any<1>(x > 0_c)),
                     tl::named<"finite">(tl::all(tl::abs(x) < 9_c)),
                     tl::named<"masked">(tl::where(tl::all<1>(x > 0_c, tl::keep_dims), x, 0_c)));
};

}  // namespace

TEMPLATE_TEST_CASE("the first of the largest and of the smallest elements", "", float, double, std::int32_t,
                   std::int64_t) {
  tl::function literal{places<TestType, 4>{}};
  tl::function bound{places<TestType, m>{}};
  const std::vector<TestType> x{1, 3, 3, 2, -5, -5, -5, -5, 0, -7, 3, -7};
  const auto judge = [](auto r) {
    check(r.template get<"rows">(), {1, 0, 2});
    check(r.template get<"columns">(), {1, 2, 1, 2});
    check(r.template get<"kept">(), {0, 0, 1});
    CHECK(r.template get<"kept">().shape().size() == 2);
    check(r.template get<"all">(), {1});
    CHECK(r.template get<"all">().shape().empty());
    check(r.template get<"all_kept">(), {9});
    CHECK(r.template get<"all_kept">().shape().size() == 2);
  };
  judge(literal("x"_t = x));
  judge(bound("x"_t = x, "n"_t = 3));

  auto column = bound("x"_t = std::vector<TestType>{4, 2, 9}, "n"_t = 3);
  check(column.template get<"rows">(), {0, 0, 0});
  check(column.template get<"columns">(), {1});
  check(column.template get<"all">(), {2});
  auto none = literal("x"_t = std::vector<TestType>{});
  CHECK(none.template get<"rows">().size() == 0);
}

TEST_CASE("a NaN is found before any number, an infinity as one") {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = tl::infinity;
  tl::function f{places<double, 4>{}};
  auto r = f("x"_t = std::vector<double>{1, nan, inf, nan, -inf, -inf, -inf, -inf, 2, inf, -inf, 3});
  check(r.get<"rows">(), {1, 0, 1});
  check(r.get<"kept">(), {1, 0, 2});
  check(r.get<"columns">(), {1, 0, 1, 0});
}

TEST_CASE("whether any or all conditions hold") {
  tl::function f{conditions};
  const std::array<bool, 6> c{false, false, true, true, true, true};
  const std::vector<float> x{-1, 2, 1, 3, 0, -8};
  auto r = f("c"_t = c, "x"_t = x, "n"_t = 3);
  const auto of = [](const auto& view) { return std::vector<bool>(view.begin(), view.end()); };
  CHECK(of(r.get<"any">()) == std::vector<bool>{false, true, true});
  CHECK(of(r.get<"all">()) == std::vector<bool>{false, false});
  CHECK(of(r.get<"any_all">()) == std::vector<bool>{true});
  CHECK(of(r.get<"all_all">()) == std::vector<bool>{false});
  CHECK(of(r.get<"positive">()) == std::vector<bool>{true, true, false});
  CHECK(of(r.get<"finite">()) == std::vector<bool>{true});
  CHECK(test::elements(r.get<"masked">()) == std::vector<double>{0, 0, 1, 3, 0, 0});

  auto none = f("c"_t = std::array<bool, 0>{}, "x"_t = std::vector<float>{}, "n"_t = 2, "m"_t = 0);
  CHECK(of(none.get<"any">()) == std::vector<bool>{false, false});
  CHECK(of(none.get<"any_all">()) == std::vector<bool>{false});
  CHECK(of(none.get<"all_all">()) == std::vector<bool>{true});
}
