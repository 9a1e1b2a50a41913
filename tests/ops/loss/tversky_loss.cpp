// SPDX-License-Identifier: BSL-1.0
// tversky_loss against PyTorch 2.15, written out there: values and gradients; as dice_loss; of empty sets,
// and of sums that 16 bits cannot hold.
#include "catch.hpp"
#include "check.hpp"
#include "program.hpp"

#include <tapeless/ops/loss/dice_loss.hpp>
#include <tapeless/ops/loss/tversky_loss.hpp>

#include <cmath>

namespace {

using tl::loss, tl::reduction;

constexpr auto n = tl::dyn<"n">;
constexpr loss of_the_paper{.reduce = reduction::none, .alpha = 0.3, .beta = 0.7};
constexpr loss only_missed{.alpha = 0, .beta = 1, .eps = 0.5};

using test::check;

}  // namespace

TEST_CASE("tversky_loss and its gradients are those of PyTorch") {
  tl::function f{[] {
    auto p = tl::input<"p", double, n, 3, 2>;
    auto t = tl::input<"t", double, n, 3, 2>;
    auto each = tl::tversky_loss<of_the_paper>(p, t);
    auto mean = tl::tversky_loss(p, t);
    return tl::outputs(tl::named<"each">(each), tl::named<"each by p">(tl::grad(tl::sum(each), p)),
                       tl::named<"each by t">(tl::grad(tl::sum(each), t)), tl::named<"mean">(mean),
                       tl::named<"mean by p">(tl::grad(mean, p)),
                       tl::named<"dice">(tl::dice_loss<loss{.eps = 2e-5}>(p, t)));
  }};
  auto r = f("p"_t = test::numbers(4).vector(12, 0.05, 0.95), "t"_t = test::numbers(2).vector(12, 0, 1));
  check(r.get<"each">(), {0.54784166525, 0.46265771413});
  check(r.get<"each by p">(),
        {-0.038911863732, -0.12471064185, -0.020496077637, -0.23311690959, -0.22354626194, 0.0070822328305,
         -0.016228404474, -0.11321960675, -0.13245721551, -0.19485892139, -0.19758163519, 0.019654582679});
  check(r.get<"each by t">(),
        {0.020246771051, -0.11948345144, -0.090754484092, -0.17988998106, 0.085195584072, -0.10954054001,
         0.096449526146, 0.018906469466, -0.059035390217, -0.147117192, -0.081629366426, -0.037477989487});
  check(r.get<"mean">(), {0.51538262692});
  check(r.get<"mean by p">(),
        {-0.003439750386, -0.04486600931, 0.0054519511019, -0.097207851635, -0.092586851944, 0.018767597958,
         0.010910813211, -0.037157077847, -0.04669104856, -0.077616723569, -0.07896607389, 0.028694070629});
  check(r.get<"mean">(), test::elements(r.get<"dice">()));
}

TEST_CASE("tversky_loss of empty sets, and of what is not missed, is 0") {
  tl::function f{[] {
    auto p = tl::input<"p", double, n, 2>;
    auto t = tl::input<"t", double, n, 2>;
    auto l = tl::tversky_loss<of_the_paper>(p, t);
    return tl::outputs(tl::named<"each">(l), tl::named<"by p">(tl::grad(tl::sum(l), p)),
                       tl::named<"missed">(tl::tversky_loss<only_missed>(p, t)));
  }};
  auto r = f("p"_t = std::vector<double>{0, 0, 1, 1}, "t"_t = std::vector<double>{0, 0, 0, 1});
  check(r.get<"each">(), {0, 1 - 1.00001 / 1.30001});
  CHECK(std::isfinite(test::elements(r.get<"by p">())[0]));
  check(r.get<"missed">(), {0});
}

TEST_CASE("tversky_loss in 16 bits has the sums of float") {
  tl::function f{[] {
    return tl::named<"y">(tl::tversky_loss(tl::input<"p", tl::f16, 1, n>, tl::input<"t", tl::f16, 1, n>));
  }};
  const std::vector<tl::f16> ones(400000, tl::f16(1)), halves(400000, tl::f16(0.5));
  CHECK(float(f("p"_t = ones, "t"_t = halves).get<"y">()[0]) == test::Approx(1 / 3.0).epsilon(1e-3));
}
