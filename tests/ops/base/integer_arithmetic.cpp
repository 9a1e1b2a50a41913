// SPDX-License-Identifier: BSL-1.0
// Integers at their ends, and divided by 0: they wrap, as NumPy's do, and no program ends.
#include "catch.hpp"
#include "policies.hpp"
#include "program.hpp"

#include <tapeless/ops/pointwise/bitwise_not.hpp>
#include <tapeless/ops/reduction/cumprod.hpp>

#include <cstdint>
#include <limits>
#include <vector>

namespace {

template <class T>
struct arithmetic {
  constexpr auto operator()() const {
    auto a = tl::input<"a", T, tl::dyn<"n">>;
    auto b = tl::input<"b", T, tl::dyn<"n">>;
    auto zeros = tl::iota_like(a) - tl::iota_like(a);
    auto most = tl::cast<T>(tl::constant<1e30>);
    auto least = tl::cast<T>(tl::constant<-1e30>);
    return tl::outputs(
        tl::named<"sum">(a + b), tl::named<"difference">(a - b), tl::named<"product">(a * b),
        tl::named<"square">(tl::square(a)), tl::named<"negative">(-a), tl::named<"size">(tl::abs(a)),
        tl::named<"quotient">(a / b), tl::named<"fmod">(tl::fmod(a, b)), tl::named<"mod">(tl::mod(a, b)),
        tl::named<"floor_divide">(tl::floor_divide(a, b)), tl::named<"all">(tl::sum(a)),
        tl::named<"prod">(tl::prod(a + 3_c)), tl::named<"sums">(tl::cumsum<0>(a)),
        tl::named<"products">(tl::cumprod<0>(a + 3_c)), tl::named<"largest">(tl::cummax<0>(a).values),
        tl::named<"not">(tl::bitwise_not(a)), tl::named<"sum_of_constants">(zeros + (most + most)),
        tl::named<"difference_of_constants">(zeros + (least - most)),
        tl::named<"product_of_constants">(zeros + most * most),
        tl::named<"place">(tl::scatter_add<0>(zeros, tl::cast<std::int64_t>(zeros), a)));
  }
};

/// The number that is left of one of 64 bits.
template <class T>
T wrapped(std::uint64_t x) {
  return static_cast<T>(x);
}

}  // namespace

TEMPLATE_TEST_CASE("integers wrap where they do not fit, and quotients by 0 are 0", "", std::int8_t,
                   std::int16_t, std::int32_t, std::int64_t, std::uint8_t, std::uint32_t) {
  using T = TestType;
  constexpr T least = std::numeric_limits<T>::min(), most = std::numeric_limits<T>::max(),
              minus_one = static_cast<T>(-1);
  test::on_each_policy([]<class Policy>() {
    const std::vector<T> a{least, least, most, 7, static_cast<T>(-7), 0, most, 7, 7, least, 1},
        b{minus_one, least, most, 0, 0, 0, 2, most, minus_one, 2, 0};
    tl::function<arithmetic<T>, Policy> f{arithmetic<T>{}};
    auto r = f("a"_t = a, "b"_t = b);
    std::uint64_t sum = 0, product = 1;
    T largest = least;
    for (std::size_t i = 0; i < a.size(); ++i) {
      INFO(+a[i] << " and " << +b[i]);
      const auto x = static_cast<std::uint64_t>(a[i]), y = static_cast<std::uint64_t>(b[i]);
      CHECK(r.template get<"sum">()[i] == wrapped<T>(x + y));
      CHECK(r.template get<"difference">()[i] == wrapped<T>(x - y));
      CHECK(r.template get<"product">()[i] == wrapped<T>(x * y));
      CHECK(r.template get<"square">()[i] == wrapped<T>(x * x));
      CHECK(r.template get<"negative">()[i] == wrapped<T>(0 - x));
      CHECK(r.template get<"size">()[i] == wrapped<T>(a[i] < T(0) ? 0 - x : x));
      CHECK(r.template get<"not">()[i] == wrapped<T>(~x));
      constexpr auto high = static_cast<std::uint64_t>(most), low = static_cast<std::uint64_t>(least);
      CHECK(r.template get<"sum_of_constants">()[i] == wrapped<T>(high + high));
      CHECK(r.template get<"difference_of_constants">()[i] == wrapped<T>(low - high));
      CHECK(r.template get<"product_of_constants">()[i] == wrapped<T>(high * high));
      sum += x;
      product *= x + 3;
      largest = std::max(largest, a[i]);
      CHECK(r.template get<"sums">()[i] == wrapped<T>(sum));
      CHECK(r.template get<"products">()[i] == wrapped<T>(product));
      CHECK(r.template get<"largest">()[i] == largest);
      if (b[i] == 0) {
        CHECK(r.template get<"quotient">()[i] == 0);
        CHECK(r.template get<"fmod">()[i] == 0);
        CHECK(r.template get<"mod">()[i] == 0);
        CHECK(r.template get<"floor_divide">()[i] == 0);
      }
    }
    CHECK(r.template get<"all">()[0] == wrapped<T>(sum));
    CHECK(r.template get<"prod">()[0] == wrapped<T>(product));
    CHECK(r.template get<"place">()[0] == wrapped<T>(sum));
    constexpr bool has_sign = least < 0;  // else -1 is the largest number
    const std::vector<T> quotients{has_sign ? least : T(0), has_sign ? T(1) : T(0)};
    for (std::size_t i = 0; i < quotients.size(); ++i) {
      CHECK(r.template get<"quotient">()[i] == quotients[i]);
      CHECK(r.template get<"floor_divide">()[i] == quotients[i]);
    }
    CHECK(r.template get<"fmod">()[0] == 0);
    CHECK(r.template get<"mod">()[0] == 0);
    CHECK(r.template get<"fmod">()[7] == 7);
    CHECK(r.template get<"fmod">()[8] == (has_sign ? 0 : 7));
    CHECK(r.template get<"mod">()[8] == (has_sign ? 0 : 7));
  });
}
