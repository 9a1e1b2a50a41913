// SPDX-License-Identifier: BSL-1.0
// Constants of a shape: zeros, ones, one number, the identity matrix.
#include <tapeless/operations.hpp>

#include "catch.hpp"
#include "program.hpp"

namespace {

constexpr auto n = tl::dyn<"n">;

constexpr auto constants = [] {
  auto x = tl::input<"x", float, n>;
  return tl::outputs(
      tl::named<"zeros">(tl::zeros<float, n, 2>()), tl::named<"ones">(tl::ones<double, 2, n>()),
      tl::named<"sum">(x + tl::ones<float, n>()), tl::named<"scalar">(tl::ones<float>()),
      tl::named<"whole">(tl::full<std::int64_t, n>(-7_c)),
      tl::named<"yes">(tl::where(tl::ones<bool, n>(), x, 0_c)),
      tl::named<"copies">(tl::full<double, 2, n>(tl::sum(x))), tl::named<"empty">(tl::zeros<float, 0, n>()),
      tl::named<"eye">(tl::eye<float, n>()), tl::named<"eye_2">(tl::eye<std::int32_t, 2>()),
      tl::named<"gradient">(tl::grad(tl::sum(tl::full<float, 2, n>(tl::sum(x))), x)));
};

using numbers = std::vector<double>;

}  // namespace

TEST_CASE("constants of a shape") {
  tl::function f{constants};
  const std::vector<float> x{1, 2, 4};
  auto r = f("x"_t = x);
  CHECK(test::elements(r.get<"zeros">()) == numbers(6, 0));
  CHECK(test::elements(r.get<"ones">()) == numbers(6, 1));
  CHECK(test::elements(r.get<"sum">()) == numbers{2, 3, 5});
  CHECK(r.get<"scalar">()[0] == 1);
  CHECK(test::elements(r.get<"whole">()) == numbers(3, -7));
  CHECK(test::elements(r.get<"yes">()) == numbers{1, 2, 4});
  CHECK(test::elements(r.get<"copies">()) == numbers(6, 7));
  CHECK(r.get<"empty">().size() == 0);
  CHECK(test::elements(r.get<"eye">()) == numbers{1, 0, 0, 0, 1, 0, 0, 0, 1});
  CHECK(test::elements(r.get<"eye_2">()) == numbers{1, 0, 0, 1});
  CHECK(test::elements(r.get<"gradient">()) == numbers(3, 6));
}

namespace {

constexpr auto like = [] {
  auto x = tl::input<"x", float, n, 2>;
  auto whole = tl::cast<std::int32_t>(x);
  return tl::outputs(tl::named<"zeros">(tl::zeros_like(x)), tl::named<"ones">(tl::ones_like(whole)),
                     tl::named<"copies">(tl::full_like(x, tl::sum(x))),
                     tl::named<"whole">(tl::full_like(whole, 2.75_c)),
                     tl::named<"gradient">(tl::grad(tl::sum(tl::full_like(x, tl::mean(x))), x)));
};

}  // namespace

TEST_CASE("constants in the shape and the element type of another value") {
  tl::function f{like};
  const std::vector<float> x{1, 2, 3, 4, 5, 6};
  auto r = f("x"_t = x);
  CHECK(test::elements(r.get<"zeros">()) == numbers(6, 0));
  CHECK(test::elements(r.get<"ones">()) == numbers(6, 1));
  CHECK(test::elements(r.get<"copies">()) == numbers(6, 21));
  CHECK(test::elements(r.get<"whole">()) == numbers(6, 2));
  CHECK(test::elements(r.get<"gradient">()) == numbers(6, 1));
}
