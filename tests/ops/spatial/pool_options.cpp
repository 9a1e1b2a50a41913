// SPDX-License-Identifier: BSL-1.0
// Options of pools, and pools along three axes: values and gradients by PyTorch.
#include <tapeless/ops/spatial/lp_pool.hpp>
#include <tapeless/ops/spatial/pool3d.hpp>

#include "laws/laws.hpp"
#include "torch_values.hpp"

using laws::part;
using test::check_values;
using test::flat;

TEST_CASE("pools of the largest element: ceil_mode and dilation") {
  check_values<24>(
      [](auto z) {
        return tl::concat<0>(
            flat(tl::max_pool2d<tl::pool{.kernel = 3, .stride = 2, .padding = 1, .ceil_mode = true}>(
                part<0, 1, 1, 4, 6>(z))),
            flat(tl::max_pool1d<tl::pool{.kernel = 2, .stride = 3, .ceil_mode = true}>(part<0, 1, 2, 6>(z))),
            flat(tl::max_pool1d<tl::pool{.kernel = 2, .ceil_mode = true}>(part<0, 1, 2, 5>(z))),
            flat(tl::max_pool2d<tl::pool{
                     .kernel = {2, 3}, .stride = {1, 2}, .padding = 1, .dilation = {2, 3}}>(
                part<0, 1, 1, 4, 6>(z))),
            flat(tl::max_pool1d<tl::pool{
                     .kernel = 3, .stride = 2, .padding = 1, .dilation = 2, .ceil_mode = true}>(
                part<0, 2, 8>(z))));
      },
      {0.4375,  2.75,    2.125,   2.125,  2.9375,  2.9375, 2.3125,  -0.4375, 2.9375, 2.9375, 1.25, -0.4375,
       -0.8125, -0.1875, 0.4375,  1.0625, -0.8125, 1.5,    -0.1875, 2.125,   2.75,   -1.25,  2.75, 2.125,
       2.75,    -1.6875, -0.8125, 2.125,  2.125,   2.125,  -1.25,   1.6875,  1.6875, 1.6875},
      {0, -4.875, 3, 0, -0.75, 29.75,  0, 1.75, 22, -5,  2.125, 0,
       0, 10.125, 0, 0, 4.625, -3.375, 0, 23.5, 0,  2.5, 0,     -1.75});
}

TEST_CASE("pools of means: ceil_mode, and a divisor of their own") {
  check_values<24>(
      [](auto z) {
        return tl::concat<0>(
            flat(tl::avg_pool2d<tl::pool{.kernel = 3, .stride = 2, .padding = 1, .ceil_mode = true}>(
                part<0, 1, 1, 4, 6>(z))),
            flat(tl::avg_pool2d<tl::pool{
                     .kernel = 3, .stride = 2, .padding = 1, .ceil_mode = true, .count_include_pad = false}>(
                part<0, 1, 1, 4, 6>(z))),
            flat(tl::avg_pool1d<tl::pool{
                     .kernel = 4, .padding = 2, .ceil_mode = true, .count_include_pad = false}>(
                part<0, 1, 1, 2>(z))),
            flat(tl::avg_pool2d<tl::pool{.kernel = 2, .padding = 1, .divisor_override = 3}>(
                part<0, 2, 3, 4>(z))),
            flat(tl::avg_pool2d<tl::pool{.kernel = 2, .ceil_mode = true, .divisor_override = 3}>(
                part<0, 1, 1, 3, 4>(z))));
      },
      {-0.5972222, 0.01388889, -0.4097222, -0.1354167, 0.3541667,  0.4930556, -0.4930556,
       -0.84375,   0.59375,    0.5208333,  -0.3229167, -0.109375,  -1.34375,  0.02083333,
       -0.6145833, -0.40625,   0.53125,    0.4930556,  -0.4930556, -1.6875,   1.78125,
       1.041667,   -0.6458333, -0.4375,    -1.96875,   -1.041667,  0.2291667, -0.8333333,
       0.8541667,  0.02083333, -0.8333333, -0.2083333, -0.2083333, 0,         0.4166667,
       -0.8541667, 0.8333333,  -0.6666667, -0.8125,    0.5,        -0.625},
      {-3.91223,   -3.054977,  -0.378858,  -1.383102, -0.1709105, -1.177855,  -1.076582,  -1.41686,
       1.131944,   0.06134259, -0.9178241, -3.344907, 0.1168981,  0.336034,   0.08024691, 0,
       0.05864198, -2.19483,   1.665509,   3.877701,  1.364969,   -0.2395833, -1.326775,  -2.537712});
}

TEST_CASE("pools of volumes") {
  check_values<48>(
      [](auto z) {
        return tl::concat<0>(
            flat(tl::max_pool3d<tl::pool{.kernel = {2, 2, 3}, .stride = {1, 2, 2}, .padding = {1, 0, 1}}>(
                part<0, 1, 1, 3, 4, 4>(z))),
            flat(tl::max_pool3d<tl::pool{.kernel = 2, .ceil_mode = true}>(part<0, 2, 3, 3, 2>(z))),
            flat(tl::max_pool3d<tl::pool{.kernel = 2, .stride = 1, .dilation = {1, 2, 1}}>(
                part<0, 1, 1, 2, 4, 3>(z))),
            flat(tl::avg_pool3d<tl::pool{.kernel = {2, 2, 3}, .stride = {1, 2, 2}, .padding = {1, 0, 1}}>(
                part<0, 1, 1, 3, 4, 4>(z))),
            flat(tl::avg_pool3d<tl::pool{
                     .kernel = {2, 2, 3}, .padding = 1, .ceil_mode = true, .count_include_pad = false}>(
                part<0, 1, 1, 3, 4, 3>(z))),
            flat(tl::avg_pool3d<tl::pool{.kernel = 2, .divisor_override = 5}>(part<0, 2, 2, 2, 4>(z))));
      },
      {2.125,       2.125,       2.75,       1.6875,      2.3125,     2.9375,   2.75,       3.125,
       2.3125,      2.9375,      1.875,      3.125,       1.4375,     2.6875,   1,          2.25,
       2.75,        2.125,       1.6875,     2.3125,      2.9375,     0.8125,   3.125,      2.0625,
       2.9375,      2.9375,      2.3125,     2.3125,      -0.1666667, -0.09375, 0.2135417,  -0.3125,
       -0.09895833, -0.09895833, 0.1354167,  -0.01041667, -0.15625,   0.078125, -0.4479167, 0.1666667,
       -0.2239583,  0.08333333,  -0.3697917, -0.1354167,  -1.96875,   1.5,      -1.03125,   2.4375,
       -0.09375,    -2.9375,     0.203125,   -1.0625,     1.140625,   -0.125,   -1.078125,  0.8125,
       0.1125,      -1.325,      -0.025,     1.0625},
      {-1.968021, -2.000139,   2.437882,    -1.077743,   -0.5148958,  15.15611,    -1.077743,  -1.077743,
       19.04066,  -0.04440972, -0.6775694,  -6.458819,   0.2047222,   6.900903,    -1.646319,  -0.2986632,
       23.35762,  -0.1185069,  0.706684,    30.08168,    -0.1150347,  -0.5950694,  -0.1175347, 1.234028,
       3.789479,  0.06552083,  -0.6114583,  0.7361979,   0.2230729,   1.526458,    19.4862,    0.7361979,
       2.749132,  -0.5755208,  -0.5121528,  4.96441,     -0.06336806, -0.03645833, 5.40191,    0.02690972,
       1.863715,  -0.1310764,  0.005208333, 0.005208333, -0.1362847,  -0.1310764,  4.505208,   0.005208333});
}

TEST_CASE("adaptive pools along one and three axes") {
  check_values<36>(
      [](auto z) {
        return tl::concat<0>(flat(tl::adaptive_avg_pool1d<3>(part<0, 2, 5>(z))),
                             flat(tl::adaptive_max_pool1d<3>(part<0, 1, 2, 5>(z))),
                             flat(tl::adaptive_avg_pool3d<2, 3, 2>(part<0, 1, 1, 3, 4, 3>(z))),
                             flat(tl::adaptive_max_pool3d<2, 3, 2>(part<0, 1, 1, 3, 4, 3>(z))),
                             flat(tl::adaptive_max_pool3d<1, 2, 1>(part<0, 1, 2, 4, 2>(z))),
                             flat(tl::adaptive_avg_pool2d<2, 3>(part<0, 1, 3, 4>(z))));
      },
      {-1.96875, -0.6041667, -1.34375, 0.125,    0.4375,    0.75,      -0.8125,  1.5,       -0.1875,
       2.125,    2.75,       2.75,     -0.40625, 0.328125,  0.21875,   0.953125, 0.0546875, 0,
       0.515625, -0.328125,  1.140625, 0.296875, 0.1875,    0.1328125, 2.3125,   2.3125,    2.9375,
       2.9375,   2.9375,     2.9375,   2.5,      2.3125,    3.125,     2.9375,   3.125,     2.9375,
       2.75,     2.125,      -0.5,     0.234375, -0.609375, 0.859375,  0.015625, -0.828125},
      {-2.320312, -4.148872, 2.491753,    -2.09809,   -1.265625,  9.25,       -0.108724, -0.1204427,
       18.20964,  1.201172,  -0.3925781,  -0.4140625, 0.02734375, 0.02734375, 0,         0.3671875,
       14.55469,  0.3125,    0.4003906,   35.99609,   0.3457031,  0.06054688, 0.09375,   0.03320312,
       0.1289062, 0.046875,  -0.08203125, 5.414062,   0.40625,    -0.0078125, 12.83203,  0.4394531,
       0.1074219, 0.046875,  0.08007812,  0.03320312});
}

TEST_CASE("pools of norms") {
  check_values<16>(
      [](auto z) {
        return tl::concat<0>(
            flat(tl::lp_pool2d<tl::pool{.kernel = {2, 3}, .stride = {1, 2}}>(part<0, 1, 1, 3, 5>(z))),
            flat(tl::lp_pool1d<tl::pool{.kernel = 3, .stride = 2, .ceil_mode = true, .norm_type = 4}>(
                part<0, 1, 1, 8>(z))),
            flat(tl::lp_pool3d<tl::pool{.kernel = 2}>(part<0, 1, 1, 2, 2, 4>(z))));
      },
      {4.571481, 4.225111, 4.286151, 4.231116, 3.1691, 2.577355, 2.392261, 2.076565, 5.228752, 5.226136},
      {-18.57727, -3.356814, 10.68824, -14.70437, -0.7542883, 16.10343, -18.13965, 4.433259, 16.5, -7.5, 4.25,
       -11.75, -3.75, 6.75, -9.25, 0});
}

TEST_CASE("a pool with ceil_mode of run-time extents") {
  tl::function f{[] {
    auto x = tl::input<"x", double, 1, 1, tl::dyn<"n">>;
    constexpr tl::pool options{.kernel = 3, .stride = 2, .ceil_mode = true};
    return tl::outputs(tl::named<"max">(tl::max_pool1d<options>(x)),
                       tl::named<"mean">(tl::avg_pool1d<options>(x)));
  }};
  using row = std::vector<double>;
  auto even = f("x"_t = row{1, 4, 2, 8, 5, 6}, "n"_t = 6);
  CHECK(test::elements(even.get<"max">()) == row{4, 8, 6});
  test::require_close(test::elements(even.get<"mean">()), {7.0 / 3, 5, 5.5});
  auto odd = f("x"_t = row{1, 4, 2, 8, 5}, "n"_t = 5);
  CHECK(test::elements(odd.get<"max">()) == row{4, 8});
}

TAPELESS_LAW(
    pool_options, 35, 12, -1, 1,
    tl::max_pool2d<tl::pool{.kernel = 2, .stride = 2, .padding = 1, .dilation = 2, .ceil_mode = true}>(
        part<0, 1, 1, 5, 7>(z)) *
        tl::avg_pool2d<tl::pool{.kernel = {2, 2}, .ceil_mode = true, .divisor_override = 3}>(
            part<0, 1, 1, 5, 7>(z)))
TAPELESS_LAW(pools_of_volumes, 30, 8, 0.5, 2,
             tl::adaptive_max_pool3d<2, 2, 2>(part<0, 1, 1, 2, 3, 5>(z)) *
                 tl::max_pool3d<tl::pool{.kernel = {1, 2, 2}, .stride = {1, 1, 3}, .padding = {0, 0, 1}}>(
                     part<0, 1, 1, 2, 3, 5>(z)) *
                 tl::adaptive_avg_pool3d<2, 2, 2>(part<0, 1, 1, 2, 3, 5>(z)) *
                 tl::lp_pool3d<tl::pool{.kernel = {1, 2, 3}, .stride = {1, 1, 2}, .norm_type = 3}>(
                     part<0, 1, 1, 2, 3, 5>(z)))
