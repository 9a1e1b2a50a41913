// SPDX-License-Identifier: BSL-1.0
// Rounding, remainders, and whole numbers under them, against the standard library.
#include "catch.hpp"
#include "program.hpp"

#include <cmath>
#include <cstdint>
#include <limits>

namespace {

constexpr auto n = tl::dyn<"n">;

template <class T>
struct rounded {
  constexpr auto operator()() const {
    auto x = tl::input<"x", T, n>;
    return tl::outputs(tl::named<"round">(tl::round(x)), tl::named<"trunc">(tl::trunc(x)),
                       tl::named<"floor">(tl::floor(x)), tl::named<"ceil">(tl::ceil(x)),
                       tl::named<"exp2">(tl::exp2(x)), tl::named<"log2">(tl::log2(tl::exp2(x))));
  }
};

template <class T>
struct remainders {
  constexpr auto operator()() const {
    auto a = tl::input<"a", T, n>;
    auto b = tl::input<"b", T, n>;
    auto mod = tl::mod(a, b);
    auto fmod = tl::fmod(a, b);
    return tl::outputs(
        tl::named<"mod">(mod), tl::named<"fmod">(fmod), tl::named<"mod_b">(tl::grad(tl::sum(mod), b)),
        tl::named<"fmod_a">(tl::grad(tl::sum(fmod), a)), tl::named<"fmod_b">(tl::grad(tl::sum(fmod), b)));
  }
};

template <class T>
struct whole {
  constexpr auto operator()() const {
    auto a = tl::input<"a", T, n>;
    auto b = tl::input<"b", T, n>;
    return tl::outputs(tl::named<"quotient">(a / b), tl::named<"fmod">(tl::fmod(a, b)),
                       tl::named<"mod">(tl::mod(a, b)), tl::named<"clamp">(tl::clamp(a, -3_c, 3_c)),
                       tl::named<"folded">(a + 7_c / (2_c * b / b)), tl::named<"prod">(tl::prod<0>(b)),
                       tl::named<"cube">(tl::cube(b) - tl::square(b)));
  }
};

}  // namespace

TEMPLATE_TEST_CASE("numbers are rounded as the standard library does, halves to even", "", float, double) {
  tl::function f{rounded<TestType>{}};
  const std::vector<TestType> x{-2.5, -1.5, -0.7f, -0.5, -0.0f,   0.5,  0.7f, 1.5,
                                2.5,  3,    100,   -7,   8388609, 0.25, 1,    9};
  auto r = f("x"_t = x);
  for (std::size_t i = 0; i < x.size(); ++i) {
    INFO(x[i]);
    CHECK(r.template get<"round">()[i] == std::nearbyint(x[i]));
    CHECK(r.template get<"trunc">()[i] == std::trunc(x[i]));
    CHECK(r.template get<"floor">()[i] == std::floor(x[i]));
    CHECK(r.template get<"ceil">()[i] == std::ceil(x[i]));
    CHECK(r.template get<"exp2">()[i] == std::exp2(x[i]));
    if (std::abs(x[i]) <= 100) CHECK(r.template get<"log2">()[i] == test::Approx(x[i]).margin(1e-6));
  }
  CHECK(r.template get<"round">()[0] == -2);
  CHECK(r.template get<"exp2">()[15] == 512);
}

TEMPLATE_TEST_CASE("remainders have the sign of the one or the other operand", "", float, double) {
  tl::function f{remainders<TestType>{}};
  const std::vector<TestType> a{7, -7, 7, -7, 6, -6, 0, 1e7f, 5.5, -0.25f},
      b{3, 3, -3, -3, 3, 3, 2, 0.3f, -2, std::numeric_limits<TestType>::infinity()};
  auto r = f("a"_t = a, "b"_t = b);
  for (std::size_t i = 0; i < a.size(); ++i) {
    INFO(a[i] << " and " << b[i]);
    const TestType rest = std::fmod(a[i], b[i]);
    CHECK(r.template get<"fmod">()[i] == rest);
    CHECK(r.template get<"mod">()[i] == (rest != 0 && (rest < 0) != (b[i] < 0) ? rest + b[i] : rest));
    CHECK(r.template get<"fmod_a">()[i] == 1);
    if (i == 7) continue;  // a quotient whose whole part is itself rounded
    CHECK(r.template get<"fmod_b">()[i] == -std::trunc(a[i] / b[i]));
    CHECK(r.template get<"mod_b">()[i] == (std::isinf(b[i]) ? 1 : -std::floor(a[i] / b[i])));
  }
}

TEMPLATE_TEST_CASE("quotients and remainders of whole numbers are those of C++", "", std::int32_t,
                   std::int64_t) {
  tl::function f{whole<TestType>{}};
  const std::vector<TestType> a{7, -7, 7, -7, 6, 0, 5, std::numeric_limits<TestType>::min() + 1, 9},
      b{3, 3, -3, -3, 3, 2, -1, -1, 4};
  auto r = f("a"_t = a, "b"_t = b);
  TestType product = 1;
  for (std::size_t i = 0; i < a.size(); ++i) {
    INFO(a[i] << " and " << b[i]);
    CHECK(r.template get<"quotient">()[i] == a[i] / b[i]);
    CHECK(r.template get<"fmod">()[i] == a[i] % b[i]);
    const TestType floor = a[i] / b[i] - (a[i] % b[i] != 0 && (a[i] < 0) != (b[i] < 0) ? 1 : 0);
    CHECK(r.template get<"mod">()[i] == a[i] - b[i] * floor);
    CHECK(r.template get<"clamp">()[i] == std::min<TestType>(3, std::max<TestType>(-3, a[i])));
    CHECK(r.template get<"folded">()[i] == a[i] + 3);
    product *= b[i];
  }
  CHECK(r.template get<"cube">()[0] == 27 - 9);
  CHECK(r.template get<"prod">()[0] == product);
}
