// SPDX-License-Identifier: BSL-1.0
// f16 and bf16: sums, counts and products that they cannot hold, though they hold what is made of these.
#include "catch.hpp"

#include <cmath>
#include <vector>

#include <tapeless/expr/input.hpp>
#include <tapeless/expr/outputs.hpp>
#include <tapeless/operations.hpp>
#include <tapeless/train/trainer/function.hpp>

namespace tl = tapeless;
using namespace tl::literals;

namespace {

constexpr int classes = 70000;

template <class T>
struct of_many_classes {
  constexpr auto operator()() const {
    auto x = tl::input<"x", T, 1, classes>;
    auto first = [](auto v) { return tl::slice<1, 0, 1>(v); };
    auto loss = tl::cross_entropy(x, tl::input<"label", int, 1>);
    auto copied = tl::scatter_reduce<0, tl::reduce::amax>(
        tl::input<"zero", T, 1>, tl::input<"place", int, classes>, tl::reshape<classes>(x));
    return tl::outputs(tl::named<"softmax">(first(tl::softmax(x))),
                       tl::named<"log_softmax">(first(tl::log_softmax(x))),
                       tl::named<"logsumexp">(tl::logsumexp<1>(x)), tl::named<"cross_entropy">(loss),
                       tl::named<"max'">(tl::sum(tl::cast<float>(tl::grad(tl::max(x), x)))),
                       tl::named<"place'">(tl::sum(tl::cast<float>(tl::grad(tl::sum(copied), x)))));
  }
};

template <tl::extent N>
struct product {
  constexpr auto operator()() const {
    auto x = tl::input<"x", tl::f16, N>;
    return tl::outputs(tl::named<"x'">(tl::grad(tl::prod(x), x)));
  }
};

template <class Model>
void check_product(Model model) {
  tl::function f{model};
  const std::vector<tl::f16> x{tl::f16(300), tl::f16(0.003f), tl::f16(300), tl::f16(0.003f)};
  const auto r = f("x"_t = x);
  for (std::size_t i = 0; i < 4; ++i)
    CHECK(float(r.template get<"x'">()[i]) == test::Approx(i % 2 == 0 ? 0.0027 : 270).epsilon(0.002));
}

}  // namespace

TEMPLATE_TEST_CASE("sums and counts over 70,000 equal classes are right in 16 bits", "", tl::bf16, tl::f16) {
  tl::function f{of_many_classes<TestType>{}};
  const std::vector<TestType> x(classes, TestType(0.f)), zero{TestType(-1.f)};
  const auto r =
      f("x"_t = x, "label"_t = std::vector<int>{3}, "zero"_t = zero, "place"_t = std::vector<int>(classes));
  const double unit = 0x1p-8, logarithm = std::log(classes);
  CHECK(float(r.template get<"softmax">()[0]) == test::Approx(1.0 / classes).epsilon(unit));
  CHECK(float(r.template get<"log_softmax">()[0]) == test::Approx(-logarithm).epsilon(unit));
  CHECK(float(r.template get<"logsumexp">()[0]) == test::Approx(logarithm).epsilon(unit));
  CHECK(float(r.template get<"cross_entropy">()[0]) == test::Approx(logarithm).epsilon(unit));
  CHECK(r.template get<"max'">()[0] == test::Approx(1).epsilon(unit));
  CHECK(r.template get<"place'">()[0] == test::Approx(1).epsilon(unit));
}

TEST_CASE("gradients of a product in f16 are right though products of some factors overflow") {
  check_product(product<4>{});
  check_product(product<tl::dyn<"n">>{});
}
