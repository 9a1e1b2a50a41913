// SPDX-License-Identifier: BSL-1.0
// focal_loss against PyTorch 2.15, written out there: values and gradients; as other losses where it is one
// of them; rows that are certain, impossible or ignored.
#include "catch.hpp"
#include "check.hpp"
#include "program.hpp"

#include <tapeless/ops/loss/focal_loss.hpp>
#include <tapeless/ops/loss/sigmoid_focal_loss.hpp>

#include <cmath>
#include <limits>

namespace {

using tl::loss, tl::reduction;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr auto n = tl::dyn<"n">;
constexpr loss each{.reduce = reduction::none};
constexpr loss root{.gamma = 0.5};
constexpr loss of_pixels{.ignore_index = -1, .axis = 1, .gamma = 1.5};
constexpr loss sum_of_pixels{.reduce = reduction::sum, .ignore_index = -1, .axis = 1, .gamma = 1.5};
constexpr loss plain{.ignore_index = -1, .gamma = 0}, ignoring{.ignore_index = -1};
constexpr loss two_classes{.alpha = 0.3, .gamma = 1.5}, two_of_softmax{.gamma = 1.5};

using test::check;

}  // namespace

TEST_CASE("focal_loss and its gradients are those of PyTorch") {
  tl::function f{[] {
    auto x = tl::input<"x", double, n, 3>;
    auto y = tl::input<"y", int, n>;
    auto w = tl::input<"w", double, 3>;
    auto mean = tl::focal_loss(x, y);
    auto weighted = tl::focal_loss<root>(x, y, w);
    return tl::outputs(tl::named<"each">(tl::focal_loss<each>(x, y)), tl::named<"mean">(mean),
                       tl::named<"mean by x">(tl::grad(mean, x)), tl::named<"weighted">(weighted),
                       tl::named<"weighted by x">(tl::grad(weighted, x)),
                       tl::named<"weighted by w">(tl::grad(weighted, w)));
  }};
  auto r = f("x"_t = test::numbers(1).vector(12, -2, 2), "y"_t = std::vector<int>{0, 2, 1, 0},
             "w"_t = std::vector<double>{0.5, 1, 2});
  check(r.get<"each">(), {1.1665939674, 1.0538260137, 0.64285551222, 0.073258443454});
  check(r.get<"mean">(), {0.73413348418});
  check(r.get<"mean by x">(),
        {-0.24267551503, 0.089356573881, 0.15331894115, 0.21733710612, 0.015864615459, -0.23320172158,
         0.17459808683, -0.18300797164, 0.0084098848088, -0.03693936182, 0.012357820483, 0.024581541336});
  check(r.get<"weighted">(), {1.2301447169});
  check(r.get<"weighted by x">(),
        {-0.11057435103, 0.040715047687, 0.06985930334, 0.40270155237, 0.029395372871, -0.43209692524,
         0.18037183799, -0.18905982769, 0.0086879897016, -0.041748848481, 0.013966802606, 0.027782045875});
  check(r.get<"weighted by w">(), {0.46738749035, 0.26564840153, 0.36540128511});
}

TEST_CASE("focal_loss of classes along an axis, without ignored labels") {
  tl::function f{[] {
    auto x = tl::input<"x", double, n, 3, 2>;
    auto y = tl::input<"y", int, n, 2>;
    auto w = tl::input<"w", double, 3>;
    auto mean = tl::focal_loss<of_pixels>(x, y, w);
    return tl::outputs(tl::named<"mean">(mean), tl::named<"by x">(tl::grad(mean, x)),
                       tl::named<"sum">(tl::focal_loss<sum_of_pixels>(x, y, w)));
  }};
  auto r = f("x"_t = test::numbers(1).vector(12, -2, 2), "y"_t = std::vector<int>{0, -1, 2, 1},
             "w"_t = std::vector<double>{0.5, 1, 2});
  check(r.get<"mean">(), {1.5389759193});
  check(r.get<"sum">(), {4.6169277578});
  check(r.get<"by x">(), {-0.14456776026, 0, 0.12431963232, 0, 0.020248127949, 0, 0.67323980438,
                          0.086927424923, 0.032428013997, -0.13782577662, -0.70566781838, 0.050898351697});
}

TEST_CASE("focal_loss is cross_entropy where gamma is 0, and sigmoid_focal_loss of two classes") {
  tl::function f{[] {
    auto x = tl::input<"x", double, n, 3>;
    auto y = tl::input<"y", int, n>;
    auto pair = tl::concat<1>(0_c * tl::slice<1, 0, 1>(x), tl::slice<1, 0, 1>(x));
    auto second = tl::cast<double>(y == 1_c);
    auto of_two = tl::focal_loss<two_of_softmax>(pair, tl::cast<int>(second), tl::input<"w", double, 2>);
    auto of_one = tl::sigmoid_focal_loss<two_classes>(tl::slice<1, 0, 1>(x), tl::unsqueeze<-1>(second));
    return tl::outputs(tl::named<"plain">(tl::focal_loss<plain>(x, y)),
                       tl::named<"entropy">(tl::cross_entropy<loss{.ignore_index = -1}>(x, y)),
                       tl::named<"two">(of_two), tl::named<"two by x">(tl::grad(of_two, x)),
                       tl::named<"sigmoid">(of_one), tl::named<"sigmoid by x">(tl::grad(of_one, x)));
  }};
  auto r = f("x"_t = test::numbers(3).vector(12, -4, 4), "y"_t = std::vector<int>{0, 1, -1, 1},
             "w"_t = std::vector<double>{0.7, 0.3});
  check(r.get<"plain">(), test::elements(r.get<"entropy">()));
  check(r.get<"two">(), test::elements(r.get<"sigmoid">()));
  check(r.get<"two by x">(), test::elements(r.get<"sigmoid by x">()));
}

namespace {

constexpr auto extremes = [] {
  auto x = tl::input<"x", double, n, 3>;
  auto y = tl::input<"y", int, n>;
  auto l = tl::focal_loss<root>(x, y);
  return tl::outputs(tl::named<"each">(tl::focal_loss<each>(x, y)), tl::named<"by x">(tl::grad(l, x)));
};

}  // namespace

TEST_CASE("focal_loss is finite where logits are large, and exact where the label is certain") {
  tl::function f{extremes};
  auto r = f(
      "x"_t = std::vector<double>{1000, 0, -1000, 1000, 0, -1000, 40, 0, -infinity, -infinity, 3, -infinity},
      "y"_t = std::vector<int>{0, 2, 0, 1});
  const std::vector<double> found = test::elements(r.get<"each">());
  CHECK(found[0] == 0);
  CHECK(found[1] == 2000);
  CHECK(found[2] == test::Approx(std::exp(-120)).epsilon(1e-12));
  CHECK(found[3] == 0);
  const std::vector<double> slopes = test::elements(r.get<"by x">());
  check(std::vector<double>(slopes.begin(), slopes.begin() + 6), {0, 0, 0, 0.25, 0, -0.25});
  check(std::vector<double>(slopes.begin() + 9, slopes.end()), {0, 0, 0});
  CHECK(slopes[8] == 0);
  CHECK(slopes[6] == test::Approx(-1.5 * std::exp(-60) / 4).epsilon(1e-12));
}

TEST_CASE("a label of probability 0 has an infinite loss, whose slopes are those of cross_entropy") {
  tl::function f{[] {
    auto x = tl::input<"x", double, 1, 3>;
    auto y = tl::input<"y", int, 1>;
    auto l = tl::focal_loss(x, y);
    return tl::outputs(tl::named<"l">(l), tl::named<"by x">(tl::grad(l, x)));
  }};
  auto r = f("x"_t = std::vector<double>{-infinity, 0, 1}, "y"_t = std::vector<int>{0});
  CHECK(r.get<"l">()[0] == infinity);
  check(r.get<"by x">(), {-1, 1 / (1 + std::exp(1)), 1 / (1 + std::exp(-1))});
}

TEST_CASE("focal_loss of one class is 0, of 16 bits that of float") {
  tl::function one{[] { return tl::focal_loss(tl::input<"x", float, 2, 1>, tl::input<"y", int, 2>); }};
  CHECK(one("x"_t = std::vector<float>{3, -7}, "y"_t = std::vector<int>{0, 0}) == 0);
  tl::function half{[] {
    return tl::named<"y">(tl::focal_loss<each>(tl::input<"x", tl::f16, 1, 3>, tl::input<"y", int, 1>));
  }};
  auto r = half("x"_t = std::vector<tl::f16>{tl::f16(60000), tl::f16(59968), tl::f16(0)},
                "y"_t = std::vector<int>{1});
  CHECK(float(r.get<"y">()[0]) == 32);
  r = half("x"_t = std::vector<tl::f16>{tl::f16(0.3), tl::f16(0.1), tl::f16(-2)},
           "y"_t = std::vector<int>{2});
  CHECK(float(r.get<"y">()[0]) == 2.65234375f);  // a logarithm in 16 bits gives 2.65039
}

TEST_CASE("rows that are ignored, and labels that are none") {
  tl::function f{[] {
    auto x = tl::input<"x", double, n, 2>;
    auto y = tl::input<"y", int, n>;
    auto l = tl::focal_loss<ignoring>(x, y);
    return tl::outputs(tl::named<"l">(l), tl::named<"by x">(tl::grad(l, x)),
                       tl::named<"computed">(tl::focal_loss<each>(x, y + y)));
  }};
  auto r = f("x"_t = std::vector<double>{infinity, std::nan(""), 0.5, 0.5}, "y"_t = std::vector<int>{-1, 0});
  const double half = std::log(2.0) / 4;
  check(r.get<"l">(), {half});
  const double slope = half + 0.125;
  check(r.get<"by x">(), {0, 0, -slope, slope});
  CHECK(std::isnan(test::elements(r.get<"computed">())[0]));
  CHECK(test::elements(r.get<"computed">())[1] == test::Approx(half));
  CHECK_THROWS_WITH(f("x"_t = std::vector<double>{0, 0}, "y"_t = std::vector<int>{2}),
                    test::contains("input \"y\" holds 2 at position 0"));
}
