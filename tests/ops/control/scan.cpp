// SPDX-License-Identifier: BSL-1.0
#include <tapeless/tapeless.hpp>
#include "catch.hpp"

#include "program.hpp"

using vector = std::vector<double>;

namespace {

constexpr int layers = 3, width = 4;

template <tl::name Name>
constexpr auto block(tl::expression auto h) {
  return h + tl::tanh(tl::linear<Name, width>(h));
}

constexpr auto scanned = [] {
  auto x = tl::input<"x", double, tl::dyn<"batch">, width>;
  auto h = tl::scan<layers>(x, [](auto h) { return block<"block">(h); });
  return tl::outputs(tl::mean(tl::square(h)), tl::named<"h">(h));
};
constexpr auto repeated = [] {
  auto x = tl::input<"x", double, tl::dyn<"batch">, width>;
  auto h = tl::repeat<layers>(x, []<int I>(auto h) { return block<tl::name{"block"} + I>(h); });
  return tl::outputs(tl::mean(tl::square(h)), tl::named<"h">(h));
};

template <class View>
void fill(View view, double start) {
  for (std::size_t i = 0; i < view.size(); ++i) view[i] = std::sin(start + 0.7 * static_cast<double>(i));
}

constexpr auto twice = [](auto h) { return h + h; };

template <class Loop>
constexpr auto second_derivatives(Loop loop) {
  auto x = tl::input<"x", double, tl::dyn<"time">>;
  auto y = loop(x);
  auto dx = tl::grad(y, x);
  return tl::outputs(tl::named<"dx">(dx), tl::named<"back">(tl::grad(tl::sum(dx * dx), x)),
                     tl::named<"forward">(tl::jvp(dx, x, 1_c * x)));
}

}  // namespace

TEST_CASE("a block that names nothing by its number may be a plain lambda") {
  tl::function f{[] {
    auto x = tl::input<"x", double, 2>;
    return tl::outputs(tl::named<"y">(tl::repeat<3>(x, twice)), tl::named<"x">(tl::repeat<0>(x, twice)));
  }};
  const auto r = f("x"_t = vector{1, -2});
  CHECK(test::elements(r.get<"y">()) == vector{8, -16});
  CHECK(test::elements(r.get<"x">()) == vector{1, -2});
}

TEST_CASE("a body whose number has a default is numbered all the same") {
  tl::function f{[] {
    auto x = tl::input<"x", double, 2>;
    return tl::outputs(
        tl::named<"y">(tl::repeat<3>(x, []<int I = 0>(auto h) { return h * 10_c + tl::constant<I>; })));
  }};
  const auto r = f("x"_t = vector{1, -2});
  CHECK(test::elements(r.get<"y">()) == vector{1012, -1988});
}

TEST_CASE("repeat gives its body several values one by one, or as they are if it takes one") {
  tl::function f{[] {
    auto x = tl::input<"x", double, 2>;
    auto [a, b] = tl::repeat<3>(std::tuple{x, x + 1_c}, []<int I>(auto a, auto b) {
      return std::tuple{a + b * tl::constant<I>, b + a};
    });
    auto [c, d] = tl::repeat<3>(std::tuple{x, x + 1_c}, [](auto c, auto d) { return std::tuple{d, c + d}; });
    auto [e, f] = tl::repeat<3>(std::tuple{x, x + 1_c}, []<int I>(auto both) {
      auto [e, f] = both;
      return std::tuple{f + tl::constant<I>, e};
    });
    auto joined = tl::repeat<1>(std::tuple{x, x}, []<int I>(auto a, auto b) { return a * 10_c + b; });
    return tl::outputs(tl::named<"a">(a), tl::named<"b">(b), tl::named<"c">(c), tl::named<"d">(d),
                       tl::named<"e">(e), tl::named<"f">(f), tl::named<"joined">(joined));
  }};
  const auto r = f("x"_t = vector{1, -2});
  // (1, 2) -> (1, 3) -> (4, 4) -> (12, 8); (-2, -1) -> (-2, -3) -> (-5, -5) -> (-15, -10)
  CHECK(test::elements(r.get<"a">()) == vector{12, -15});
  CHECK(test::elements(r.get<"b">()) == vector{8, -10});
  CHECK(test::elements(r.get<"c">()) == vector{5, -4});
  CHECK(test::elements(r.get<"d">()) == vector{8, -7});
  CHECK(test::elements(r.get<"e">()) == vector{4, 1});
  CHECK(test::elements(r.get<"f">()) == vector{2, -1});
  CHECK(test::elements(r.get<"joined">()) == vector{11, -22});
}

TEST_CASE("scan<N> computes what repeat<N> does, with stacked parameters") {
  tl::trainer stacked{scanned, tl::adam({.learning_rate = 0.1})};
  tl::trainer separate{repeated, tl::adam({.learning_rate = 0.1})};
  fill(stacked.parameter<"block.weight">(), 1);
  fill(stacked.parameter<"block.bias">(), 2);
  REQUIRE(stacked.parameter<"block.weight">().size() == layers * width * width);
  const auto part = [&](auto whole, int i, auto own) {
    for (std::size_t k = 0; k < own.size(); ++k) own[k] = whole[static_cast<std::size_t>(i) * own.size() + k];
  };
  part(stacked.parameter<"block.weight">(), 0, separate.parameter<"block0.weight">());
  part(stacked.parameter<"block.weight">(), 1, separate.parameter<"block1.weight">());
  part(stacked.parameter<"block.weight">(), 2, separate.parameter<"block2.weight">());
  part(stacked.parameter<"block.bias">(), 0, separate.parameter<"block0.bias">());
  part(stacked.parameter<"block.bias">(), 1, separate.parameter<"block1.bias">());
  part(stacked.parameter<"block.bias">(), 2, separate.parameter<"block2.bias">());
  for (const std::size_t batch : {2u, 5u, 1u}) {
    vector x(batch * width);
    fill(std::span<double>(x), 3);
    for (int step = 0; step < 3; ++step) {
      auto a = stacked.step("x"_t = x);
      auto b = separate.step("x"_t = x);
      CHECK(a.loss() == test::Approx(b.loss()).epsilon(1e-12));
    }
    auto a = stacked.evaluate("x"_t = x);
    auto b = separate.evaluate("x"_t = x);
    const vector left = test::elements(a.get<"h">()), right = test::elements(b.get<"h">());
    for (std::size_t i = 0; i < left.size(); ++i) CHECK(left[i] == test::Approx(right[i]).epsilon(1e-10));
  }
}

TEST_CASE("the number of iterations is a run-time extent, and may be zero") {
  tl::function f{[] {
    auto x = tl::input<"x", double, tl::dyn<"time">, 2>;
    auto h0 = tl::input<"h0", double, 2>;
    auto [h, y] = tl::scan(
        [](auto h, auto x) {
          auto next = h * tl::input<"w", double> + x;
          return tl::pack(next, next);
        },
        h0, x);
    auto w = tl::input<"w", double>;
    return tl::outputs(tl::named<"h">(h), tl::named<"y">(y), tl::named<"dw">(tl::grad(tl::sum(h), w)),
                       tl::named<"dx">(tl::grad(tl::sum(h), x)));
  }};
  const vector x{1, 10, 2, 20, 3, 30}, h0{100, 1000}, w{2};
  auto r = f("x"_t = x, "h0"_t = h0, "w"_t = w);
  CHECK(test::elements(r.get<"h">()) == vector{8 * 100 + 4 + 4 + 3, 8000 + 40 + 40 + 30});
  CHECK(test::elements(r.get<"y">()) == vector{201, 2010, 404, 4040, 811, 8110});
  CHECK(test::elements(r.get<"dw">()) == vector{(404 + 4040) + 2 * (201 + 2010) + 4 * (100 + 1000)});
  CHECK(test::elements(r.get<"dx">()) == vector{4, 4, 2, 2, 1, 1});
  const vector none;
  auto empty = f("x"_t = none, "h0"_t = h0, "w"_t = w);
  CHECK(test::elements(empty.get<"h">()) == h0);
  CHECK(test::elements(empty.get<"dw">()) == vector{0});
}

TEST_CASE("carries change at once") {
  tl::function f{[] {
    auto [a, b, y] =
        tl::scan([](auto a, auto b, auto x) { return tl::pack(b, a + b * x, b); },
                 tl::pack(tl::input<"a", double>, tl::input<"b", double>), tl::input<"x", double, 6>);
    return tl::outputs(tl::named<"a">(a), tl::named<"b">(b), tl::named<"y">(y));
  }};
  const vector x(6, 1), zero{0}, one{1};
  auto r = f("x"_t = x, "a"_t = zero, "b"_t = one);
  CHECK(test::elements(r.get<"y">()) == vector{1, 1, 2, 3, 5, 8});
  CHECK(test::elements(r.get<"a">()) == vector{8});
  CHECK(test::elements(r.get<"b">()) == vector{13});
}

TEST_CASE("scan<N> hands on several values, and stacks what the body returns behind them") {
  tl::function f{[] {
    auto a = tl::input<"a", double>;
    auto [x, y, all] = tl::scan<5>(tl::pack(a, tl::input<"b", double>),
                                   [](auto a, auto b) { return tl::pack(b, a + b, a * b); });
    auto [p, q] = tl::scan<2>(tl::pack(x, y), [](auto a, auto b) { return tl::pack(b, a * 10_c); });
    return tl::outputs(tl::named<"x">(x), tl::named<"y">(y), tl::named<"all">(all), tl::named<"p">(p),
                       tl::named<"q">(q), tl::named<"da">(tl::grad(tl::sum(all), a)));
  }};
  const vector zero{0}, one{1};
  auto r = f("a"_t = zero, "b"_t = one);
  CHECK(test::elements(r.get<"x">()) == vector{5});
  CHECK(test::elements(r.get<"y">()) == vector{8});
  CHECK(test::elements(r.get<"all">()) == vector{0, 1, 2, 6, 15});
  CHECK(test::elements(r.get<"p">()) == vector{50});
  CHECK(test::elements(r.get<"q">()) == vector{80});
  // a_i = F(i-1) a + F(i) b, where F are Fibonacci's numbers
  CHECK(test::elements(r.get<"da">()) ==
        vector{1 * 1 + 1 * 1 + (1 * 2 + 1 * 1) + (1 * 3 + 2 * 2) + (2 * 5 + 3 * 3)});
}

TEST_CASE("several values are given as a tuple, or as several operands") {
  tl::function f{[] {
    auto a = tl::input<"a", double>;
    auto b = tl::input<"b", double>;
    auto x = tl::input<"x", double, 3>;
    auto y = tl::input<"y", double, 3>;
    const auto body = [](auto a, auto b, auto x, auto y) { return std::tuple{b, a + x, b * y}; };
    auto [c, d, apart] = tl::scan(body, std::tuple{a, b}, x, y);
    auto [e, g, together] = tl::scan(body, tl::pack(a, b), std::tuple{x, y});
    auto pair = tl::scan<1>(std::tuple{a, b}, [](auto a, auto b) { return std::tuple{b, a}; });
    auto [h, i] = tl::scan<3>(pair, [](auto a, auto b) { return tl::pack(a + a, b); });
    auto [of_a, of_b] = tl::vjp(c * d, std::tuple{a, b}, tl::input<"one", double>);
    return tl::outputs(tl::named<"carries">(tl::stack<0>(c, d, e, g, h, i, of_a, of_b)),
                       tl::named<"apart">(apart), tl::named<"together">(together),
                       tl::named<"along">(tl::jvp(c * d, std::tuple{a, b}, std::tuple{a, b})));
  }};
  const vector x{1, 2, 3}, y{10, 20, 30}, a{5}, b{7}, one{1};
  auto r = f("x"_t = x, "y"_t = y, "a"_t = a, "b"_t = b, "one"_t = one);
  // (5, 7) -> (7, 6) -> (6, 9) -> (9, 9)
  CHECK(test::elements(r.get<"apart">()) == vector{70, 120, 270});
  CHECK(test::elements(r.get<"together">()) == vector{70, 120, 270});
  // c = b + 2, d = a + 1 + 3
  CHECK(test::elements(r.get<"carries">()) == vector{9, 9, 9, 9, 56, 5, 9, 9});
  CHECK(test::elements(r.get<"along">()) == vector{5 * 9 + 7 * 9});
}

TEST_CASE("every iteration drops other elements") {
  tl::trainer net{[] {
                    auto x = tl::input<"x", float, 64> + tl::param<"p", float>;
                    auto [h, y] =
                        tl::scan([](auto h, auto x) { return tl::pack(h + x, tl::dropout<0.5>(h)); }, x,
                                 tl::input<"steps", float, 3>);
                    return tl::outputs(tl::mean(tl::square(y)), tl::named<"y">(y));
                  },
                  tl::sgd({.learning_rate = 0.0})};
  const std::vector<float> x(64, 1), steps(3, 0);
  auto r = net.step("x"_t = x, "steps"_t = steps);
  const vector y = test::elements(r.get<"y">());
  int different = 0, dropped = 0;
  for (std::size_t i = 0; i < 64; ++i) {
    different += y[i] != y[64 + i] ? 1 : 0;
    dropped += y[i] == 0 ? 1 : 0;
  }
  CHECK(different > 10);
  CHECK(dropped > 10);
  CHECK(dropped < 54);
}

TEST_CASE("what is stacked may be the same in all iterations, and without a derivative") {
  const tl::function f{[] {
    auto [last, kept, number] = tl::scan(
        [](auto h, auto x) {
          return tl::pack(h + x, tl::stop_gradient(tl::input<"w", double, 2>),
                          tl::stop_gradient(2_c + 0_c * h));
        },
        tl::input<"h", double>, tl::input<"x", double, 3>);
    return tl::outputs(tl::named<"last">(last), tl::named<"kept">(kept), tl::named<"number">(number));
  }};
  const auto r = f("h"_t = 1.0, "x"_t = vector{1, 2, 3}, "w"_t = vector{5, 7});
  CHECK(test::elements(r.get<"last">()) == vector{7});
  CHECK(test::elements(r.get<"kept">()) == vector{5, 7, 5, 7, 5, 7});
  CHECK(test::elements(r.get<"number">()) == vector{2, 2, 2});
}

TEST_CASE("a body that does not read its carry has second derivatives by what the loop goes along") {
  tl::function f{[] {
    return second_derivatives([](auto x) {
      auto [last, all] = tl::scan(
          [](auto, auto e) {
            auto y = tl::sin(e) * e;
            return tl::pack(y * y, y);
          },
          tl::input<"start", double>, x);
      return last * tl::sum(tl::square(all));
    });
  }};
  tl::function written_out{[] {
    return second_derivatives([](auto x) {
      auto all = tl::sin(x) * x;
      return tl::square(tl::at<-1>(all)) * tl::sum(tl::square(all));
    });
  }};
  const vector x{0.3, -0.7, 1.1, 0.4};
  const auto a = f("x"_t = x, "start"_t = vector{2});
  const auto b = written_out("x"_t = x);
  for (std::size_t i = 0; i < x.size(); ++i) {
    CHECK(a.get<"dx">()[i] == test::Approx(b.get<"dx">()[i]).epsilon(1e-12));
    CHECK(a.get<"back">()[i] == test::Approx(b.get<"back">()[i]).epsilon(1e-12));
    CHECK(a.get<"forward">()[i] == test::Approx(b.get<"forward">()[i]).epsilon(1e-12));
  }
}

TEST_CASE("a carry that the result does not depend on leaves gradients alone, however large it grows") {
  tl::function f{[] {
    const auto x = tl::input<"x", double, 6>;
    const auto [sum, explodes, squares] = tl::scan(
        [](auto sum, auto explodes, auto x) {
          return std::tuple{sum + x * x, tl::exp(tl::square(explodes) + x), tl::square(x)};
        },
        std::tuple{tl::input<"sum", double>, tl::input<"explodes", double>}, x);
    return tl::outputs(tl::named<"by carry">(tl::grad(sum, x)),
                       tl::named<"by stack">(tl::grad(tl::sum(squares), x)));
  }};
  const std::vector<double> x{1, 2, 3, 1, 2, 3};
  const auto r = f("x"_t = x, "sum"_t = 0.0, "explodes"_t = 1.0);
  for (std::size_t i = 0; i < x.size(); ++i) {
    CHECK(r.get<"by carry">()[i] == 2 * x[i]);
    CHECK(r.get<"by stack">()[i] == 2 * x[i]);
  }
}
