// SPDX-License-Identifier: BSL-1.0
// Functions beside the elementary ones: laws, PyTorch's values and gradients where a function begins, ends or
// is infinite, and what is better here.
#include <cmath>
#include <limits>
#include <string_view>
#include <type_traits>
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
TAPELESS_LAW(error_functions, 6, 3, -0.8, 0.8,
             tl::erfc(part<0, 3>(z)) * tl::erfcx(part<3, 3>(z)) + tl::normal_cdf(part<0, 3>(z)))
TAPELESS_LAW(gamma_functions, 4, 2, 0.6, 1.8, tl::lgamma(part<0, 2>(z)) + tl::polygamma<2>(part<2, 2>(z)))
// Their derivatives have the Bessel functions of order 1.
TAPELESS_LAW(bessel_functions_of_both_kinds, 4, 2, 0.5, 3,
             tl::i0e(part<0, 2>(z)) * tl::bessel_j0(part<2, 2>(z)))
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
                       tl::named<"erfc">(both(tl::erfc(x))), tl::named<"erfcx">(both(tl::erfcx(x))),
                       tl::named<"normal_cdf">(both(tl::normal_cdf(x))));
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
  check(test::elements(y.get<"normal_cdf">()),
        {0.006209665325776159, 0.15865525393145702, 0.3085375387259869, 0.5, 0.5987063256829237,
         0.841344746068543, 0.9937903346742238, 0.01752830049356853, 0.2419707245191433, 0.35206532676429947,
         0.3989422804014327, 0.38666811680284924, 0.2419707245191433, 0.01752830049356853});
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

TEST_CASE("lgamma of numbers below zero that float holds as whole ones alone") {
  tl::function f{[] { return tl::outputs(tl::named<"y">(tl::lgamma(tl::input<"x", float, 3>))); }};
  const auto y = f("x"_t = {-3e38f, -1e10f, -8388609.0f}).get<"y">();
  for (const float infinite : y) CHECK(infinite == std::numeric_limits<float>::infinity());
}

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

namespace {

template <class T, bool Derivatives = true>
struct bessel_functions {
  constexpr auto operator()() const {
    auto x = tl::input<"x", T, n>;
    auto slope = [&]([[maybe_unused]] auto y) {
      if constexpr (Derivatives) return tl::grad(tl::sum(y), x);
      if constexpr (!Derivatives) return y;
    };
    return tl::outputs(tl::named<"i0">(tl::i0(x)), tl::named<"i0e">(tl::i0e(x)), tl::named<"i1">(tl::i1(x)),
                       tl::named<"i1e">(tl::i1e(x)), tl::named<"j0">(tl::bessel_j0(x)),
                       tl::named<"j1">(tl::bessel_j1(x)), tl::named<"slope_of_i0e">(slope(tl::i0e(x))),
                       tl::named<"slope_of_i1e">(slope(tl::i1e(x))),
                       tl::named<"third_of_i1">(slope(slope(slope(tl::i1(x))))),
                       tl::named<"third_of_j1">(slope(slope(slope(tl::bessel_j1(x))))));
  }
};

const std::vector<double> bessel_points{
    -20,  -12,   -3.5, -1, 0, 0.25, 2, 2.404825557695773, 5.520078110286311, 7.015586669815619,
    7.75, 11.75, 100};

/// Within 9 units of the last place of the value or, of J_0 and J_1 from |x| = 1 on, of their waves' height;
/// next to a root of these, where there are no digits left but what the root's own give, within 1e-6 of it.
template <class T>
bool is_bessel(double x, T found, double expected, bool is_wave) {
  const double height = is_wave && std::abs(x) >= 1 ? std::sqrt(0.6366197723675814 / std::abs(x)) : 0;
  const double unit = std::numeric_limits<T>::epsilon() * std::max(std::abs(expected), height);
  if (std::is_same_v<T, double> && expected != 0 && std::abs(expected) < 1e-15)
    return std::abs(found - expected) <= 1e-6 * std::abs(expected);
  return std::abs(found - expected) <= 9 * unit;
}

void check_bessel(std::string_view name, const auto& found, const std::vector<double>& expected) {
  for (std::size_t i = 0; i < expected.size(); ++i) {
    INFO(name << " of " << bessel_points[i] << ": " << found[i] << ", expected " << expected[i]);
    CHECK(is_bessel<double>(bessel_points[i], found[i], expected[i], name[0] == 'j'));
  }
}

}  // namespace

TEST_CASE("Bessel functions are mpmath's, and their third derivatives") {
  tl::function f{bessel_functions<double>{}};
  const auto y = f("x"_t = bessel_points);
  check_bessel("i0", y.get<"i0">(),
               {43558282.559553534, 18948.925349296307, 7.3782034322254795, 1.2660658777520084, 1,
                1.015686141223608, 2.2795853023360673, 3.0603707749964744, 43.47665938596837,
                171.04389764245775, 338.5137537472759, 14917.234727230316, 1.0737517071310738e+42});
  check_bessel("i0e", y.get<"i0e">(),
               {0.08978031188482602, 0.11642622121344044, 0.22280243801077917, 0.46575960759364043, 1,
                0.7910171621397194, 0.30850832255367105, 0.276294077926768, 0.17414728330481932,
                0.15355961210044544, 0.1458122743089143, 0.11768691028671148, 0.03994437929909668});
  check_bessel("i1", y.get<"i1">(),
               {-42454973.38512777, -18141.348781638833, -6.205834922258365, -0.565159103992485, 0,
                0.12597910894546793, 1.590636854637329, 2.3082387433767706, 39.31129409231783,
                158.33634911919282, 315.85248092400343, 14267.615320679373, 1.0683693903381625e+42});
  check_bessel("i1e", y.get<"i1e">(),
               {-0.08750622218328867, -0.11146429929018098, -0.18739997660305, -0.20791041534970844, 0,
                0.09811262869736824, 0.21526928924893765, 0.2083906631335745, 0.15746276659847058,
                0.14215104243571997, 0.1360511000803391, 0.11256185177437805, 0.03974415302513025});
  check_bessel("j0", y.get<"j0">(),
               {0.16702466434058316, 0.047689310796833535, -0.3801277399872634, 0.7651976865579666, 1,
                0.9844359292958527, 0.22389077914123567, -6.10876525973673e-17, -2.7522649432621832e-17,
                0.30011575252613254, 0.22523406912010668, -0.009669352567074631, 0.019985850304223122});
  check_bessel("j1", y.get<"j1">(),
               {-0.06683312417585005, 0.2234471044906276, -0.1373775273623272, -0.4400505857449335, 0,
                0.12402597732272692, 0.5767248077568734, 0.5191474972894667, -0.34026480655836816,
                2.825339409478929e-17, 0.1916025921891178, -0.2330805882739643, -0.07714535201411216});
  const std::vector<double> third_of_i1{
      39607631.110198565, 16257.14570275282,  4.770463978219355,     0.5429906790681531, 0.375,
      0.3848102133333613, 1.2056597834727918, 1.7324300401954442,    32.11179012632972,  133.579731735822,
      269.840236227132,   12760.07513171145,  1.0527000346201079e+42},
      third_of_j1{-0.15913879178357565,
                  -0.08316110956863387,
                  0.3463118329630485,
                  -0.22980696986380095,
                  -0.375,
                  -0.3652787964402458,
                  0.08820850715390943,
                  0.20778407023931797,
                  -0.11114501150178345,
                  -0.28182287369844894,
                  -0.16700797304410941,
                  -0.02935197478304639,
                  -0.021522298717302015};
  const auto i0e = test::elements(y.get<"i0e">()), i1e = test::elements(y.get<"i1e">());
  for (std::size_t i = 0; i < bessel_points.size(); ++i) {
    const double x = bessel_points[i], sign = x < 0 ? -1 : x > 0 ? 1 : 0, ratio = x == 0 ? 0.5 : i1e[i] / x;
    CHECK(y.get<"slope_of_i0e">()[i] == test::Approx(i1e[i] - sign * i0e[i]).margin(1e-15));
    CHECK(y.get<"slope_of_i1e">()[i] == test::Approx(i0e[i] - ratio - sign * i1e[i]).margin(1e-15));
    CHECK(y.get<"third_of_i1">()[i] == test::Approx(third_of_i1[i]).epsilon(1e-12));
    CHECK(y.get<"third_of_j1">()[i] == test::Approx(third_of_j1[i]).epsilon(1e-11).margin(1e-14));
  }
}

TEST_CASE("Bessel functions of float, and of what is infinite or no number") {
  tl::function f{bessel_functions<float, false>{}};
  tl::function exact{bessel_functions<double>{}};
  std::vector<float> x;
  for (int i = -300; i <= 300; ++i) x.push_back(static_cast<float>(0.11 * i));
  const auto y = f("x"_t = x);
  const auto expected = exact("x"_t = std::vector<double>(x.begin(), x.end()));
  for (std::size_t i = 0; i < x.size(); ++i) {
    INFO("of " << x[i]);
    CHECK(is_bessel<float>(x[i], y.get<"i0">()[i], expected.get<"i0">()[i], false));
    CHECK(is_bessel<float>(x[i], y.get<"i0e">()[i], expected.get<"i0e">()[i], false));
    CHECK(is_bessel<float>(x[i], y.get<"i1">()[i], expected.get<"i1">()[i], false));
    CHECK(is_bessel<float>(x[i], y.get<"i1e">()[i], expected.get<"i1e">()[i], false));
    CHECK(is_bessel<float>(x[i], y.get<"j0">()[i], expected.get<"j0">()[i], true));
    CHECK(is_bessel<float>(x[i], y.get<"j1">()[i], expected.get<"j1">()[i], true));
  }
  const auto end = exact("x"_t = std::vector<double>{infinity, -infinity, 713, 720, no_number});
  check(test::elements(end.get<"i0">()), {infinity, infinity, 6.7051282636709967e+307, infinity, no_number});
  check(test::elements(end.get<"i1">()), {infinity, -infinity, 6.7004245591864025e+307, infinity, no_number});
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK((end.get<"i0e">()[i] == 0 && end.get<"i1e">()[i] == 0));
    CHECK((end.get<"j0">()[i] == 0 && end.get<"j1">()[i] == 0));
  }
  CHECK((std::isnan(end.get<"i0e">()[4]) && std::isnan(end.get<"j0">()[4])));
}
