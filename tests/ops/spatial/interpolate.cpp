// SPDX-License-Identifier: BSL-1.0
// Interpolation: values and gradients by PyTorch.
#include <tapeless/ops/spatial/interpolate.hpp>

#include "laws/laws.hpp"
#include "torch_values.hpp"

using laws::part;
using test::check_values;
using test::flat;

TEST_CASE("interpolation: nearest elements") {
  check_values<20>(
      [](auto z) {
        return tl::concat<0>(
            flat(tl::interpolate<tl::resize{.size = {5, 3}}>(part<0, 1, 1, 3, 4>(z))),
            flat(tl::interpolate<tl::resize{.scale_factor = {1.5, 0.75}}>(part<0, 1, 1, 3, 4>(z))),
            flat(tl::interpolate<tl::resize{.scale_factor = 2.5}>(part<0, 1, 2, 3>(z))),
            flat(tl::interpolate<tl::resize{.size = {2, 5}, .mode = tl::interpolation::nearest_exact}>(
                part<0, 1, 1, 3, 4>(z))),
            flat(tl::interpolate<tl::resize{.scale_factor = {1, 2, 0.6},
                                            .mode = tl::interpolation::nearest_exact}>(
                part<0, 1, 1, 2, 2, 5>(z))));
      },
      {-3.125, -0.8125, 1.5,     -3.125, -0.8125, 1.5,     -0.1875, 2.125,   -1.875,  -0.1875, 2.125,
       -1.875, 2.75,    -1.25,   1.0625, -3.125,  -0.8125, 1.5,     -3.125,  -0.8125, 1.5,     -0.1875,
       2.125,  -1.875,  2.75,    -1.25,  1.0625,  -3.125,  -3.125,  -3.125,  -0.8125, -0.8125, 1.5,
       1.5,    -2.5,    -2.5,    -2.5,   -0.1875, -0.1875, 2.125,   2.125,   -3.125,  -0.8125, 1.5,
       1.5,    -2.5,    2.75,    -1.25,  1.0625,  1.0625,  -2.9375, -3.125,  1.5,     -0.1875, -3.125,
       1.5,    -0.1875, 2.125,   0.4375, -1.25,   2.125,   0.4375,  -1.25,   1.0625,  -0.625,  -2.3125,
       1.0625, -0.625,  -2.3125, 0,      -1.6875, 2.9375,  0,       -1.6875, 2.9375},
      {-62.5, -11.375, 30,   -20, -2.625, 29.75, -11.25, 1.75,  16.5, -12.5,
       12.75, -5.875,  -2.5, 0,   -9.25,  0,     0,      -6.75, 0,    11.75});
}

TEST_CASE("interpolation: linear, of one to three axes") {
  check_values<20>(
      [](auto z) {
        return tl::concat<0>(
            flat(tl::interpolate<tl::resize{.size = 7, .mode = tl::interpolation::linear}>(
                part<0, 1, 2, 4>(z))),
            flat(tl::interpolate<tl::resize{
                     .size = 3, .mode = tl::interpolation::linear, .align_corners = true}>(
                part<0, 1, 2, 4>(z))),
            flat(tl::interpolate<tl::resize{
                     .scale_factor = 1.7, .mode = tl::interpolation::linear, .recompute_scale_factor = true}>(
                part<0, 1, 1, 4>(z))),
            flat(tl::interpolate<tl::resize{.scale_factor = {1.7, 0.5}, .mode = tl::interpolation::bilinear}>(
                part<0, 1, 1, 4, 5>(z))),
            flat(tl::interpolate<tl::resize{.size = {3, 1, 4}, .mode = tl::interpolation::trilinear}>(
                part<0, 1, 1, 2, 3, 3>(z))),
            flat(tl::interpolate<tl::resize{
                     .size = {3, 1, 4}, .mode = tl::interpolation::trilinear, .align_corners = true}>(
                part<0, 1, 1, 2, 3, 3>(z))));
      },
      {-3.125,    -2.299107, -0.9776786, 0.34375,    1.214286,    -1.071429, -2.5,       -0.1875,
       0.6383929, 1.959821,  0.125,      -1.709821,  -0.3883929,  0.4375,    -3.125,     0.34375,
       -2.5,      -0.1875,   0.125,      0.4375,     -3.125,      -1.96875,  -0.4270833, 1.114583,
       -0.5,      -2.5,      -1.96875,   -0.5,       -1.168199,   0.3005515, 0.06341912, 1.532169,
       -0.46875,  1,         -0.6295956, 0.375,      0.6020221,   -0.25,     -2.5,       -1.054688,
       0.6796875, 2.125,     -1.5625,    -0.1171875, 0.4335938,   -0.09375,  -0.625,     0.8203125,
       0.1875,    -2.3125,   -3.125,     -1.583333,  -0.04166667, 1.5,       -2.1875,    -0.6458333,
       -0.15625,  -0.71875,  -1.25,      0.2916667,  -0.2708333,  -2.9375},
      {-36.21117, -10.46924, 5.324661,  -24.37084,  0.07976921, 8.582365,  -3.794718,
       3.049576,  2.043199,  -4.708333, -1.146542,  -7.465987,  -1.428711, 2.27002,
       -4.415527, 0.3500757, 0.3500757, -0.1286765, -0.1286765, 0});
}

TEST_CASE("interpolation: bicubic, and areas") {
  check_values<20>(
      [](auto z) {
        return tl::concat<0>(
            flat(tl::interpolate<tl::resize{.size = {6, 3}, .mode = tl::interpolation::bicubic}>(
                part<0, 1, 1, 4, 5>(z))),
            flat(tl::interpolate<tl::resize{
                     .size = {3, 7}, .mode = tl::interpolation::bicubic, .align_corners = true}>(
                part<0, 1, 1, 4, 5>(z))),
            flat(tl::interpolate<tl::resize{.scale_factor = 1.3, .mode = tl::interpolation::bicubic}>(
                part<0, 1, 1, 4, 5>(z))),
            flat(tl::interpolate<tl::resize{.size = {2, 7}, .mode = tl::interpolation::area}>(
                part<0, 1, 1, 4, 5>(z))),
            flat(tl::interpolate<tl::resize{.scale_factor = 0.7, .mode = tl::interpolation::area}>(
                part<0, 1, 2, 7>(z))));
      },
      {-2.808686,  1.592231,   -1.248449,  -0.7944878, 1.068359,   -0.4003906, 0.8458599,  0.2112269,
       0.03931568, -0.2268157, -0.3987269, -1.03336,   0.2128906,  -1.255859,  0.6069878,  1.060949,
       -1.779731,  2.621186,   -3.125,     -1.797454,  0.3946759,  1.5,        -1.369213,  -2.216435,
       -0.1875,    2.185547,   -1.688874,  -2.821036,  -0.09375,   2.633536,   1.501374,   -2.373047,
       0,          2.028935,   1.181713,   -1.6875,    -0.5821759, 1.609954,   2.9375,     -3.666083,
       -1.897963,  0.8483918,  0.9825169,  -2.793637,  -0.9669264, 0.6473698,  -1.031679,  -0.6727906,
       1.205389,   1.188721,   -0.298835,  2.671349,   -1.449429,  -2.44969,   0.8488463,  2.998541,
       -0.8190104, 0.9824783,  -1.326494,  -2.125724,  -0.3311052, 1.419044,   -0.7124094, -0.1131454,
       1.879124,   0.6228206,  -1.673549,  0.5257561,  2.347593,   -0.5,       -0.921875,  -0.1875,
       0.96875,    0.546875,   -0.296875,  -0.71875,   0.53125,    0.109375,   -0.734375,  -1.15625,
       0,          0.734375,   0.3125,     -1.96875,   -0.6041667, -0.1875,    0.125,      1.59375,
       0.8541667,  -0.8333333, 0.53125},
      {-25.75152, -8.779587, 12.84158,  -13.9715, -5.640105, 6.854922,  -10.43179,
       5.366255,  12.7596,   -4.574777, 7.049379, -12.58814, -6.226449, 9.627967,
       -4.597489, 3.67528,   10.13189,  -14.1261, 5.195033,  15.94783});
}

TEST_CASE("interpolation with antialias") {
  check_values<56>(
      [](auto z) {
        return tl::concat<0>(
            flat(tl::interpolate<tl::resize{
                     .size = {3, 4}, .mode = tl::interpolation::bilinear, .antialias = true}>(
                part<0, 1, 1, 8, 7>(z))),
            flat(tl::interpolate<tl::resize{
                     .size = {3, 9}, .mode = tl::interpolation::bicubic, .antialias = true}>(
                part<0, 1, 1, 8, 7>(z))),
            flat(tl::interpolate<tl::resize{.size = {3, 4},
                                            .mode = tl::interpolation::bicubic,
                                            .align_corners = true,
                                            .antialias = true}>(part<0, 1, 1, 8, 7>(z))),
            flat(tl::interpolate<tl::resize{
                     .scale_factor = 0.4, .mode = tl::interpolation::bilinear, .antialias = true}>(
                part<0, 1, 1, 8, 7>(z))));
      },
      {-0.3255796, 0.2070395,   -0.5813158, 0.4398496,   -0.3594104,  0.5969048,  -0.06583333, -0.03621032,
       0.4414944,  -0.2260526,  0.1816447,  -0.6282895,  -1.467477,   0.04036775, 0.8049798,   0.2600528,
       -0.7451191, -1.322166,   0.2545061,  1.037936,    -0.04174979, -0.0893016, -0.7891058,  0.01999309,
       1.315425,   0.6710436,   -0.184042,  -0.3804708,  -0.105349,   0.2150309,  1.178026,    0.3049184,
       -0.2775338, -0.3391662,  -0.2986707, 0.4237374,   0.3120356,   -0.5227255, -1.382334,   -0.3095274,
       0.03688616, -0.07826739, 0.5316596,  0.01609202,  0.3882333,   -0.135283,  -0.6515442,  0.8923118,
       -0.9980734, 0.1348698,   -1.233859,  -0.02802169, -0.3221591,  -0.1275,    0.2247,      0.1744792,
       0.1045833},
      {-1.174986,  0.2830479,  0.3430879,  -0.841456, -0.9660999,  0.751512,   0.5309596,  -1.518041,
       0.2698001,  0.5681268,  -0.9452794, -1.251305, 0.8994427,   0.6932973,  -1.266938,  -0.08997336,
       0.9263681,  -0.1851929, -0.9397755, 0.4853102, 0.6217751,   -0.7811297, -0.5148713, 1.233444,
       0.7280989,  -0.461647,  -0.0839078, 0.3930372, -0.1555901,  -0.5093753, 1.067203,   0.9114592,
       -0.0827174, -0.3961641, -0.2348944, 0.762175,  -0.09936295, 0.3183562,  0.3539554,  0.2928193,
       -0.4803979, -1.372579,  1.616515,   0.4089715, -0.5181907,  -0.4017474, 0.5521683,  -0.5408404,
       -2.578402,  1.717297,   0.6223334,  -0.844885, -0.8063028,  0.478254,   -0.5386245, -2.934808});
}

TEST_CASE("interpolation of run-time extents") {
  tl::function f{[] {
    auto x = tl::input<"x", double, 1, 1, tl::dyn<"n">>;
    return tl::outputs(
        tl::named<"nearest">(tl::interpolate<tl::resize{.scale_factor = 2}>(x)),
        tl::named<"linear">(
            tl::interpolate<tl::resize{.size = 5, .mode = tl::interpolation::linear, .align_corners = true}>(
                x)),
        tl::named<"area">(tl::interpolate<tl::resize{.size = 2, .mode = tl::interpolation::area}>(x)));
  }};
  using row = std::vector<double>;
  auto r = f("x"_t = row{1, 3, 5}, "n"_t = 3);
  CHECK(test::elements(r.get<"nearest">()) == row{1, 1, 3, 3, 5, 5});
  test::require_close(test::elements(r.get<"linear">()), {1, 2, 3, 4, 5});
  test::require_close(test::elements(r.get<"area">()), {2, 4});
}

TAPELESS_LAW(
    interpolate, 12, 20, -1, 1,
    tl::interpolate<tl::resize{.size = {4, 5}, .mode = tl::interpolation::bicubic}>(part<0, 1, 1, 3, 4>(z)) *
        tl::interpolate<tl::resize{.size = {4, 5}}>(part<0, 1, 1, 3, 4>(z)) *
        tl::interpolate<tl::resize{.size = {4, 5}, .mode = tl::interpolation::bilinear, .antialias = true}>(
            part<0, 1, 1, 3, 4>(z)))

namespace {

template <class T>
struct stretched {
  constexpr auto operator()() const {
    auto x = tl::input<"x", T, 1, 1, 2>;
    return tl::outputs(tl::named<"y">(tl::interpolate<tl::resize{.size = 82}>(x)));
  }
};

}  // namespace

// By PyTorch. 41 * (2 / 82) is below 1 in float, and 1 in double.
TEMPLATE_TEST_CASE("coordinates of nearest elements are of x's type", "", float, double) {
  using namespace tl::literals;
  tl::function f{stretched<TestType>{}};
  const auto r = f("x"_t = std::vector<TestType>{10, 20});
  const std::size_t first = std::is_same_v<TestType, float> ? 42 : 41;  // of the second element
  for (std::size_t i = 0; i < 82; ++i) {
    INFO(i);
    CHECK(r.template get<"y">()[i] == (i < first ? 10 : 20));
  }
}
