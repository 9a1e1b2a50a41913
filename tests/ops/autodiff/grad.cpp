// SPDX-License-Identifier: BSL-1.0
// Derivatives by what is made of other values, which later operations might have looked through, and along
// numbers.
#include <tapeless/ops/autodiff/grad.hpp>

#include <tapeless/ops/autodiff/checkpoint.hpp>
#include <tapeless/ops/shape/at.hpp>
#include <tapeless/ops/shape/stack.hpp>
#include <tapeless/tapeless.hpp>

#include <cmath>

#include "catch.hpp"
#include "program.hpp"

using vector = std::vector<double>;

namespace {

/// The only output of a model of x, a matrix [2, 2].
template <class Model>
vector of_matrix(Model) {
  const tl::function f{[] { return tl::outputs(tl::named<"d">(Model{}(tl::input<"x", double, 2, 2>))); }};
  return test::elements(f("x"_t = vector{0, 1, 2, 3}).template get<"d">());
}

struct clipped_square : tl::custom_op {  // its backward is not linear
  static constexpr tl::value forward(tl::value x) { return x * x; }
  static constexpr tl::value backward(tl::value g, tl::value x, tl::value) { return min(g, 0.5) * x; }
};
struct cubed : tl::custom_op {
  static constexpr tl::value forward(tl::value x) {
    return tl::custom_statement<clipped_square, 1>::build(x) * x;
  }
  static constexpr tl::value backward(tl::value g, tl::value x, tl::value) { return g * 3.0 * x * x; }
};

}  // namespace

TEST_CASE("a derivative by a product sees what is made of it transposed") {
  // h = x x; d sum(h h^T) / dh = 2 h of row sums: each row's elements get the columns' sums twice
  const vector by_product = of_matrix([](auto x) {
    auto h = tl::matmul(x, x);  // [[2, 3], [6, 11]]
    return tl::grad(tl::sum(tl::matmul(h, tl::transpose(h))), h);
  });
  CHECK(by_product == vector{16, 28, 16, 28});
}

TEST_CASE("a derivative by a view, a negative or a part sees other views of it") {
  CHECK(of_matrix([](auto x) {
          auto n = -x;
          return tl::grad(tl::sum(n * -n), n);
        }) == vector{0, 2, 4, 6});
  CHECK(of_matrix([](auto x) {
          auto h = tl::transpose(x);
          return tl::grad(tl::sum(tl::square(tl::transpose(h)) + h), h);
        }) == vector{1, 5, 3, 7});
  CHECK(of_matrix([](auto x) {
          auto h = tl::reshape<4>(x);
          return tl::grad(tl::sum(tl::square(tl::reshape<2, 2>(h))) + tl::sum(h), h);
        }) == vector{1, 3, 5, 7});
  CHECK(of_matrix([](auto x) {
          auto row = tl::at<1>(x);  // 2, 3
          return tl::grad(tl::sum(tl::square(tl::stack<0>(row, row))) + tl::sum(row), row);
        }) == vector{9, 13});
}

TEST_CASE("a derivative by what is equal to another expression is by both") {
  CHECK(of_matrix([](auto x) {
          auto h = tl::transpose(x);
          return tl::grad(tl::sum(h * tl::transpose(x)), h);  // twice the same value
        }) == vector{0, 4, 2, 6});
}

TEST_CASE("what a derivative is by may be an output, and trained through") {
  tl::trainer net{[] {
                    auto h =
                        tl::matmul(tl::input<"x", double, 2, 2>, tl::param<"w", double, 2, 2>(tl::fill(1)));
                    auto slope = tl::grad(tl::sum(tl::matmul(h, tl::transpose(h))), h);
                    return tl::outputs(tl::sum(slope), tl::named<"h">(h), tl::named<"slope">(slope));
                  },
                  tl::sgd({.learning_rate = 1})};
  const vector x{1, 0, 0, 2};
  const auto r = net.step("x"_t = x);
  CHECK(test::elements(r.get<"h">()) == vector{1, 1, 2, 2});
  CHECK(test::elements(r.get<"slope">()) == vector{6, 6, 6, 6});
  CHECK(r.loss() == 24);
  CHECK(test::elements(net.parameter<"w">()) == vector{-3, -3, -7, -7});  // the loss is 4 sum(x w)
}

TEST_CASE("a derivative of derivatives by views") {
  CHECK(of_matrix([](auto x) {
          auto h = tl::transpose(x);
          auto g = tl::grad(tl::sum(tl::cube(tl::transpose(h))), h);
          return tl::grad(tl::sum(g), h);
        }) == vector{0, 12, 6, 18});
}

namespace {

constexpr auto slope = [](auto x) {
  auto h = tl::matmul(x, x);
  return tl::grad(tl::sum(tl::matmul(h, tl::transpose(h))), h);
};
constexpr auto sum_of_slopes = [](auto start, auto x) {
  return tl::scan([](auto sum, auto x) { return sum + slope(x); }, start, x);
};

}  // namespace

TEST_CASE("a derivative in the body of a loop, by what the body makes") {
  const tl::function f{[] {
    auto x = tl::input<"x", double, 2, 2, 2>;
    auto start = tl::input<"start", double, 2, 2>;
    // the inner loop is unrolled
    auto nested = tl::scan([](auto sum, auto x) { return sum_of_slopes(sum, tl::stack<0>(x, x)); }, start, x);
    return tl::outputs(tl::named<"loop">(sum_of_slopes(start, x)), tl::named<"nested">(nested));
  }};
  const auto r = f("x"_t = vector{0, 1, 2, 3, 1, 0, 0, 2}, "start"_t = vector{0, 0, 0, 1});
  CHECK(test::elements(r.get<"loop">()) == vector{18, 36, 18, 37});  // the second slope is 2, 8, 2, 8
  CHECK(test::elements(r.get<"nested">()) == vector{36, 72, 36, 73});
}

TEST_CASE("a derivative by what is inside of a checkpoint and outside, too") {
  const vector d = of_matrix([](auto x) {
    auto s = tl::exp(x);
    return tl::grad(tl::sum(tl::checkpoint(s * s) + s), s);
  });
  for (std::size_t i = 0; i < 4; ++i)
    CHECK(d[i] == test::Approx(2 * std::exp(static_cast<double>(i)) + 1).epsilon(1e-12));
}

TEST_CASE("a direction goes through casts to where the value is of another type") {
  const tl::function f{[] {
    auto x = tl::input<"x", float, 2>;
    auto v = tl::input<"v", float, 2>;
    auto w = tl::input<"w", double, 2, 2>;
    auto y = tl::matmul(w, tl::cast<double>(x) * 2_c);
    return tl::outputs(
        tl::named<"product">(tl::jvp(y, x, v)),
        tl::named<"half">(tl::jvp(tl::sum(tl::cast<tl::bf16>(x) * tl::cast<tl::bf16>(x)), x, v)),
        tl::named<"back">(tl::jvp(tl::cast<float>(y) * x, x, v)));
  }};
  const auto r =
      f("x"_t = std::vector<float>{1, 2}, "w"_t = vector{1, 2, 3, 4}, "v"_t = std::vector<float>{1, 10});
  CHECK(test::elements(r.get<"product">()) == vector{42, 86});
  CHECK(static_cast<float>(r.get<"half">()[0]) == 42);
  CHECK(test::elements(r.get<"back">()) == vector{52, 392});  // x = 1, 2, y = 10, 22
}

TEST_CASE("a number as a cotangent or direction has the value's type") {
  CHECK(of_matrix([](auto x) { return tl::vjp(tl::matmul(x, x) + x, x, 1_c); }) == vector{4, 8, 6, 10});
  CHECK(of_matrix([](auto x) { return tl::jvp(tl::matmul(x, x) + x, x, 1_c); }) == vector{4, 6, 8, 10});
  const tl::function f{[] {
    auto a = tl::input<"a", float>;
    auto last = tl::scan([](auto h, auto x) { return tl::input<"a", float> * h + x; }, tl::input<"h", float>,
                         tl::input<"x", float, 3>);
    return tl::outputs(tl::named<"back">(tl::vjp(last, a, 1_c)), tl::named<"along">(tl::jvp(last, a, 1_c)));
  }};
  const auto r = f("a"_t = 0.5f, "h"_t = 1.0f, "x"_t = std::vector<float>{1, 2, 3});
  CHECK(r.get<"back">()[0] == 3.75f);  // 3 a^2 + 2 a + 2
  CHECK(r.get<"along">()[0] == 3.75f);
}

TEST_CASE("a direction goes by an operation's own derivative, whatever it is computed by") {
  CHECK(of_matrix([](auto x) { return tl::jvp(tl::apply<cubed>(x), x, 1_c * x); }) == vector{0, 3, 24, 81});
}

TEST_CASE("attention has second derivatives along a direction") {
  const tl::function f{[] {
    auto x = tl::input<"x", double, 4, 3>;
    auto v = tl::input<"v", double, 4, 3>;
    auto dx = tl::grad(tl::sum(tl::square(tl::scaled_dot_product_attention(x, 2_c * x, x))), x);
    return tl::outputs(tl::named<"forward">(tl::jvp(dx, x, v)),
                       tl::named<"back">(tl::grad(tl::sum(dx * v), x)));
  }};
  test::numbers random;
  const auto r = f("x"_t = random.vector(12), "v"_t = random.vector(12));
  for (std::size_t i = 0; i < 12; ++i)
    CHECK(r.get<"forward">()[i] == test::Approx(r.get<"back">()[i]).epsilon(1e-12));
}
