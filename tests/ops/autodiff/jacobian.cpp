// SPDX-License-Identifier: BSL-1.0
#include "catch.hpp"
#include "program.hpp"

using vector = std::vector<double>;

TEST_CASE("jacobian has a row for each element of the result") {
  tl::function f{[] {
    auto x = tl::input<"x", double, 3>;
    auto w = tl::input<"w", double, 2, 3>;
    auto y = tl::tanh(tl::matmul(w, x));
    return tl::outputs(tl::named<"y">(y), tl::named<"dx">(tl::jacobian(y, x)),
                       tl::named<"dw">(tl::jacobian(y, w)));
  }};
  const vector x{0.3, -0.2, 0.5}, w{1, 2, -1, 0.5, -0.5, 1};
  auto r = f("x"_t = x, "w"_t = w);
  const vector y = test::elements(r.get<"y">()), dx = test::elements(r.get<"dx">()),
               dw = test::elements(r.get<"dw">());
  REQUIRE(dx.size() == 6);
  REQUIRE(dw.size() == 12);
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      const double slope = 1 - y[i] * y[i];
      CHECK(dx[3 * i + j] == test::Approx(slope * w[3 * i + j]).epsilon(1e-12));
      for (std::size_t k = 0; k < 2; ++k)
        CHECK(dw[6 * i + 3 * k + j] == test::Approx(i == k ? slope * x[j] : 0).epsilon(1e-12));
    }
}

namespace {

// Points on the side of a camera that is turned and moved: more residuals than unknowns.
template <tl::extent N>
constexpr auto projected = [](auto pose, auto points) {
  auto angle = tl::at<0>(pose);
  auto x = tl::at<0>(tl::transpose<0, 1>(points));
  auto z = tl::at<1>(tl::transpose<0, 1>(points));
  auto across = tl::cos(angle) * x - tl::sin(angle) * z + tl::at<1>(pose);
  auto along = tl::sin(angle) * x + tl::cos(angle) * z + tl::at<2>(pose);
  return tl::stack<1>(across / along, tl::logsumexp<0>(tl::stack<0>(across, along)));
};
template <tl::extent N>
constexpr auto camera = [] {
  auto pose = tl::input<"pose", double, 3>;
  auto residuals = projected<N>(pose, tl::input<"points", double, N, 2>);
  auto column = tl::jvp(residuals, pose, tl::input<"direction", double, 3>);
  return tl::outputs(tl::named<"J">(tl::jacobian(residuals, pose)), tl::named<"column">(column));
};

}  // namespace

TEST_CASE("where x has fewer elements than y, known ones at least, the jacobian is made of columns") {
  const vector points{0.3, 2, -0.5, 3, 1, 2.5, 0.2, 1.5, -0.7, 4};
  const tl::function known{camera<5>};
  const tl::function at_run_time{camera<tl::dyn<"n">>};
  for (std::size_t k = 0; k < 3; ++k) {
    vector direction(3);
    direction[k] = 1;
    const auto check = [&](const auto& f) {
      const auto r = f("pose"_t = {0.2, -0.1, 0.5}, "points"_t = points, "direction"_t = direction);
      const auto J = r.template get<"J">();
      REQUIRE((J.shape()[0] == 5 && J.shape()[1] == 2 && J.shape()[2] == 3));
      for (std::size_t i = 0; i < 10; ++i)
        CHECK(J[3 * i + k] == test::Approx(r.template get<"column">()[i]).epsilon(1e-13));
    };
    check(known);
    check(at_run_time);
  }
  using graph_builder = tl::lower<std::remove_const_t<decltype(camera<5>)>>;
  STATIC_REQUIRE(tl::constant_graph_of<graph_builder>.regions[0].count == 3);  // sweeps, not 10
}

namespace {

// x^2, whose cotangent is cut off.
struct clipped_square : tl::custom_op {
  static constexpr auto forward(auto x) { return x * x; }
  static constexpr auto backward(auto g, auto x, auto /*y*/) { return tl::max(tl::min(g, 0.5), -0.5) * x; }
};

}  // namespace

TEST_CASE("behind a cast the jacobian has the result's element type, whichever way it is made") {
  const tl::function f{[] {
    auto x = tl::input<"x", double, 3>;
    auto y = tl::cast<float>(tl::square(x));
    return tl::outputs(tl::named<"rows">(tl::jacobian(tl::sum(y), x)),
                       tl::named<"columns">(tl::jacobian(tl::concat<0>(y, y), x)));
  }};
  const auto r = f("x"_t = vector{1, 2, 3});
  const auto rows = r.get<"rows">();
  const auto columns = r.get<"columns">();
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(rows[0])>, float>);
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(columns[0])>, float>);
  CHECK(test::elements(rows) == vector{2, 4, 6});
  CHECK(test::elements(columns) == vector{2, 0, 0, 0, 4, 0, 0, 0, 6, 2, 0, 0, 0, 4, 0, 0, 0, 6});
}

TEST_CASE("a derivative of one's own goes back, whatever there is fewer of") {
  tl::function f{[] {
    auto x = tl::input<"x", double, 2>;
    auto y = tl::apply<clipped_square>(tl::matmul(tl::input<"w", double, 3, 2>, x));
    return tl::named<"J">(tl::jacobian(y, x));
  }};
  const auto r = f("x"_t = {1.0, 2.0}, "w"_t = {1.0, 2.0, 3.0, 4.0, 5.0, 6.0});
  CHECK(test::elements(r.get<"J">()) == vector{2.5, 5, 16.5, 22, 42.5, 51});
}

TEST_CASE("few unknowns of a long loop have a jacobian") {
  tl::function f{[] {
    auto rate = tl::input<"rate", double, 2>;
    auto [end, path] = tl::scan(
        [](auto level, auto step) {
          auto next = level + tl::at<0>(tl::input<"rate", double, 2>) * (step - level);
          return tl::pack(next, next * tl::at<1>(tl::input<"rate", double, 2>));
        },
        tl::input<"start", double>, tl::input<"steps", double, 100>);
    return tl::outputs(tl::named<"J">(tl::jacobian(path, rate)),
                       tl::named<"along">(tl::jvp(path, rate, tl::constant<1.0>)));
  }};
  vector steps(100);
  for (std::size_t i = 0; i < steps.size(); ++i) steps[i] = std::sin(static_cast<double>(i));
  const auto r = f("rate"_t = {0.3, 2.0}, "start"_t = 0.5, "steps"_t = steps);
  for (std::size_t i = 0; i < 100; ++i)
    CHECK(r.get<"J">()[2 * i] + r.get<"J">()[2 * i + 1] == test::Approx(r.get<"along">()[i]).epsilon(1e-12));
}

TEST_CASE("hessian of a polynomial, for a run-time extent too") {
  tl::function f{[] {
    auto x = tl::input<"x", double, tl::dyn<"n">>;
    return tl::named<"h">(tl::hessian(tl::sum(x * x * x) + tl::square(tl::sum(x)), x));
  }};
  for (const vector& x : {vector{1, 2}, vector{3, -1, 2}}) {
    auto r = f("x"_t = x);
    const vector h = test::elements(r.get<"h">());
    REQUIRE(h.size() == x.size() * x.size());
    for (std::size_t i = 0; i < x.size(); ++i)
      for (std::size_t j = 0; j < x.size(); ++j)
        CHECK(h[i * x.size() + j] == test::Approx(2 + (i == j ? 6 * x[i] : 0)).epsilon(1e-12));
  }
}

namespace {

constexpr int steps = 4;

// A pendulum that is pushed, with the square of each angle as its cost.
constexpr auto pushed = [](auto angle, auto speed, auto push) {
  auto faster = speed - 0.1_c * tl::sin(angle) + push;
  auto next = angle + 0.1_c * faster;
  return std::tuple(next, faster, next * next);
};
// Of a roll-out: its angles, the gradient, and all derivatives of both kinds.
constexpr auto derivatives = [](auto u, auto angles, auto cost) {
  return tl::outputs(tl::named<"J">(tl::jacobian(angles, u)), tl::named<"H">(tl::hessian(cost, u)));
};

}  // namespace

TEST_CASE("jacobian and hessian of a loop are those of its iterations written out") {
  tl::function loop{[] {
    auto u = tl::input<"u", double, steps>;
    auto [angle, speed, angles, costs] = tl::scan(
        [](auto angle, auto speed, auto push) {
          auto [a, s, c] = pushed(angle, speed, push);
          return tl::pack(a, s, a, c);
        },
        tl::pack(tl::input<"angle", double>, tl::input<"speed", double>), u);
    return derivatives(u, angles, tl::sum(costs));
  }};
  tl::function written_out{[] {
    auto u = tl::input<"u", double, steps>;
    auto [a, sa, ca] = pushed(tl::input<"angle", double>, tl::input<"speed", double>, tl::at<0>(u));
    auto [b, sb, cb] = pushed(a, sa, tl::at<1>(u));
    auto [c, sc, cc] = pushed(b, sb, tl::at<2>(u));
    auto [d, sd, cd] = pushed(c, sc, tl::at<3>(u));
    return derivatives(u, tl::stack<0>(a, b, c, d), ca + cb + cc + cd);
  }};
  const vector u{0.1, -0.3, 0.2, 0.05};
  const auto got = loop("u"_t = u, "angle"_t = 0.7, "speed"_t = -0.2);
  const auto expected = written_out("u"_t = u, "angle"_t = 0.7, "speed"_t = -0.2);
  for (std::size_t i = 0; i < steps * steps; ++i) {
    CHECK(got.get<"J">()[i] == test::Approx(expected.get<"J">()[i]).epsilon(1e-12).margin(1e-14));
    CHECK(got.get<"H">()[i] == test::Approx(expected.get<"H">()[i]).epsilon(1e-12).margin(1e-14));
  }
}

TEST_CASE("the body of a loop has jacobians: an extended Kalman filter's covariance") {
  tl::function f{[] {
    auto x = tl::input<"x", double, 2>;
    auto [last, covariance] = tl::scan(
        [](auto x, auto covariance, auto push) {
          auto [angle, speed, cost] = pushed(tl::at<0>(x), tl::at<1>(x), push);
          auto next = tl::stack<0>(angle, speed);
          auto f = tl::jacobian(next, x);
          return tl::pack(next, tl::matmul(tl::matmul(f, covariance), tl::transpose(f)));
        },
        tl::pack(x, tl::input<"P", double, 2, 2>), tl::input<"u", double, tl::dyn<"n">>);
    return tl::outputs(tl::named<"x">(last), tl::named<"P">(covariance));
  }};
  const vector u{0.1, -0.3, 0.2};
  vector x{0.7, -0.2}, p{1, 0.2, 0.2, 0.5};
  const auto r = f("x"_t = x, "P"_t = p, "u"_t = u);
  for (const double push : u) {
    const double slope = -0.1 * std::cos(x[0]);
    const double a[2][2] = {{1 + 0.1 * slope, 0.1}, {slope, 1}};
    x[1] += -0.1 * std::sin(x[0]) + push;
    x[0] += 0.1 * x[1];
    const vector before = p;
    for (std::size_t i = 0; i < 2; ++i)
      for (std::size_t j = 0; j < 2; ++j) {
        p[2 * i + j] = 0;
        for (std::size_t k = 0; k < 2; ++k)
          for (std::size_t l = 0; l < 2; ++l) p[2 * i + j] += a[i][k] * before[2 * k + l] * a[j][l];
      }
  }
  for (std::size_t i = 0; i < 2; ++i) CHECK(r.get<"x">()[i] == test::Approx(x[i]).epsilon(1e-13));
  for (std::size_t i = 0; i < 4; ++i) CHECK(r.get<"P">()[i] == test::Approx(p[i]).epsilon(1e-13));
}

TEST_CASE("what only a condition is made of is on no way of derivatives") {
  tl::function f{[] {
    auto x = tl::input<"x", double, 65>;
    auto h = tl::scan([](auto c, auto e) { return tl::tanh(c + e); }, tl::input<"c", double>, x);
    auto y = tl::where(h > 0_c, tl::square(x), x);
    return tl::outputs(tl::named<"J">(tl::jacobian(y, x)));
  }};
  for (const double each : {0.25, -0.25}) {
    const auto r = f("x"_t = vector(65, each), "c"_t = 0.0);
    for (std::size_t i = 0; i < 65 * 65; ++i)
      REQUIRE(r.get<"J">()[i] == (i / 65 != i % 65 ? 0.0 : each > 0 ? 0.5 : 1.0));
  }
}

TEST_CASE("jacobian and hessian by what a loop has stacked go through no loop") {
  tl::function f{[] {
    const auto [last, all] = tl::scan([](auto h, auto x) { return std::tuple{h + x, tl::sin(x)}; },
                                      tl::input<"h", double>, tl::input<"x", double, 3>);
    const auto [hidden, h, c] = tl::lstm<"l", 2>(tl::input<"word", double, 2, 1, 1>);
    return tl::outputs(tl::named<"J">(tl::jacobian(tl::square(all), all)), tl::named<"all">(all),
                       tl::named<"H">(tl::hessian(last * tl::sum(all * all * all), all)),
                       tl::named<"last">(last), tl::named<"hidden">(hidden),
                       tl::named<"by hidden">(tl::jacobian(tl::sum(tl::square(hidden)), hidden)));
  }};
  const auto r = f("h"_t = 0.5, "x"_t = vector{0.1, -0.7, 0.4}, "word"_t = vector{0.3, -0.2});
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      const double x = i == j ? r.get<"all">()[i] : 0;
      CHECK(r.get<"J">()[3 * i + j] == test::Approx(2 * x));
      CHECK(r.get<"H">()[3 * i + j] == test::Approx(6 * x * r.get<"last">()[0]));
    }
  for (std::size_t i = 0; i < 4; ++i)
    CHECK(r.get<"by hidden">()[i] == test::Approx(2 * r.get<"hidden">()[i]));
}
