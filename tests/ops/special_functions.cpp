// SPDX-License-Identifier: BSL-1.0
// Functions beside the elementary ones: laws, PyTorch's values and gradients where a function begins, ends or
// is infinite, and what is better here.
#include <cmath>
#include <limits>
#include <vector>

#include <tapeless/ops/pointwise.hpp>
#include "laws/laws.hpp"

using laws::part;

TAPELESS_LAW(inverse_functions, 12, 3, 0.2, 0.8,
             tl::asinh(part<0, 3>(z)) * tl::acosh(1_c + part<3, 3>(z)) +
                 tl::atanh(part<6, 3>(z)) * tl::logit(part<9, 3>(z)) + tl::log10(part<0, 3>(z)) +
                 tl::logit(part<3, 3>(z), 0.1_c))
TAPELESS_LAW(sums_of_powers, 9, 3, 0.2, 0.8,
             tl::logaddexp(part<0, 3>(z), part<3, 3>(z)) * tl::logaddexp2(part<6, 3>(z), part<0, 3>(z)) +
                 tl::xlogy(part<0, 3>(z), part<6, 3>(z)) * tl::xlog1py(part<3, 3>(z), part<0, 3>(z)) +
                 tl::hypot(part<3, 3>(z), part<6, 3>(z)))
TAPELESS_LAW(error_functions, 6, 3, -0.8, 0.8, tl::erfc(part<0, 3>(z)) * tl::erfcx(part<3, 3>(z)))
TAPELESS_LAW(gamma_functions, 4, 2, 0.6, 1.8, tl::lgamma(part<0, 2>(z)) + tl::polygamma<2>(part<2, 2>(z)))
TAPELESS_LAW(interpolation, 9, 3, 0.2, 0.8,
             tl::lerp(part<0, 3>(z), tl::sinc(part<3, 3>(z)), part<6, 3>(z)) *
                     tl::addcmul(part<0, 3>(z), part<3, 3>(z), part<6, 3>(z)) +
                 tl::addcdiv(part<0, 3>(z), part<3, 3>(z), part<6, 3>(z), 0.5_c) *
                     tl::copysign(part<0, 3>(z), part<3, 3>(z) - 0.5_c))
TAPELESS_LAW(steps, 9, 3, 0.2, 0.8,
             tl::remainder(3_c * part<0, 3>(z), part<3, 3>(z)) * tl::frac(5_c * part<6, 3>(z)) +
                 tl::deg2rad(part<0, 3>(z)) * tl::rad2deg(part<3, 3>(z)) +
                 tl::nan_to_num(tl::square(part<6, 3>(z))) *
                     tl::heaviside(part<0, 3>(z) - 0.5_c, part<6, 3>(z)) +
                 tl::floor_divide(part<0, 3>(z), part<3, 3>(z)))

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

// NaN where NaN is expected; elsewhere within some units of the last place, of the value and near 1.
void check(const std::vector<double>& found, const std::vector<double>& expected) {
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    INFO("element " << i << ": " << found[i] << ", expected " << expected[i]);
    const bool near = std::abs(found[i] - expected[i]) <= 2e-14 * std::max(1.0, std::abs(expected[i]));
    CHECK((found[i] == expected[i] || near || (std::isnan(found[i]) && std::isnan(expected[i]))));
  }
}

constexpr auto n = tl::dyn<"n">;

struct at_the_ends {
  constexpr auto operator()() const {
    auto x = tl::input<"x", double, n>;
    auto both = [x](auto y) { return tl::concat<0>(y, tl::grad(tl::sum(y), x)); };
    return tl::outputs(tl::named<"asinh">(both(tl::asinh(x))), tl::named<"acosh">(both(tl::acosh(x))),
                       tl::named<"atanh">(both(tl::atanh(x))), tl::named<"log10">(both(tl::log10(x))),
                       tl::named<"sinc">(both(tl::sinc(x))), tl::named<"logit">(both(tl::logit(x))),
                       tl::named<"lgamma">(both(tl::lgamma(x))), tl::named<"digamma">(both(tl::digamma(x))),
                       tl::named<"polygamma_2">(both(tl::polygamma<2>(x))),
                       tl::named<"erfc">(both(tl::erfc(x))), tl::named<"erfcx">(both(tl::erfcx(x))));
  }
};

}  // namespace

TEST_CASE("functions and their derivatives at the ends of their domains are PyTorch's") {
  // Derivatives where acosh is NaN are NaN, and those at infinity, where PyTorch's are 0, some finite number
  // times infinity or NaN, are not compared.
  tl::function f{at_the_ends{}};
  const auto y = f("x"_t = std::vector<double>{-2.5, -1, -0.5, 0, 0.25, 1, 2.5});
  check(test::elements(y.get<"asinh">()),
        {-1.6472311463710958, -0.881373587019543, -0.48121182505960347, 0, 0.24746646154726346,
         0.881373587019543, 1.6472311463710958, 0.3713906763541037, 0.7071067811865475, 0.8944271909999159, 1,
         0.9701425001453319, 0.7071067811865475, 0.3713906763541037});
  check(test::elements(y.get<"acosh">()),
        {no_number, no_number, no_number, no_number, no_number, 0, 1.566799236972411, no_number, no_number,
         no_number, no_number, no_number, infinity, 0.4364357804719848});
  check(test::elements(y.get<"atanh">()),
        {no_number, -infinity, -0.5493061443340548, 0, 0.25541281188299536, infinity, no_number,
         -0.19047619047619047, infinity, 1.3333333333333333, 1, 1.0666666666666667, infinity,
         -0.19047619047619047});
  check(test::elements(y.get<"log10">()),
        {no_number, no_number, no_number, -infinity, -0.6020599913279624, 0, 0.3979400086720376,
         -0.1737177927613007, -0.43429448190325176, -0.8685889638065035, infinity, 1.737177927613007,
         0.43429448190325176, 0.1737177927613007});
  check(test::elements(y.get<"sinc">()),
        {0.12732395447351627, 0, 0.6366197723675814, 1, 0.9003163161571061, 0, 0.12732395447351627,
         0.05092958178940638, 1, 1.2732395447351625, 0, -0.7728381398822339, -1, -0.05092958178940638});
  check(test::elements(y.get<"logit">()),
        {no_number, no_number, no_number, -infinity, -1.0986122886681098, infinity, no_number,
         -0.11428571428571428, -0.5, -1.3333333333333333, infinity, 5.333333333333333, infinity,
         -0.26666666666666666});
  check(test::elements(y.get<"lgamma">()),
        {-0.05624371649767405, infinity, 1.2655121234846454, infinity, 1.2880225246980774, 0,
         0.2846828704729192, 1.1031566406452433, no_number, 0.03648997397857639, -infinity,
         -4.2274535333762655, -0.5772156649015328, 0.7031566406452431});
  check(test::elements(y.get<"digamma">()),
        {1.1031566406452433, no_number, 0.03648997397857639, -infinity, -4.2274535333762655,
         -0.5772156649015328, 0.7031566406452431, 9.539246644989124, infinity, 8.934802200544679, infinity,
         17.19732915450711, 1.6449340668482264, 0.49035775610023485});
  check(test::elements(y.get<"polygamma_2">()),
        {-0.1082040516417282, -infinity, -0.82879664423432, -infinity, -129.32773993753688,
         -2.404113806319188, -0.23620405164172736, 194.74787621918756, infinity, 193.40909103400242, infinity,
         1538.782144009189, 6.493939402266829, 0.2239058488172521});
  check(
      test::elements(y.get<"erfc">()),
      {1.999593047982555, 1.8427007929497148, 1.5204998778130465, 1, 0.7236736098317631, 0.15729920705028513,
       0.0004069520174449589, -0.00217828423035271, -0.4151074974205947, -0.8787825789354448,
       -1.1283791670955126, -1.0600141293761143, -0.4151074974205947, -0.00217828423035271});
  check(test::elements(y.get<"erfcx">()),
        {1035.8148429726227, 5.008980080762283, 1.952360489182557, 1, 0.770346547730997, 0.427583576155807,
         0.2108063640611436, -5180.202594030209, -11.14633932862008, -3.0807396562780696, -1.1283791670955126,
         -0.7432058932300141, -0.27321201478389856, -0.0743473467897946});
}

namespace {

struct of_two {
  constexpr auto operator()() const {
    auto a = tl::input<"a", double, n>;
    auto b = tl::input<"b", double, n>;
    auto all = [=](auto y) { return tl::concat<0>(y, tl::grad(tl::sum(y), a), tl::grad(tl::sum(y), b)); };
    return tl::outputs(
        tl::named<"logaddexp">(all(tl::logaddexp(a, b))), tl::named<"logaddexp2">(all(tl::logaddexp2(a, b))),
        tl::named<"xlogy">(all(tl::xlogy(a, b))), tl::named<"xlog1py">(all(tl::xlog1py(a, b))),
        tl::named<"hypot">(all(tl::hypot(a, b))),
        tl::named<"copysign">(tl::concat<0>(tl::copysign(a, b), tl::grad(tl::sum(tl::copysign(a, b)), a))),
        tl::named<"heaviside">(tl::heaviside(a, b)), tl::named<"floor_divide">(tl::floor_divide(a, b)),
        tl::named<"remainder">(tl::remainder(a, b)), tl::named<"nan_to_num">(tl::nan_to_num(a / b, 7_c, 8_c)),
        tl::named<"signbit">(tl::cast<double>(tl::signbit(b))),
        tl::named<"kinds">(tl::concat<0>(tl::isnan(a / b), tl::isinf(a / b), tl::isfinite(a / b))));
  }
};

}  // namespace

TEST_CASE("functions of two numbers, at 0 and at infinity") {
  tl::function f{of_two{}};
  const auto y = f("a"_t = std::vector<double>{0, 0, 0, 3, infinity, -infinity, -3, 1, 2},
                   "b"_t = std::vector<double>{0, -1, infinity, -2, infinity, -infinity, 2, -0.0, -0.5});
  // Of two equal infinities each has half of the derivative, where PyTorch has NaN.
  check(test::elements(y.get<"logaddexp">()), {0.6931471805599453,
                                               0.31326168751822286,
                                               infinity,
                                               3.0067153484891183,
                                               infinity,
                                               -infinity,
                                               2.0067153484891183,
                                               1.3132616875182228,
                                               2.0788897342925496,
                                               0.5,
                                               0.7310585786300049,
                                               0,
                                               0.9933071490757153,
                                               0.5,
                                               0.5,
                                               0.0066928509242848554,
                                               0.7310585786300049,
                                               0.9241418199787566,
                                               0.5,
                                               0.2689414213699951,
                                               1,
                                               0.0066928509242848554,
                                               0.5,
                                               0.5,
                                               0.9933071490757153,
                                               0.2689414213699951,
                                               0.07585818002124355});
  check(test::elements(y.get<"logaddexp2">()), {1,
                                                0.5849625007211562,
                                                infinity,
                                                3.0443941193584534,
                                                infinity,
                                                -infinity,
                                                2.0443941193584534,
                                                1.584962500721156,
                                                2.234840581079202,
                                                0.5,
                                                0.6666666666666666,
                                                0,
                                                0.9696969696969697,
                                                0.5,
                                                0.5,
                                                0.030303030303030304,
                                                0.6666666666666666,
                                                0.8497788951776651,
                                                0.5,
                                                0.3333333333333333,
                                                1,
                                                0.030303030303030304,
                                                0.5,
                                                0.5,
                                                0.9696969696969697,
                                                0.3333333333333333,
                                                0.15022110482233483});
  // Where x is 0 and the logarithm is not finite, all derivatives are 0; PyTorch's are NaN or infinite there.
  check(test::elements(y.get<"xlogy">()),
        {0,         0,         0, no_number, infinity,  no_number, -2.0794415416798357, -infinity,
         no_number, 0,         0, 0,         no_number, infinity,  no_number,           0.6931471805599453,
         -infinity, no_number, 0, 0,         0,         -1.5,      no_number,           no_number,
         -1.5,      -infinity, -4});
  check(test::elements(y.get<"xlog1py">()), {0,
                                             0,
                                             0,
                                             no_number,
                                             infinity,
                                             no_number,
                                             -3.2958368660043287,
                                             0,
                                             -1.3862943611198906,
                                             0,
                                             0,
                                             0,
                                             no_number,
                                             infinity,
                                             no_number,
                                             1.0986122886681096,
                                             0,
                                             -0.6931471805599453,
                                             0,
                                             0,
                                             0,
                                             -3,
                                             no_number,
                                             no_number,
                                             -1,
                                             1,
                                             4});
  // The derivative at (0, 0) is 0, where PyTorch has NaN.
  check(test::elements(y.get<"hypot">()), {0,
                                           1,
                                           infinity,
                                           3.605551275463989,
                                           infinity,
                                           infinity,
                                           3.605551275463989,
                                           1,
                                           2.0615528128088303,
                                           0,
                                           0,
                                           0,
                                           0.8320502943378437,
                                           no_number,
                                           no_number,
                                           -0.8320502943378437,
                                           1,
                                           0.9701425001453319,
                                           0,
                                           -1,
                                           no_number,
                                           -0.5547001962252291,
                                           no_number,
                                           no_number,
                                           0.5547001962252291,
                                           0,
                                           -0.24253562503633297});
  check(test::elements(y.get<"copysign">()),
        {0, 0, 0, -3, infinity, -infinity, 3, -1, -2, 0, 0, 0, -1, 1, 1, -1, -1, -1});
  check(test::elements(y.get<"heaviside">()), {0, -1, infinity, 1, 1, 0, 0, 1, 1});
  check(test::elements(y.get<"floor_divide">()),
        {no_number, 0, 0, -2, no_number, no_number, -2, -infinity, -4});
  check(test::elements(y.get<"remainder">()), {no_number, 0, 0, -1, no_number, no_number, 1, no_number, 0});
  check(test::elements(y.get<"nan_to_num">()),
        {7, 0, 0, -1.5, 7, 7, -1.5, std::numeric_limits<double>::lowest(), -4});
  check(test::elements(y.get<"signbit">()), {0, 1, 0, 1, 0, 1, 0, 1, 1});
  check(test::elements(y.get<"kinds">()),
        {1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 1, 1, 0, 0, 1, 0, 1});
}

TEST_CASE("whole numbers have quotients and remainders that fit each other") {
  tl::function f{[] {
    auto a = tl::input<"a", std::int32_t, n>;
    auto b = tl::input<"b", std::int32_t, n>;
    return tl::outputs(tl::named<"q">(tl::floor_divide(a, b)), tl::named<"r">(tl::remainder(a, b)));
  }};
  const auto y = f("a"_t = std::vector<std::int32_t>{7, -7, 7, -7, 6, -6},
                   "b"_t = std::vector<std::int32_t>{3, 3, -3, -3, 3, 3});
  CHECK(test::elements(y.get<"q">()) == std::vector<double>{2, -3, -3, 2, 2, -2});
  CHECK(test::elements(y.get<"r">()) == std::vector<double>{1, 2, -2, -1, 0, 0});
}
