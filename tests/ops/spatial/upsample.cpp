// SPDX-License-Identifier: BSL-1.0
// Upsampling: values and gradients by hand, for literal and run-time extents.
#include "catch.hpp"
#include "program.hpp"

namespace {

constexpr auto n = tl::dyn<"n">, h = tl::dyn<"h">, w = tl::dyn<"w">;

void check(const std::vector<double>& found, const std::vector<double>& expected) {
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    INFO("element " << i);
    CHECK(found[i] == test::Approx(expected[i]).epsilon(1e-14).margin(1e-14));
  }
}

struct upsampled {
  constexpr auto operator()() const {
    auto x = tl::input<"x", double, n, 1, h, w>;
    auto nearest = tl::upsample_nearest2d<2>(x);
    auto bilinear = tl::upsample_bilinear2d<2>(x);
    auto aligned = tl::upsample_bilinear2d<2, true>(x);
    return tl::outputs(tl::named<"nearest">(nearest), tl::named<"bilinear">(bilinear),
                       tl::named<"aligned">(aligned), tl::named<"third">(tl::upsample_bilinear2d<3>(x)),
                       tl::named<"g">(tl::grad(tl::sum(tl::square(nearest)), x)),
                       tl::named<"gb">(tl::grad(tl::sum(tl::square(bilinear)), x)));
  }
};

}  // namespace

TEST_CASE("upsampling a row") {
  tl::function f{upsampled{}};
  auto r = f("x"_t = std::vector<double>{0, 4, 12}, "n"_t = 1, "h"_t = 1, "w"_t = 3);
  check(test::elements(r.get<"nearest">()), {0, 0, 4, 4, 12, 12, 0, 0, 4, 4, 12, 12});
  check(test::elements(r.get<"bilinear">()), {0, 1, 3, 6, 10, 12, 0, 1, 3, 6, 10, 12});
  check(test::elements(r.get<"aligned">()), {0, 1.6, 3.2, 5.6, 8.8, 12, 0, 1.6, 3.2, 5.6, 8.8, 12});
  check(test::elements(r.get<"g">()), {0, 32, 96});
  // bilinear is a of the row: [1, 3/4, 1/4, 0, 0, 0], [0, 1/4, 3/4, 3/4, 1/4, 0], [0, 0, 0, 1/4, 3/4, 1]
  check(test::elements(r.get<"gb">()),
        {4 * (0.75 + 0.75), 4 * (0.25 + 2.25 + 4.5 + 2.5), 4 * (1.5 + 7.5 + 12)});
}

TEST_CASE("upsampling an image") {
  tl::function f{upsampled{}};
  auto r = f("x"_t = std::vector<double>{0, 4, 8, 16, 1, 1, 1, 1}, "n"_t = 2, "h"_t = 2, "w"_t = 2);
  // rows 0, 1/4, 3/4, 1 of the way from the upper to the lower one
  check(test::elements(r.get<"bilinear">()),
        {0, 1, 3, 4, 2, 3.25, 5.75, 7, 6, 7.75, 11.25, 13, 8, 10, 14, 16,
         1, 1, 1, 1, 1, 1,    1,    1, 1, 1,    1,     1,  1, 1,  1,  1});
  const double a = 1.0 / 3, b = 2.0 / 3;
  const auto at = [](double v, double u) { return (1 - v) * 4 * u + v * (8 + 8 * u); };
  const auto aligned = test::elements(r.get<"aligned">());
  check({aligned.begin(), aligned.begin() + 16},
        {at(0, 0), at(0, a), at(0, b), at(0, 1), at(a, 0), at(a, a), at(a, b), at(a, 1), at(b, 0), at(b, a),
         at(b, b), at(b, 1), at(1, 0), at(1, a), at(1, b), at(1, 1)});
  const auto third = test::elements(r.get<"third">());  // coordinates 0, 0, 1/3, 2/3, 1, 1
  check({third.begin() + 12, third.begin() + 18},
        {at(a, 0), at(a, 0), at(a, a), at(a, b), at(a, 1), at(a, 1)});
}

TEST_CASE("upsampling one element, and no image") {
  tl::function f{upsampled{}};
  auto one = f("x"_t = std::vector<double>{7}, "n"_t = 1, "h"_t = 1, "w"_t = 1);
  check(test::elements(one.get<"aligned">()), {7, 7, 7, 7});
  check(test::elements(one.get<"bilinear">()), {7, 7, 7, 7});
  check(test::elements(one.get<"gb">()), {56});
  auto none = f("x"_t = std::vector<double>{}, "n"_t = 0, "h"_t = 2, "w"_t = 2);
  check(test::elements(none.get<"bilinear">()), {});
}
