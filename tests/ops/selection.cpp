// SPDX-License-Identifier: BSL-1.0
// Comparisons, conditions, selections, whole numbers and conversions between element types.
#include "catch.hpp"
#include "policies.hpp"
#include "program.hpp"

#include <array>
#include <cstdint>
#include <limits>

namespace {

constexpr auto n = tl::dyn<"n">;

constexpr auto comparisons = [] {
  auto x = tl::input<"x", float, n>;
  auto y = tl::input<"y", float, n>;
  return tl::outputs(tl::named<"less">(x < y), tl::named<"less_equal">(x <= y), tl::named<"greater">(x > y),
                     tl::named<"greater_equal">(x >= y), tl::named<"equal">(x == y),
                     tl::named<"not_equal">(x != y));
};

constexpr auto conditions = [] {
  auto x = tl::input<"x", float, n>;
  auto mask = tl::input<"mask", bool, n>;
  auto other = tl::input<"other", bool, n>;
  return tl::outputs(tl::named<"where">(tl::where(mask, x, -1_c)), tl::named<"and">(mask && x > 0_c),
                     tl::named<"or">(mask || other), tl::named<"not">(!mask),
                     tl::named<"number">(tl::cast<float>(mask) * x), tl::named<"same">(mask == other),
                     tl::named<"gradient">(tl::grad(tl::sum(tl::where(mask && other, tl::square(x), x)), x)));
};

// The result of a comparison, compared and selected in the same fused kernel as numbers.
constexpr auto nested = [] {
  auto x = tl::input<"x", float, n>;
  auto y = tl::input<"y", float, n>;
  return tl::outputs(tl::named<"same">(tl::where((x < 0_c) == (y < 0_c), x, y)),
                     tl::named<"differ">(tl::where((x < 0_c) != (y < 0_c), x, y)),
                     tl::named<"rounded">(tl::where(tl::cast<bool>(tl::floor(x)), x, y)),
                     tl::named<"chosen">(tl::where(tl::where(x < y, x > 0_c, y > 0_c), x, y)));
};

template <class T>
struct integers {
  constexpr auto operator()() const {
    auto i = tl::input<"i", T, n>;
    auto j = tl::input<"j", T, n>;
    return tl::outputs(tl::named<"polynomial">(i * j + 2_c * i - j), tl::named<"max">(tl::max(i, j)),
                       tl::named<"sum">(tl::sum(i)), tl::named<"largest">(tl::max<0>(j)),
                       tl::named<"half">(tl::cast<double>(i) / 2_c),
                       tl::named<"where">(tl::where(i < j, i, j)), tl::named<"abs">(tl::abs(i - j)));
  }
};

constexpr auto conversions = [] {
  auto x = tl::input<"x", double, n>;
  auto bytes = tl::input<"bytes", std::uint8_t, n>;
  return tl::outputs(
      tl::named<"int">(tl::cast<int>(x)), tl::named<"long">(tl::cast<std::int64_t>(x)),
      tl::named<"float">(tl::cast<float>(x)), tl::named<"bool">(tl::cast<bool>(x)),
      tl::named<"pixels">(tl::cast<float>(bytes) / 255_c),
      tl::named<"gradient">(tl::grad(tl::sum(tl::cast<double>(tl::square(tl::cast<float>(x)))), x)));
};

const std::vector<float> all{-2,
                             -1,
                             -0.0f,
                             0,
                             0.5f,
                             1,
                             3,
                             std::numeric_limits<float>::quiet_NaN(),
                             std::numeric_limits<float>::infinity()};

}  // namespace

TEST_CASE("comparisons") {
  tl::function f{comparisons};
  for (std::size_t shift = 0; shift < all.size(); ++shift) {
    std::vector<float> y;
    for (std::size_t i = 0; i < all.size(); ++i) y.push_back(all[(i + shift) % all.size()]);
    auto r = f("x"_t = all, "y"_t = y);
    for (std::size_t i = 0; i < all.size(); ++i) {
      CHECK(r.get<"less">()[i] == (all[i] < y[i]));
      CHECK(r.get<"less_equal">()[i] == (all[i] <= y[i]));
      CHECK(r.get<"greater">()[i] == (all[i] > y[i]));
      CHECK(r.get<"greater_equal">()[i] == (all[i] >= y[i]));
      CHECK(r.get<"equal">()[i] == (all[i] == y[i]));
      CHECK(r.get<"not_equal">()[i] == (all[i] != y[i]));
    }
  }
}

TEST_CASE("conditions") {
  tl::function f{conditions};
  const std::array<bool, 9> mask{true, false, true, true, false, false, true, false, true},
      other{true, true, false, true, false, true, false, false, true};
  std::vector<float> x = all;
  x[7] = 7;
  auto r = f("x"_t = x, "mask"_t = mask, "other"_t = other);
  for (std::size_t i = 0; i < mask.size(); ++i) {
    CHECK(r.get<"where">()[i] == (mask[i] ? x[i] : -1));
    CHECK(r.get<"and">()[i] == (mask[i] && x[i] > 0));
    CHECK(r.get<"or">()[i] == (mask[i] || other[i]));
    CHECK(r.get<"not">()[i] == !mask[i]);
    if (i < 8) CHECK(r.get<"number">()[i] == (mask[i] ? x[i] : 0));
    CHECK(r.get<"same">()[i] == (mask[i] == other[i]));
    CHECK(r.get<"gradient">()[i] == (mask[i] && other[i] ? 2 * x[i] : 1));
  }
}

TEST_CASE("conditions of conditions") {
  tl::function f{nested};
  const auto x = test::numbers(1).vector<float>(13), y = test::numbers(2).vector<float>(13);
  auto r = f("x"_t = x, "y"_t = y);
  for (std::size_t i = 0; i < x.size(); ++i) {
    CHECK(r.get<"same">()[i] == ((x[i] < 0) == (y[i] < 0) ? x[i] : y[i]));
    CHECK(r.get<"differ">()[i] == ((x[i] < 0) != (y[i] < 0) ? x[i] : y[i]));
    CHECK(r.get<"rounded">()[i] == (x[i] < 0 ? x[i] : y[i]));
    CHECK(r.get<"chosen">()[i] == ((x[i] < y[i] ? x[i] > 0 : y[i] > 0) ? x[i] : y[i]));
  }
}

TEMPLATE_TEST_CASE("whole numbers", "", std::int32_t, std::int64_t) {
  tl::function f{integers<TestType>{}};
  const std::vector<TestType> i{3, -4, 0, 7, 100, -1, 2, 5, 6, 7, 8}, j{1, 2, -3, 7, 50, -2, 9, 5, 5, 5, 5};
  auto r = f("i"_t = i, "j"_t = j);
  TestType sum = 0;
  for (std::size_t k = 0; k < i.size(); ++k) {
    CHECK(r.template get<"polynomial">()[k] == i[k] * j[k] + 2 * i[k] - j[k]);
    CHECK(r.template get<"max">()[k] == std::max(i[k], j[k]));
    CHECK(r.template get<"where">()[k] == std::min(i[k], j[k]));
    CHECK(r.template get<"half">()[k] == static_cast<double>(i[k]) / 2);
    CHECK(r.template get<"abs">()[k] == std::abs(i[k] - j[k]));
    sum += i[k];
  }
  CHECK(r.template get<"sum">()[0] == sum);
  CHECK(r.template get<"largest">()[0] == 50);
}

TEST_CASE("conversions") {
  tl::function f{conversions};
  const std::vector<double> x{-2.7, -0.5, 0, 0.1, 1.9, 3.0 + 1e-12, 1e6};
  const std::vector<std::uint8_t> bytes{0, 1, 127, 128, 254, 255, 51};
  auto r = f("x"_t = x, "bytes"_t = bytes);
  for (std::size_t i = 0; i < x.size(); ++i) {
    CHECK(r.get<"int">()[i] == static_cast<int>(x[i]));
    CHECK(r.get<"long">()[i] == static_cast<std::int64_t>(x[i]));
    CHECK(r.get<"float">()[i] == static_cast<float>(x[i]));
    CHECK(r.get<"bool">()[i] == (x[i] != 0));
    CHECK(r.get<"pixels">()[i] == static_cast<float>(bytes[i]) / 255);
    CHECK(r.get<"gradient">()[i] == test::Approx(2 * x[i]).epsilon(1e-6));
  }
}

namespace {

constexpr auto constant_conditions = [] {
  auto x = tl::input<"x", float, 2>;
  return tl::outputs(tl::named<"whole">(x + tl::cast<float>(tl::cast<bool>(2_c))),
                     tl::named<"part">(x + tl::cast<float>(tl::cast<bool>(0.5_c))),
                     tl::named<"zero">(x + tl::cast<float>(tl::cast<bool>(0_c))),
                     tl::named<"byte">(x + tl::cast<float>(tl::cast<std::uint8_t>(tl::cast<bool>(-3_c)))));
};

template <class T>
struct whole_numbers_of {
  constexpr auto operator()() const {
    auto x = tl::input<"x", T, n>;
    return tl::outputs(tl::named<"int">(tl::cast<int>(x)), tl::named<"long">(tl::cast<std::int64_t>(x)),
                       tl::named<"byte">(tl::cast<std::uint8_t>(x)),
                       tl::named<"constants">(tl::cast<double>(tl::cast<int>(-2.75_c)) +
                                              tl::cast<double>(tl::cast<std::uint8_t>(1e3_c)) +
                                              0_c * tl::cast<double>(tl::cast<int>(x))));
  }
};

}  // namespace

TEST_CASE("a constant's condition is 0 or 1, like that of any number") {
  tl::function f{constant_conditions};
  auto r = f("x"_t = std::vector<float>{1, 2});
  using numbers = std::vector<double>;
  CHECK(test::elements(r.get<"whole">()) == numbers{2, 3});
  CHECK(test::elements(r.get<"part">()) == numbers{2, 3});
  CHECK(test::elements(r.get<"zero">()) == numbers{1, 2});
  CHECK(test::elements(r.get<"byte">()) == numbers{2, 3});
}

TEMPLATE_TEST_CASE("what is beyond the whole numbers of a type becomes its end, and NaN its lowest", "",
                   float, double) {
  using four = std::numeric_limits<std::int32_t>;
  using eight = std::numeric_limits<std::int64_t>;
  test::on_each_policy([]<class Policy>() {
    tl::function<whole_numbers_of<TestType>, Policy> f{whole_numbers_of<TestType>{}};
    const TestType nan = std::numeric_limits<TestType>::quiet_NaN(),
                   infinity = std::numeric_limits<TestType>::infinity();
    const std::vector<TestType> x{nan,     infinity, -infinity, TestType(1e30), TestType(-1e30),
                                  0x1p31f, -0x1p31f, 0x1p63f,   -0x1p63f,       256,
                                  255.5f,  -1,       -0.5f,     0x1p31f - 128,  0x1p62f};
    const std::vector<std::int32_t> ints{four::min(), four::max(), four::min(), four::max(), four::min(),
                                         four::max(), four::min(), four::max(), four::min(), 256,
                                         255,         -1,          0,           0x7fffff80,  four::max()};
    const std::vector<std::int64_t> longs{eight::min(),
                                          eight::max(),
                                          eight::min(),
                                          eight::max(),
                                          eight::min(),
                                          std::int64_t{1} << 31,
                                          -(std::int64_t{1} << 31),
                                          eight::max(),
                                          eight::min(),
                                          256,
                                          255,
                                          -1,
                                          0,
                                          0x7fffff80,
                                          std::int64_t{1} << 62};
    const std::vector<int> bytes{0, 255, 0, 255, 0, 255, 0, 255, 0, 255, 255, 0, 0, 255, 255};
    auto r = f("x"_t = x);
    for (std::size_t i = 0; i < x.size(); ++i) {
      INFO("element " << i);
      CHECK(r.template get<"int">()[i] == ints[i]);
      CHECK(r.template get<"long">()[i] == longs[i]);
      CHECK(int(r.template get<"byte">()[i]) == bytes[i]);
      CHECK(r.template get<"constants">()[i] == -2 + 255);
    }
  });
}
