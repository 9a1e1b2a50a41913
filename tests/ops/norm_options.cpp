// SPDX-License-Identifier: BSL-1.0
// Norms and normalizations, and their options, against PyTorch 2.15: values, and gradients of their sums;
// what layers keep from step to step.
#include "catch.hpp"
#include "check.hpp"
#include "program.hpp"

#include <cmath>

#include <tapeless/ops/control/scan.hpp>
#include <tapeless/ops/linalg.hpp>
#include <tapeless/ops/norm.hpp>
#include <tapeless/ops/reduction.hpp>
#include <tapeless/optim/rules/sgd.hpp>
#include <tapeless/train/trainer/trainer.hpp>

using test::check;

TEST_CASE("norms and their options are PyTorch's") {
  tl::function f{[] {
    auto x = tl::input<"x", double, 2, 3, 4>;
    auto z = tl::input<"z", double, 2, 3, 4>;
    auto w = tl::input<"w", double, 4>;
    auto b = tl::input<"b", double, 4>;
    auto s = tl::input<"s", double>;
    auto order_minus_1_ = tl::norm<2>(z, tl::order<-1>);
    auto order_minus_2_5_ = tl::norm<2>(z, tl::order<-2.5>);
    auto order_minus_infinity_ = tl::norm<2>(z, tl::order<-tl::infinity>);
    auto order_minus_1_of_numbers_ = tl::norm<1, 2>(x, tl::order<-1>);
    auto smallest_ = tl::norm<1>(x, tl::order<-tl::infinity>);
    auto var_ = tl::var<1>(x, tl::correction<1.5>);
    auto frobenius_ = tl::matrix_norm(x);
    auto matrix_1_ = tl::matrix_norm(x, tl::order<1>);
    auto matrix_minus_infinity_ = tl::matrix_norm(x, tl::order<-tl::infinity>);
    auto bias_ = tl::layer_norm(x, 1_c, b);
    auto weight_ = tl::layer_norm(x, w);
    auto linear_ = tl::linear(x, w, s);
    return tl::outputs(
        tl::named<"order 0">(tl::norm<2>(z, tl::order<0>)), tl::named<"order -1">(order_minus_1_),
        tl::named<"order -1 by z">(tl::grad(tl::sum(order_minus_1_), z)),
        tl::named<"order -2.5">(order_minus_2_5_),
        tl::named<"order -2.5 by z">(tl::grad(tl::sum(order_minus_2_5_), z)),
        tl::named<"order -infinity">(order_minus_infinity_),
        tl::named<"order -infinity by z">(tl::grad(tl::sum(order_minus_infinity_), z)),
        tl::named<"order -1 of numbers">(order_minus_1_of_numbers_),
        tl::named<"order -1 of numbers by x">(tl::grad(tl::sum(order_minus_1_of_numbers_), x)),
        tl::named<"smallest">(smallest_), tl::named<"smallest by x">(tl::grad(tl::sum(smallest_), x)),
        tl::named<"var">(var_), tl::named<"var by x">(tl::grad(tl::sum(var_), x)),
        tl::named<"std">(tl::std<1>(x, tl::correction<0.5>)), tl::named<"frobenius">(frobenius_),
        tl::named<"frobenius by x">(tl::grad(tl::sum(frobenius_), x)), tl::named<"matrix 1">(matrix_1_),
        tl::named<"matrix 1 by x">(tl::grad(tl::sum(matrix_1_), x)),
        tl::named<"matrix -1">(tl::matrix_norm(x, tl::order<-1>)),
        tl::named<"matrix infinity">(tl::matrix_norm(x, tl::order<tl::infinity>)),
        tl::named<"matrix -infinity">(matrix_minus_infinity_),
        tl::named<"matrix -infinity by x">(tl::grad(tl::sum(matrix_minus_infinity_), x)),
        tl::named<"bias">(bias_), tl::named<"bias by b">(tl::grad(tl::sum(bias_), b)),
        tl::named<"weight">(weight_), tl::named<"weight by w">(tl::grad(tl::sum(weight_), w)),
        tl::named<"linear">(linear_), tl::named<"linear by x">(tl::grad(tl::sum(linear_), x)),
        tl::named<"linear by w">(tl::grad(tl::sum(linear_), w)));
  }};
  const auto x = test::numbers(1).vector(24, -2, 2);
  auto z = x;
  for (std::size_t i : {4u, 5u, 6u, 7u, 21u}) z[i] = 0;
  auto r = f("x"_t = x, "z"_t = z, "w"_t = test::numbers(2).vector(4), "b"_t = test::numbers(3).vector(4),
             "s"_t = 0.5);
  check(r.get<"order 0">(), {4, 0, 4, 4, 4, 3});
  check(r.get<"order -1">(), {0.015869194357, 0, 0.15302277474, 0.20152326881, 0.087315673856, 0});
  check(r.get<"order -1 by z">(), {-0.00022661150752,
                                   -0.00092096598211,
                                   0.87466497929,
                                   0.00037495303789,
                                   0,
                                   0,
                                   0,
                                   0,
                                   -0.0062601832449,
                                   0.075479080604,
                                   -0.023500705753,
                                   -0.24289591532,
                                   0.3086096153,
                                   0.022358448364,
                                   -0.036164923303,
                                   0.01097787992,
                                   0.0036586576027,
                                   -0.015898174622,
                                   0.014290581102,
                                   0.48147220128,
                                   -0,
                                   0,
                                   -0,
                                   -0});
  check(r.get<"order -2.5">(), {0.016966202341, 0, 0.27987496555, 0.34648567106, 0.12442321571, 0});
  check(r.get<"order -2.5 by z">(), {-5.2886837769e-07,
                                     -6.152200079e-06,
                                     0.99960222049,
                                     1.2766260571e-06,
                                     0,
                                     0,
                                     0,
                                     0,
                                     -0.0011528034347,
                                     0.089934118889,
                                     -0.011671307595,
                                     -0.69536575935,
                                     0.85158268622,
                                     0.0086155535629,
                                     -0.019987730714,
                                     0.0024812333681,
                                     0.0001879945822,
                                     -0.0024586117344,
                                     0.0020401849793,
                                     0.96124007892,
                                     -0,
                                     0,
                                     -0,
                                     -0});
  check(r.get<"order -infinity">(), {0.016968131065, 0, 0.31048882008, 0.36276090145, 0.12583649158, 0});
  check(r.get<"order -infinity by z">(),
        {-0, -0, 1, 0, 0, 0, 0, 0, -0, 0, -0, -1, 1, 0, -0, 0, 0, -0, 0, 1, -0, 0, -0, -0});
  check(r.get<"order -1 of numbers">(), {0.01292298009, 0.050277505169});
  check(r.get<"order -1 of numbers by x">(),
        {-0.00015027874238, -0.00061074396035, 0.58003918039,     0.00024865229309,  -5.1669028953e-05,
         -0.00061306513329, 0.00013825759578,  0.003306051868,    -4.4647819201e-05, 0.00053831912142,
         -0.00016760775532, -0.0017323411293,  0.019209076838,    0.0013916778069,   -0.0022510471358,
         0.00068330644428,  0.0012130669942,   -0.0052712095518,  0.0047381947547,   0.15963724934,
         -0.0019580031764,  -0.0010102053813,  -0.00085662815777, -0.0048161280757});
  check(r.get<"smallest">(), {1.0541778803, 0.52192652225, 0.016968131065, 0.22475421429, 0.36276090145,
                              0.69249808788, 0.73041093349, 0.12583649158});
  check(r.get<"smallest by x">(),
        {-1, -0, 1, 0, -0, -1, 0, 1, -0, 0, -0, -0, 1, 0, -0, 0, 0, -1, 1, 1, -0, -0, -0, -0});
  check(r.get<"var">(), {0.29904382322, 0.51783026618, 1.4666464207, 0.42604359793, 2.2378550723,
                         3.0080136714, 2.1403206203, 2.4367505918});
  check(r.get<"var by x">(),
        {0.72155412038, -0.48039658864,  -0.029742240906, 0.76657803853, -0.26997598012, -0.47907543182,
         1.4130360285,  -0.026460329692, -0.45157814026,  0.95947202047, -1.3832937876,  -0.74011770884,
         0.18586911096, 2.2088134554,    -0.50310399797,  1.9757370419,  1.6269190047,   -0.51149675581,
         1.883705669,   -0.42099274529,  -1.8127881156,   -1.6973166996, -1.380601671,   -1.5547442966});
  check(r.get<"std">(), {0.42358741002, 0.5574030496, 0.93807667725, 0.50559485634, 1.158754954, 1.3434315028,
                         1.1332221195, 1.2091527427});
  check(r.get<"frobenius">(), {3.4587799141, 4.1415155504});
  check(r.get<"frobenius by x">(),
        {-0.3047831624, -0.15118550554, 0.0049058140404, 0.23694279798,  -0.5197860229,  -0.1508990266,
         0.31775708789, 0.064980779311, -0.55916453888,  0.1610348391,   -0.28859758463, -0.089768307838,
         0.08759134115, 0.32542062298,  -0.25587162569,  0.46441545579,  0.34855557203,  -0.16720885856,
         0.17636319956, 0.03038416494,  -0.27435174507,  -0.38195269979, -0.41478042291, -0.17493044831});
  check(r.get<"matrix 1">(), {4.7860304117, 3.6220957041});
  check(r.get<"matrix 1 by x">(),
        {-1, -0, 0, 0, -1, -0, 0, 0, -1, 0, -0, -0, 0, 1, -0, 0, 0, -1, 0, 0, -0, -1, -0, -0});
  check(r.get<"matrix -1">(), {1.3547760248, 2.7736974955});
  check(r.get<"matrix infinity">(), {3.7996954918, 5.1603918076});
  check(r.get<"matrix -infinity">(), {2.4135963917, 2.9922938347});
  check(r.get<"matrix -infinity by x">(),
        {-1, -1, 1, 1, -0, -0, 0, 0, -0, 0, -0, -0, 0, 0, -0, 0, 1, -1, 1, 1, -0, -0, -0, -0});
  check(r.get<"bias">(),
        {-1.7800131053,  -0.386224749,  1.0390796409,   2.008124996,    -1.9833581662,  -0.15554391423,
         2.0161362151,   1.0037326478,  -1.9072104594,  1.4456253507,   0.38973607142,  0.95281581984,
         -0.77387068969, 0.72415566344, -0.75906550993, 1.6897473187,   0.8009576502,   -1.292117239,
         1.1657282219,   0.20639814946, -0.13208092915, -0.64472979393, -0.34642993038, 2.004207436});
  check(r.get<"bias by b">(), {6, 6, 6, 6});
  check(r.get<"weight">(),
        {0.66024722073,  0.039031422808,  -0.18150526215, 0.70165073296,  0.76727054083,  0.020565162677,
         -0.78933151207, 0.21572643937,   0.72719294876,  -0.10761023685, 0.22245094384,  0.19109291471,
         0.13070054103,  -0.049855777383, 0.93711964935,  0.54761984236,  -0.69815341199, 0.11154913494,
         -0.2602932608,  -0.17002341586,  -0.20708229317, 0.059725042238, 0.68041932767,  0.6997554203});
  check(r.get<"weight by w">(), {-2.6223432442, -0.91697336252, -0.97871810294, 4.5180347097});
  check(r.get<"linear">(),
        {1.482622141, 0.91301773321, 1.9440805314, 1.790954339, -0.59783276776, 1.9427974416});
  check(r.get<"linear by x">(),
        {-0.52631384134, -0.080051124096, -0.62209933996, 0.48379927874,   -0.52631384134, -0.080051124096,
         -0.62209933996, 0.48379927874,   -0.52631384134, -0.080051124096, -0.62209933996, 0.48379927874,
         -0.52631384134, -0.080051124096, -0.62209933996, 0.48379927874,   -0.52631384134, -0.080051124096,
         -0.62209933996, 0.48379927874,   -0.52631384134, -0.080051124096, -0.62209933996, 0.48379927874});
  check(r.get<"linear by w">(), {-4.115953207, -1.4144864082, -1.9292805195, 2.0585415363});
}

namespace {

constexpr auto counted = [] {
  auto x = tl::input<"x", double, 2, 2, 2, 1, 2>;
  auto y = tl::batch_norm<"bn", tl::batch_norm_options{.cumulative = true}>(x);
  return tl::outputs(tl::mean(tl::square(y - 1_c)), tl::named<"y">(y));
};

constexpr auto untracked = [] {
  constexpr tl::batch_norm_options o{.affine = false, .track_running_stats = false};
  auto y = tl::batch_norm<"bn", o>(tl::input<"x", double, 4, 3>);
  return tl::outputs(tl::sum(y), tl::named<"y">(y));
};

}  // namespace

TEST_CASE("running statistics as means of all batches, and none") {
  tl::trainer t{counted, tl::sgd({.learning_rate = 0.f})};
  CHECK(t.parameter<"bn.num_batches_tracked">()[0] == 0);
  for (std::uint32_t i = 0; i < 3; ++i) {
    auto r = t.step("x"_t = test::numbers(10 + i).vector(16));
    if (i == 2)
      check(r.get<"y">(),
            {-0.40859611318, 0.044876407507, -1.1435448749, -0.87054866208, -0.36685189234, 0.7274933068,
             0.32525419693, 0.93092565955, 0.92582727212, -0.29922251867, -0.40602982546, 2.1572383147,
             -0.6010329082, -0.75147840501, 1.5113687475, -1.7756787053});
  }
  CHECK(t.parameter<"bn.num_batches_tracked">()[0] == 3);
  check(t.parameter<"bn.running_mean">(), {-0.33701825639, -0.10685714583});
  check(t.parameter<"bn.running_var">(), {0.25748218637, 0.23425444474});
  auto e = t.evaluate("x"_t = test::numbers(10).vector(16));
  check(e.get<"y">(),
        {-0.36082279798, -0.57499301014, 1.3208562939, -1.1566377962, -1.6439021347, -1.436566189,
         0.8575252398, 1.4668899775, 1.0383106388, -0.69056240987, 0.0098183214783, 1.0018839707,
         -0.26499569886, -0.17883627481, -0.64691148765, -1.119271015});

  tl::function f{untracked};
  check(f("x"_t = test::numbers(13).vector(12)).get<"y">(),
        {-0.56053616835, 0.083031116127, 1.1060826931, -0.85463229886, -1.6210627405, -0.47606868599,
         1.6960046433, 0.46709059043, -1.3992824083, -0.28083617609, 1.0709410339, 0.76926840119});
}

namespace {

// The terms share x, the last two also the layer. The first one is longest, so that the others come behind
// it.
constexpr auto branched = [] {
  auto x = tl::input<"x", double, 4, 2>;
  auto a = tl::sin(tl::sin(tl::sin(tl::sin(x))));
  auto h = tl::batch_norm<"bn">(x);
  return tl::sum(a) + tl::sum(tl::tanh(h)) + tl::sum(tl::square(h));
};

}  // namespace

TEST_CASE("running statistics follow a batch once, of a layer whose result is read in several expressions") {
  tl::trainer t{branched, tl::sgd({})};
  t.step("x"_t = std::vector{1., 10., 2., 20., 3., 30., 6., 40.});
  check(t.parameter<"bn.running_mean">(), {0.3, 2.5});
  check(t.parameter<"bn.running_var">(), {0.9 + 14.0 / 3 / 10, 0.9 + 500.0 / 3 / 10});
}

namespace {

constexpr auto frozen = [] {
  constexpr tl::batch_norm_options o{.eps = 0.25, .frozen = true};
  auto h = tl::linear<"fc", 2>(tl::input<"x", double, 3, 4>);
  auto y = tl::batch_norm<"bn", o>(h);
  return tl::outputs(tl::mean(tl::square(y)), tl::named<"h">(h), tl::named<"y">(y));
};

}  // namespace

TEST_CASE("a frozen batch_norm is that of evaluation, and is left alone") {
  tl::trainer t{frozen, tl::sgd({.learning_rate = 0.1f, .weight_decay = 0.5f})};
  t.assign<"bn.running_mean">(std::vector{1.0, -2.0});
  t.assign<"bn.running_var">(std::vector{3.75, 0.75});
  t.assign<"bn.weight">(std::vector{2.0, -3.0});
  t.assign<"bn.bias">(std::vector{0.5, 0.25});
  const auto x = test::numbers(3).vector(12);
  const auto before = test::elements(t.parameter<"fc.weight">());
  const auto evaluated = test::elements(t.evaluate("x"_t = x).get<"y">());
  auto r = t.step("x"_t = x);
  const auto h = test::elements(r.get<"h">()), y = test::elements(r.get<"y">());
  CHECK(y == evaluated);
  for (std::size_t i = 0; i < h.size(); i += 2) {
    CHECK(y[i] == test::Approx((h[i] - 1) / 2 * 2 + 0.5));
    CHECK(y[i + 1] == test::Approx((h[i + 1] + 2) * -3 + 0.25));
  }
  check(t.parameter<"bn.running_mean">(), {1, -2});
  check(t.parameter<"bn.running_var">(), {3.75, 0.75});
  check(t.parameter<"bn.weight">(), {2, -3});
  check(t.parameter<"bn.bias">(), {0.5, 0.25});
  CHECK(test::elements(t.parameter<"fc.weight">()) != before);
}

TEST_CASE("so is one in the body of scan, whose iterations have statistics of their own") {
  tl::trainer t{[] {
                  auto body = [](auto h) {
                    return tl::batch_norm<"bn", tl::batch_norm_options{.eps = 0.25, .frozen = true}>(
                        tl::linear<"fc", 2>(h));
                  };
                  auto y = tl::scan<2>(tl::input<"x", double, 1, 2>, body);
                  return tl::outputs(tl::mean(tl::square(y)), tl::named<"y">(y));
                },
                tl::sgd({.learning_rate = 0.1f, .weight_decay = 0.5f})};
  const std::vector<double> mean{1, -2, 0.5, 3}, var{3.75, 0.75, 0, 2}, weight{2, -3, 1, 4}, bias{1, 2, 3, 4};
  t.assign<"bn.running_mean">(mean);
  t.assign<"bn.running_var">(var);
  t.assign<"bn.weight">(weight);
  t.assign<"bn.bias">(bias);
  const auto w = test::elements(t.parameter<"fc.weight">()), b = test::elements(t.parameter<"fc.bias">());
  const auto evaluated = test::elements(t.evaluate("x"_t = {1.0, 2.0}).get<"y">());
  const auto y = test::elements(t.step("x"_t = {1.0, 2.0}).get<"y">());
  CHECK(y == evaluated);
  std::vector<double> h{1, 2};
  for (std::size_t i = 0; i < 2; ++i) {
    std::vector<double> next(2);
    for (std::size_t j = 0; j < 2; ++j) {
      const std::size_t k = 2 * i + j;
      const double sum = b[k] + h[0] * w[2 * k] + h[1] * w[2 * k + 1];
      next[j] = (sum - mean[k]) / std::sqrt(var[k] + 0.25) * weight[k] + bias[k];
    }
    h = next;
  }
  check(t.parameter<"bn.running_mean">(), mean);
  check(t.parameter<"bn.running_var">(), var);
  check(t.parameter<"bn.weight">(), weight);
  check(t.parameter<"bn.bias">(), bias);
  CHECK(y[0] == test::Approx(h[0]));
  CHECK(y[1] == test::Approx(h[1]));
  CHECK(test::elements(t.parameter<"fc.weight">()) != w);
}

namespace {

constexpr auto spectral = [] {
  auto x = tl::input<"x", double, 1, 2, 5>;
  auto y = tl::conv1d<tl::conv{}>(x, tl::spectral_norm<"conv.weight", double, 3, 2, 2>());
  return tl::outputs(tl::sum(y * tl::input<"c", double, 1, 3, 4>), tl::named<"y">(y));
};

}  // namespace

TEST_CASE("spectral_norm is PyTorch's: a power iteration in each step, and none in evaluation") {
  tl::trainer t{spectral, tl::sgd({.learning_rate = 0.5f})};
  const auto set = [](auto view, std::uint32_t seed) {
    test::numbers random(seed);
    for (double& x : view) x = random();
  };
  set(t.parameter<"conv.weight_orig">(), 20);
  set(t.parameter<"conv.weight_u">(), 21);  // of any length
  set(t.parameter<"conv.weight_v">(), 22);
  const auto x = test::numbers(23).vector(10), c = test::numbers(24).vector(12);
  auto r = t.step("x"_t = x, "c"_t = c);
  check(r.get<"y">(),
        {0.409533298, -0.043790266926, 0.012450086958, -0.36934287369, -0.080012033844, -0.10675605025,
         -0.058268106858, 0.19897065742, 0.1584223975, -0.31462545428, 0.31926578187, -0.22944793951});
  check(t.parameter<"conv.weight_u">(), {0.078237554531, -0.8756053631, -0.47664885731});
  check(t.parameter<"conv.weight_v">(), {-0.19778963877, 0.03655861554, -0.91166630014, -0.3583396205});
  check(t.parameter<"conv.weight_orig">(),
        {-0.58838793178, -0.86867239008, 0.2255200935, -0.38690193826, 0.36499990918, 0.082003005932,
         0.95405454005, 0.85204042244, 0.51351429272, 0.55182100504, 0.58804878495, 0.054175458848});

  set(t.parameter<"conv.weight_orig">(), 20);
  check(t.evaluate("x"_t = x, "c"_t = c).get<"y">(),
        {0.409533298, -0.043790266926, 0.012450086958, -0.36934287369, -0.080012033844, -0.10675605025,
         -0.058268106858, 0.19897065742, 0.1584223975, -0.31462545428, 0.31926578187, -0.22944793951});
  check(t.parameter<"conv.weight_u">(), {0.078237554531, -0.8756053631, -0.47664885731});
}

namespace {

struct norm_of_value {
  static constexpr int arity = 1;
  static constexpr tl::value build(tl::value x) { return tl::layer_norm<0.5>(x); }
};

}  // namespace

TEST_CASE("layer_norm's eps alone, in a layer, in an expression and in a function of values") {
  tl::function f{[] {
    auto x = tl::input<"x", double, 2, 4>;
    return tl::outputs(
        tl::named<"layer">(tl::layer_norm<"ln", 0.5>(x)), tl::named<"expression">(tl::layer_norm<0.5>(x)),
        tl::named<"value">(tl::make<norm_of_value>(x)), tl::named<"whole">(tl::layer_norm<1, 0.5>(x)));
  }};
  auto r = f("x"_t = test::numbers(1).vector(8));
  const auto whole = test::elements(r.get<"whole">());
  CHECK(test::elements(r.get<"layer">()) == whole);
  CHECK(test::elements(r.get<"expression">()) == whole);
  CHECK(test::elements(r.get<"value">()) == whole);
}

TEST_CASE("layer_norm with a weight or a bias alone owns just this") {
  tl::trainer t{[] {
                  auto x = tl::input<"x", double, 2, 4>;
                  using tl::norm_parameters;
                  return tl::sum(tl::layer_norm<"a", 1, 1e-5, norm_parameters::weight>(x)) +
                         tl::sum(tl::layer_norm<"b", 1, 1e-5, norm_parameters::bias>(x)) +
                         tl::sum(tl::layer_norm<"c", 1, 1e-5, norm_parameters::none>(x));
                },
                tl::sgd({.learning_rate = 0.1f})};
  check(t.parameter<"a.weight">(), {1, 1, 1, 1});
  check(t.parameter<"b.bias">(), {0, 0, 0, 0});
  CHECK(decltype(t)::parameter_descriptions().size() == 2);
}
