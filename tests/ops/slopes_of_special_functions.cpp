// SPDX-License-Identifier: BSL-1.0
// First and second derivatives of scaled functions, whose formulas by the functions themselves are
// differences of numbers near each other for large x. Expected values are mpmath's.
#include "catch.hpp"

#include <cmath>
#include <cstddef>
#include <type_traits>
#include <vector>

#include <tapeless/ops/autodiff/grad.hpp>
#include <tapeless/ops/pointwise/digamma.hpp>
#include <tapeless/ops/pointwise/erfcx.hpp>
#include <tapeless/ops/pointwise/i0e.hpp>
#include <tapeless/ops/pointwise/i1e.hpp>
#include <tapeless/ops/reduction/sum.hpp>
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;
using namespace tl::literals;

namespace {

template <class T>
struct slopes {
  constexpr auto operator()() const {
    auto x = tl::input<"x", T, tl::dyn<"n">>;
    auto slope = [&](auto y) { return tl::grad(tl::sum(y), x); };
    return tl::outputs(tl::named<"erfcx">(slope(tl::erfcx(x))), tl::named<"i0e">(slope(tl::i0e(x))),
                       tl::named<"i1e">(slope(tl::i1e(x))),
                       tl::named<"second_of_erfcx">(slope(slope(tl::erfcx(x)))),
                       tl::named<"second_of_i0e">(slope(slope(tl::i0e(x)))),
                       tl::named<"second_of_i1e">(slope(slope(tl::i1e(x)))));
  }
};

/// Within so many times what the type's last place is worth, relatively.
template <class T>
void check(const auto& found, const std::vector<double>& expected, double units) {
  const double unit = std::is_same_v<T, float> ? 0x1p-23 : 0x1p-52;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    INFO("element " << i << ": " << found[i] << ", expected " << expected[i]);
    CHECK(std::abs(double(found[i]) - expected[i]) <= units * unit * std::abs(expected[i]));
  }
}

}  // namespace

TEMPLATE_TEST_CASE("derivatives of scaled functions keep their digits", "", float, double) {
  const std::vector<TestType> x{-3.0, -0.75, -0.125, 0.0, 0.25, 0.5,   1.0,     1.75,
                                2.5,  3.75,  4.0,    6.5, 10.0, 100.0, 12345.0, 1e6},
      z{-3.5, 0.25, 2.0, 4.0, 8.0, 11.75, -12.0, 13.0, 30.0, 100.0, 1234.0, 1e6};
  tl::function f{slopes<TestType>{}};
  const auto of_erfcx = f("x"_t = x);
  check<TestType>(
      of_erfcx.template get<"erfcx">(),
      {-97237.06150316462, -5.633136662536691, -1.4179475601183178, -1.1283791670955126, -0.7432058932300142,
       -0.5126888229025867, -0.27321201478389856, -0.1309763455144852, -0.07434734678979467,
       -0.03645625753272353, -0.032383506095021455, -0.01290545573188275, -0.0055593122190608565,
       -5.6410497625993184e-05, -3.7020550360783067e-09, -5.6418958354691e-13},
      10);
  check<TestType>(of_erfcx.template get<"second_of_erfcx">(),
                  {615834.3467269868, 14.45604832105994, 2.671034034212021, 2.0, 1.1690901488469865,
                   0.718691865483265, 0.3087431227438169, 0.11152726017417454, 0.04987599417331381,
                   0.017757511054650597, 0.014930866489951141, 0.0038404156953134433, 0.0010957411064280369,
                   1.1280407802288335e-06, 5.997658970661037e-13, 1.1283791670921275e-18},
                  10);
  const auto y = f("x"_t = z);
  check<TestType>(
      y.template get<"i0e">(),
      {0.03540246140772917, -0.6929045334423511, -0.09323903330473338, -0.02825108172155137,
       -0.009289288564152133, -0.005125058512333427, 0.0049619219232594665, -0.0043884345688671314,
       -0.0012296158835897392, -0.00020022627396642996, -4.602983186957542e-06, -1.9947121500246404e-10},
      20);
  check<TestType>(
      y.template get<"second_of_i0e">(),
      {0.01726207235744407, 0.9933585520952293, 0.07884342198499793, 0.01181445356749391,
       0.0018107654667169925, 0.0006703849587623377, 0.0006351522390038518, 0.0005174538110429055,
       6.202074722455996e-05, 3.011017681557421e-06, 5.596333292775698e-09, 2.992068973055139e-16},
      100);
  check<TestType>(
      y.template get<"i1e">(),
      {-0.018140389050285106, 0.30045401865287813, -0.014395611319735449, -0.01643662815405746,
       -0.00747852309743514, -0.004454673553571088, -0.004326769684255615, -0.0038709807578242257,
       -0.0011675951363651794, -0.00019721525628487254, -4.5973868536647666e-06, -1.9947091579556673e-10},
      20);
  check<TestType>(
      y.template get<"second_of_i1e">(),
      {-0.0032188532163557556, -0.6253725675488498, -0.01782829401289579, 0.003466630939922663,
       0.001220026378160809, 0.0005240325407675008, -0.000499469535310373, 0.0004156535800736777,
       5.680612465277664e-05, 2.9355501838043295e-06, 5.584993201784331e-09, 2.9920614928808364e-16},
      100);
}

TEMPLATE_TEST_CASE("digamma keeps its digits next to its root at -0.504", "", float, double) {
  tl::function f{[] {
    auto x = tl::input<"x", TestType, tl::dyn<"n">>;
    return tl::outputs(tl::named<"y">(tl::digamma(x)));
  }};
  const std::vector<TestType> x{-0.5, -0.4375, -0.375, -0.3125, -0.25, -0.125, -0.5625, -0.75};
  const auto y = f("x"_t = x);
  check<TestType>(y.template get<"y">(),
                  {0.03648997397857652, 0.6012880880627898, 1.2139579020901001, 1.9440395239630641,
                   2.9141391202135276, 7.195982928452304, -0.5315500519418058, -2.894120200042932},
                  6);
}
