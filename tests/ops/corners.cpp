// SPDX-License-Identifier: BSL-1.0
// Values and derivatives where operations meet infinities, zeros, NaN, the least integers, or loops:
// PyTorch's.
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include <tapeless/operations.hpp>
#include <tapeless/tapeless.hpp>

#include "catch.hpp"

namespace tl = tapeless;
using namespace tl::literals;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

template <class Model, class... Bindings>
std::vector<double> values(Model model, const Bindings&... bindings) {
  tl::function f{model};
  const auto r = f(bindings...);
  const auto y = r.template get<"y">();
  return {y.begin(), y.end()};
}
using numbers = std::vector<double>;

}  // namespace

TEST_CASE("a quantile that is an element does not look at the next one") {
  constexpr auto middle = [] { return tl::named<"y">(tl::quantile<0.5>(tl::input<"x", double, 3>)); };
  CHECK(values(middle, "x"_t = numbers{1, 2, infinity}) == numbers{2});
  constexpr auto least = [] { return tl::named<"y">(tl::quantile<0.0>(tl::input<"x", double, 2>)); };
  CHECK(values(least, "x"_t = numbers{1, infinity}) == numbers{1});
}

TEST_CASE("a window of zeros has a gradient of zeros in an Lp pool") {
  constexpr auto model = [] {
    auto x = tl::input<"x", double, 1, 1, 1, 4>;
    return tl::named<"y">(tl::grad(tl::sum(tl::lp_pool2d<tl::pool{.kernel = {1, 2}}>(x)), x));
  };
  const numbers g = values(model, "x"_t = numbers{0, 0, 3, 4});
  CHECK((g[0] == 0 && g[1] == 0 && g[3] == test::Approx(0.8)));
}

TEST_CASE("cummin of integers without a sign, and of the least one") {
  constexpr auto bytes = [] { return tl::named<"y">(tl::cummin<0>(tl::input<"x", std::uint8_t, 3>).values); };
  CHECK(values(bytes, "x"_t = std::vector<std::uint8_t>{5, 0, 7}) == numbers{5, 0, 0});
  constexpr auto least = [] { return tl::named<"y">(tl::cummin<0>(tl::input<"x", std::int32_t, 2>).values); };
  constexpr std::int32_t lowest = std::numeric_limits<std::int32_t>::min();
  CHECK(values(least, "x"_t = std::vector<std::int32_t>{lowest, 5}) == numbers{lowest, lowest});
}

TEST_CASE("triplet_margin_loss by the largest difference, and of equal vectors") {
  constexpr auto far = [] {
    auto a = tl::input<"a", double, 1, 2>;
    auto p = tl::input<"p", double, 1, 2>;
    auto n = tl::input<"n", double, 1, 2>;
    return tl::named<"y">(
        tl::triplet_margin_loss<tl::loss{.power = std::numeric_limits<double>::infinity(), .eps = 0}>(a, p,
                                                                                                      n));
  };
  CHECK(values(far, "a"_t = numbers{0, 0}, "p"_t = numbers{1, 0}, "n"_t = numbers{0, 1.5}) == numbers{0.5});
  constexpr auto equal = [] {
    auto a = tl::input<"a", double, 1, 2>;
    auto n = tl::input<"n", double, 1, 2>;
    return tl::named<"y">(tl::grad(tl::triplet_margin_loss<tl::loss{.eps = 0}>(a, a * 1_c, n), a));
  };
  for (const double g : values(equal, "a"_t = numbers{0, 0}, "n"_t = numbers{0, 0.5}))
    CHECK(std::isfinite(g));
}

TEST_CASE("NaN is no probability, and stands behind all numbers") {
  constexpr auto loss = [] {
    return tl::named<"y">(tl::bce_loss(tl::input<"p", double, 1>, tl::input<"t", double, 1>));
  };
  CHECK(std::isnan(values(loss, "p"_t = numbers{not_a_number}, "t"_t = numbers{1})[0]));
  CHECK(values(loss, "p"_t = numbers{0}, "t"_t = numbers{1}) == numbers{100});
  constexpr auto place = [] {
    return tl::named<"y">(tl::searchsorted(tl::input<"s", double, 3>, tl::input<"x", double, 3>));
  };
  CHECK(values(place, "s"_t = numbers{1, 3, 5}, "x"_t = numbers{not_a_number, 3, 6}) == numbers{3, 1, 3});
}

TEST_CASE("second derivatives through a scan know what stops a derivative, or has one of its own") {
  constexpr auto stopped = [] {
    auto xs = tl::input<"x", double, 1>;
    const auto last =
        tl::scan([](auto h, auto x) { return h + x * x * tl::stop_gradient(x); }, 0_c * tl::sum(xs), xs);
    return tl::named<"y">(tl::grad(tl::sum(tl::grad(last, xs)), xs));
  };
  CHECK(values(stopped, "x"_t = numbers{3}) == numbers{6});
}

TEST_CASE("products in the body of a scan have a derivative") {
  constexpr auto model = [] {
    auto xs = tl::input<"x", double, 2, 3>;
    const auto last = tl::scan([](auto h, auto x) { return h + tl::prod(x); }, 0_c * tl::sum(xs), xs);
    return tl::named<"y">(tl::grad(last, xs));
  };
  CHECK(values(model, "x"_t = numbers{1, 2, 3, 4, 5, 0}) == numbers{6, 3, 2, 0, 0, 20});
}

TEST_CASE("what a scan stacks that is the same in all iterations has a derivative") {
  constexpr auto model = [] {
    auto w = tl::input<"w", double>;
    const auto [last, all] = tl::scan(
        [](auto h, auto x) {
          auto w = tl::input<"w", double>;
          return std::tuple{h + x, w * w};
        },
        0_c * w, tl::input<"x", double, 3>);
    return tl::named<"y">(tl::grad(tl::sum(all) + last, w));
  };
  CHECK(values(model, "w"_t = 5.0, "x"_t = numbers{1, 2, 3}) == numbers{30});
}
