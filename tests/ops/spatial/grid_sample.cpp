// SPDX-License-Identifier: BSL-1.0
// Images at the coordinates of a grid: values and gradients by PyTorch.
#include <cmath>
#include <limits>

#include <tapeless/ops/loss/mse_loss.hpp>
#include <tapeless/ops/spatial/affine_grid.hpp>
#include <tapeless/ops/spatial/grid_sample.hpp>
#include <tapeless/optim/rules/sgd.hpp>
#include <tapeless/optim/wrappers/mixed_precision.hpp>
#include <tapeless/train/trainer/trainer.hpp>

#include "laws/laws.hpp"
#include "torch_values.hpp"

using namespace tl::literals;
using laws::part;
using test::check_values;
using test::flat;

TEST_CASE("images at the coordinates of a grid") {
  check_values<36>(
      [](auto z) {
        return tl::concat<0>(flat(tl::grid_sample<tl::sampling{}>(
                                 part<0, 1, 2, 3, 4>(z), part<24, 1, 2, 3, 2>(z) * 0.37_c + 0.0131_c)),
                             flat(tl::grid_sample<tl::sampling{.padding_mode = tl::grid_padding::border,
                                                               .align_corners = true}>(
                                 part<0, 1, 2, 3, 4>(z), part<24, 1, 2, 3, 2>(z) * 0.37_c + 0.0131_c)),
                             flat(tl::grid_sample<tl::sampling{.padding_mode = tl::grid_padding::reflection}>(
                                 part<0, 1, 2, 3, 4>(z), part<24, 1, 2, 3, 2>(z) * 0.37_c + 0.0131_c)),
                             flat(tl::grid_sample<tl::sampling{.padding_mode = tl::grid_padding::reflection,
                                                               .align_corners = true}>(
                                 part<0, 1, 2, 3, 4>(z), part<24, 1, 2, 3, 2>(z) * 0.37_c + 0.0131_c)));
      },
      {-1.810625, 0.1705611,  0.9209564,  -0.1502189,  -0.5136983, -0.3852195, -0.1676926, -0.8357999,
       0.2958241, 0.2530311,  -0.5665382, -0.09593405, -0.7044102, 0.1575359,  0.9622772,  -0.4750344,
       0.1410681, -0.1519797, -0.3504922, -1.182969,   -0.1340975, 2.024966,   -1.387504,  -0.3928875,
       -2.1548,   0.2876969,  0.9209564,  -0.9313016,  -0.8598,    -0.460975,  -0.1995688, -1.4098,
       0.2958241, 1.568698,   -0.9482406, -0.1148,     -0.7044102, 0.1575359,  0.9622772,  -0.5643297,
       0.1410681, -0.1519797, -0.3504922, -1.182969,   -0.1340975, 1.437533,   -1.387504,  -0.3928875},
      {0,         0,         -2.278215, -10.59478, 1.964972,  2.557296,  -0.48117,   -2.602363, 1.389839,
       0.7105907, 0.1718008, 0,         0,         0,         -4.905725, -0.9707804, 0.250559,  -0.3201552,
       -0.199161, 5.696659,  0.2724397, -3.843065, -5.900205, 0,         22.81445,   2.675471,  22.76081,
       0.5189263, -1.384649, -2.041852, -4.264278, 8.069315,  -5.744199, -5.231845,  0.4279232, -0.30099});
}

TEST_CASE("images at the coordinates of a grid: nearest and bicubic") {
  check_values<36>(
      [](auto z) {
        return tl::concat<0>(flat(tl::grid_sample<tl::sampling{.mode = tl::interpolation::nearest}>(
                                 part<0, 1, 2, 3, 4>(z), part<24, 1, 2, 3, 2>(z) * 0.37_c + 0.0131_c)),
                             flat(tl::grid_sample<tl::sampling{.mode = tl::interpolation::nearest,
                                                               .padding_mode = tl::grid_padding::reflection}>(
                                 part<0, 1, 2, 3, 4>(z), part<24, 1, 2, 3, 2>(z) * 0.37_c + 0.0131_c)),
                             flat(tl::grid_sample<tl::sampling{.mode = tl::interpolation::bicubic}>(
                                 part<0, 1, 2, 3, 4>(z), part<24, 1, 2, 3, 2>(z) * 0.37_c + 0.0131_c)),
                             flat(tl::grid_sample<tl::sampling{.mode = tl::interpolation::bicubic,
                                                               .padding_mode = tl::grid_padding::reflection,
                                                               .align_corners = true}>(
                                 part<0, 1, 2, 3, 4>(z), part<24, 1, 2, 3, 2>(z) * 0.37_c + 0.0131_c)));
      },
      {-2.5,      1.0625,     -0.1875,    0,         -2.5,       -1.25,      0,          -2.75,
       2.3125,    0,          0,          1.25,      -2.5,       1.0625,     -0.1875,    0.4375,
       -2.5,      -1.25,      0,          -2.75,     2.3125,     2.9375,     0,          1.25,
       -2.244341, 0.4707153,  1.610249,   -0.115952, -0.6367849, -0.7590953, -0.4219247, -1.082747,
       0.4622768, 0.3065008,  -1.14467,   0.2065425, -0.9381936, 0.3875731,  1.520586,   -0.3881402,
       0.3380245, -0.4336866, -0.6201166, -1.397394, -0.2760854, 2.054432,   -1.903102,  -0.3005688},
      {-0.3414056, -0.2324177, -0.9026378, -25.98279,  1.478156,    2.785201,  -0.5796942, 0.6474276,
       1.767357,   -4.474433,  4.254587,   0.09206042, -0.04547338, 0.6037417, -3.934106,  -2.740461,
       9.515384,   -0.1696435, 0.6403479,  8.810889,   0.5798319,   3.258151,  -14.44983,  0.1106224,
       8.947172,   0.9751283,  17.69582,   -2.342117,  -2.187504,   -3.719693, -4.872175,  5.536182,
       -8.136992,  0.8815982,  -5.626712,  0.005679809});
}

TEST_CASE("volumes at the coordinates of a grid, and affine grids") {
  check_values<30>(
      [](auto z) {
        return tl::concat<0>(
            flat(tl::grid_sample<tl::sampling{.align_corners = true}>(
                part<0, 1, 1, 2, 3, 3>(z), part<18, 1, 1, 2, 2, 3>(z) * 0.37_c + 0.0131_c)),
            flat(tl::grid_sample<tl::sampling{.mode = tl::interpolation::nearest,
                                              .padding_mode = tl::grid_padding::border}>(
                part<0, 1, 1, 2, 3, 3>(z), part<18, 1, 1, 2, 2, 3>(z) * 0.37_c + 0.0131_c)),
            flat(tl::affine_grid<2, 3>(part<0, 2, 2, 3>(z))),
            flat(tl::affine_grid<tl::sampling{.align_corners = true}, 3, 1>(part<0, 2, 2, 3>(z))),
            flat(tl::affine_grid<2, 1, 2>(part<0, 1, 3, 4>(z))));
      },
      {0.9951062, -0.1915893, -0.4363045, -1.014994, 0.4375,     1.5,       -2.9375,  -2.9375,
       3.989583,  3.885417,   1.90625,    2.21875,   -0.1770833, 0.5520833, 3.177083, 3.697917,
       1.09375,   2.03125,    -0.9895833, 0.3645833, 3.78125,    -2.635417, 2.53125,  -3.46875,
       1.28125,   -4.302083,  4.21875,    -1.572917, 2.96875,    -2.40625,  1.71875,  -3.239583,
       2.3125,    2.3125,     1.5,        2.125,     0.6875,     1.9375,    2.3125,   -4,
       2.75,      -2.9375,    3.1875,     -1.875,    -1.6875,    1.46875,   -4.84375, -4.8125,
       1.28125,   -2.09375,   -0.1875,    -0.40625,  -3.78125,   -3.3125,   -0.59375, -1.03125},
      {-17.36111, -5.916506,  32.32291,  -28.88889,  -1.733874,  37.88646,    -10.41667,  8.371467,
       55.30201,  -4.444444,  9.325583,  -89.13818,  0,          -0.06921876, -0.6487608, 0,
       0.4195839, 0.1356783,  0.235746,  -0.8141717, 0.1101972,  0.05281621,  0.02728283, 0.0795552,
       0.3564632, -0.2017908, 0.4176248, 1.377467,   -0.4694346, 1.51975});
}

namespace {

template <class T>
struct long_row {
  constexpr auto operator()() const {
    auto y = tl::grid_sample(tl::input<"x", T, 1, 1, 1, 3000>, tl::input<"grid", T, 1, 1, 4, 2>);
    return tl::outputs(tl::named<"y">(y));
  }
};

// A ramp at its own places: those of a grid with a flow of zeros, and those of an affine grid.
constexpr int ramp_width = 1001;
constexpr auto ramp = [] {
  constexpr tl::sampling corners{.align_corners = true};
  auto x = tl::input<"x", float, 1, 1, 1, ramp_width>;
  auto flow = tl::param<"flow", float, 1, 1, ramp_width, 2>(tl::fill(0));
  auto theta = tl::input<"theta", float, 1, 2, 3> + tl::param<"turn", float, 1, 2, 3>(tl::fill(0));
  auto moved = tl::grid_sample<corners>(x, tl::input<"grid", float, 1, 1, ramp_width, 2> + flow);
  auto affine = tl::grid_sample<corners>(x, tl::affine_grid<corners, 1, ramp_width>(theta));
  return tl::outputs(tl::mse_loss(moved, x) + tl::mse_loss(affine, x), tl::named<"moved">(moved),
                     tl::named<"affine">(affine));
};

template <tl::sampling Options, int Width>
struct sampled {
  constexpr auto operator()() const {
    auto x = tl::input<"x", float, 1, 1, 3, Width>;
    auto grid = tl::input<"grid", float, 1, 1, 9, 2>;
    auto y = tl::grid_sample<Options>(x, grid);
    return tl::outputs(tl::named<"y">(y), tl::named<"grid'">(tl::grad(tl::sum(y), grid)));
  }
};

template <tl::interpolation Mode, tl::grid_padding Padding, int Width>
void check_unknown_places() {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
  tl::function f{sampled<tl::sampling{.mode = Mode, .padding_mode = Padding}, Width>{}};
  INFO("mode " << static_cast<int>(Mode) << ", padding " << static_cast<int>(Padding) << ", width " << Width);
  std::vector<float> x;
  for (int i = 0; i < 3 * Width; ++i) x.push_back(static_cast<float>(i + 1));
  const std::vector<float> grid{nan, 0, 0, nan, nan, nan, inf, 0, -inf, 0, 0, inf, 0, -inf, nan, inf, 0, 0};
  const auto r = f("x"_t = x, "grid"_t = grid);
  const auto y = r.template get<"y">();
  for (const std::size_t i : {0u, 1u, 2u, 7u}) CHECK(std::isnan(y[i]));
  CHECK(std::isfinite(y[8]));
  CHECK(std::isfinite(r.template get<"grid'">()[16]));
  for (std::size_t i = 3; i < 7; ++i) {
    INFO(i);
    if (Padding == tl::grid_padding::zeros) CHECK(y[i] == 0);
    // What is beyond all ends has no mirror image.
    if (Padding == tl::grid_padding::reflection) CHECK(std::isnan(y[i]));
  }
  if (Padding != tl::grid_padding::border || Mode == tl::interpolation::bicubic) return;
  CHECK(y[3] == y[4] + Width - 1);  // the ends of the middle row
  CHECK(y[5] == y[6] + 2 * Width);  // of the middle column
}

}  // namespace

TEST_CASE("a coordinate that is NaN gives NaN, an infinite one what the padding says") {
  const auto all_paddings = []<tl::interpolation Mode>() {
    check_unknown_places<Mode, tl::grid_padding::zeros, 4>();
    check_unknown_places<Mode, tl::grid_padding::border, 4>();
    check_unknown_places<Mode, tl::grid_padding::reflection, 4>();
  };
  all_paddings.operator()<tl::interpolation::bilinear>();
  all_paddings.operator()<tl::interpolation::nearest>();
  all_paddings.operator()<tl::interpolation::bicubic>();
  check_unknown_places<tl::interpolation::bilinear, tl::grid_padding::zeros, 5>();
}

TEMPLATE_TEST_CASE("coordinates stay in float under mixed_precision", "", tl::bf16, tl::f16) {
  tl::trainer net{ramp, tl::mixed_precision<TestType>(tl::sgd({.learning_rate = 0.f}))};
  const std::vector<float> theta{1, 0, 0, 0, 1, 0};
  std::vector<float> x, grid;
  for (int i = 0; i < ramp_width; ++i) {
    x.push_back(static_cast<float>(i));
    grid.push_back(2.f * static_cast<float>(i) / (ramp_width - 1) - 1);
    grid.push_back(0);
  }
  const auto r = net.step("x"_t = x, "grid"_t = grid, "theta"_t = theta);
  for (std::size_t i = 0; i < x.size(); i += 7) {
    INFO(i);
    CHECK(r.template get<"moved">()[i] == test::Approx(x[i]).margin(1e-3));
    CHECK(r.template get<"affine">()[i] == test::Approx(x[i]).margin(1e-3));
  }
}

TEMPLATE_TEST_CASE("grids of 16 bits tell all places of a long row apart", "", tl::bf16, tl::f16) {
  tl::function f{long_row<TestType>{}};
  std::vector<TestType> x;
  for (int i = 0; i < 3000; ++i) x.emplace_back(static_cast<float>(i % 4));
  const std::vector<TestType> grid{TestType(0.5f),  TestType(0.f), TestType(0.625f), TestType(0.f),
                                   TestType(0.75f), TestType(0.f), TestType(0.875f), TestType(0.f)};
  const auto r = f("x"_t = x, "grid"_t = grid);
  for (std::size_t i = 0; i < 4; ++i) {  // at 2249.5, 2437, 2624.5 and 2812
    const float expected[] = {1.5f, 1, 0.5f, 0};
    CHECK(static_cast<float>(r.template get<"y">()[i]) == expected[i]);
  }
}

TAPELESS_LAW(grid_sample, 18, 6, -1, 1,
             tl::grid_sample<tl::sampling{.mode = tl::interpolation::bicubic,
                                          .padding_mode = tl::grid_padding::reflection}>(
                 part<0, 1, 1, 3, 4>(z), tl::affine_grid<2, 3>(part<12, 1, 2, 3>(z))))
