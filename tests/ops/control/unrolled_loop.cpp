// SPDX-License-Identifier: BSL-1.0
// A scan in the body of another scan.
#include <tapeless/tapeless.hpp>
#include "catch.hpp"

#include "program.hpp"

using vector = std::vector<double>;

namespace {

constexpr int inner = 6;

// One result of a loop over rows of a loop over their elements, with all kinds of derivatives.
template <class Rows>
constexpr auto outputs_of(Rows rows) {
  auto x = tl::input<"x", double, tl::dyn<"time">, inner>;
  auto w = tl::input<"w", double>;
  auto start = tl::input<"start", double>;
  auto [last, all] = tl::scan(rows, start, x);
  auto y = last + tl::sum(all * all);
  auto [dx, dw, dstart] = tl::grad(y, x, w, start);
  return tl::outputs(tl::named<"y">(y), tl::named<"dx">(dx), tl::named<"dw">(dw), tl::named<"dstart">(dstart),
                     tl::named<"ddw">(tl::grad(dw, w)), tl::named<"along_w">(tl::jvp(y, w, 1_c * w)),
                     tl::named<"all">(all));
}

constexpr auto nested = [] {
  return outputs_of([](auto s, auto row) {
    auto [t, products] = tl::scan(
        [](auto t, auto e) {
          auto next = tl::tanh(t * tl::input<"w", double> + e * e);
          return tl::pack(next, next * e);
        },
        s, row * s);
    return tl::pack(t + tl::sum(products), products);
  });
};

template <int I>
constexpr auto next_of(tl::expression auto t, tl::expression auto elements) {
  auto e = tl::at<I>(elements);
  return tl::tanh(t * tl::input<"w", double> + e * e);
}
constexpr auto written_out = [] {
  return outputs_of([](auto s, auto row) {
    auto elements = row * s;
    auto t0 = next_of<0>(s, elements);
    auto t1 = next_of<1>(t0, elements);
    auto t2 = next_of<2>(t1, elements);
    auto t3 = next_of<3>(t2, elements);
    auto t4 = next_of<4>(t3, elements);
    auto t5 = next_of<5>(t4, elements);
    auto products = tl::stack<0>(t0, t1, t2, t3, t4, t5) * elements;
    return tl::pack(t5 + tl::sum(products), products);
  });
};

double by_hand(const vector& x, double w, double start) {
  double s = start, sum = 0;
  for (std::size_t i = 0; i < x.size(); i += inner) {
    double t = s, products = 0;
    for (std::size_t j = 0; j < inner; ++j) {
      const double e = x[i + j] * s;
      t = std::tanh(t * w + e * e);
      products += t * e;
      sum += t * e * t * e;
    }
    s = t + products;
  }
  return s + sum;
}

vector some_numbers(std::size_t count) {
  vector x(count);
  for (std::size_t i = 0; i < count; ++i) x[i] = std::sin(1 + static_cast<double>(i));
  return x;
}

template <class F>
double slope(F f, double x) {
  const double h = 1e-5;
  return (f(x + h) - f(x - h)) / (2 * h);
}

}  // namespace

TEST_CASE("a scan in the body of a scan, and its derivatives, are what differences say") {
  tl::function f{nested};
  const vector x = some_numbers(3 * inner), w{0.7}, start{0.3};
  auto r = f("x"_t = x, "w"_t = w, "start"_t = start);
  CHECK(r.get<"y">()[0] == test::Approx(by_hand(x, 0.7, 0.3)).epsilon(1e-12));
  const auto of_w = [&](double v) { return by_hand(x, v, 0.3); };
  CHECK(r.get<"dw">()[0] == test::Approx(slope(of_w, 0.7)).epsilon(1e-7));
  CHECK(r.get<"along_w">()[0] == test::Approx(0.7 * slope(of_w, 0.7)).epsilon(1e-7));
  CHECK(r.get<"ddw">()[0] ==
        test::Approx((of_w(0.7001) + of_w(0.6999) - 2 * of_w(0.7)) / 1e-8).epsilon(1e-4));
  CHECK(r.get<"dstart">()[0] ==
        test::Approx(slope([&](double v) { return by_hand(x, 0.7, v); }, 0.3)).epsilon(1e-7));
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto of_element = [&](double v) {
      vector changed = x;
      changed[i] = v;
      return by_hand(changed, 0.7, 0.3);
    };
    CHECK(r.get<"dx">()[i] == test::Approx(slope(of_element, x[i])).epsilon(1e-6).margin(1e-9));
  }
}

TEST_CASE("it computes what its iterations compute where they are written out") {
  tl::function a{nested};
  tl::function b{written_out};
  const vector x = some_numbers(4 * inner), w{0.7}, start{0.3};
  auto left = a("x"_t = x, "w"_t = w, "start"_t = start);
  auto right = b("x"_t = x, "w"_t = w, "start"_t = start);
  const auto same = [&](const vector& p, const vector& q) {
    REQUIRE(p.size() == q.size());
    for (std::size_t i = 0; i < p.size(); ++i) CHECK(p[i] == test::Approx(q[i]).epsilon(1e-12).margin(1e-14));
  };
  same(test::elements(left.get<"all">()), test::elements(right.get<"all">()));
  same(test::elements(left.get<"dx">()), test::elements(right.get<"dx">()));
  same(test::elements(left.get<"dw">()), test::elements(right.get<"dw">()));
  same(test::elements(left.get<"ddw">()), test::elements(right.get<"ddw">()));
}

TEST_CASE("Newton's iterations in each step of time are differentiated") {
  // implicit Euler of y' = -k y^3
  tl::function f{[] {
    auto k = tl::input<"k", double>;
    auto [last, all] = tl::scan(
        [](auto y, auto dt) {
          auto [next, before, step] = tl::scan(
              [](auto z, auto y, auto dt, auto) {
                auto k = tl::input<"k", double>;
                auto residual = z - y + dt * k * z * z * z;
                return tl::pack(z - residual / tl::grad(residual, z), y, dt);
              },
              tl::pack(y, y, dt), tl::iota<double, 8>());
          return tl::pack(next, next);
        },
        tl::input<"y0", double>, tl::input<"dt", double, tl::dyn<"steps">>);
    return tl::outputs(tl::named<"y">(last), tl::named<"dk">(tl::grad(last, k)));
  }};
  const vector dt(20, 0.1), y0{1.5}, k{0.8};
  const auto by_hand = [&](double k) {
    double y = 1.5;
    for (double h : dt) {
      double z = y;
      for (int i = 0; i < 8; ++i) z -= (z - y + h * k * z * z * z) / (1 + 3 * h * k * z * z);
      y = z;
    }
    return y;
  };
  auto r = f("y0"_t = y0, "dt"_t = dt, "k"_t = k);
  CHECK(r.get<"y">()[0] == test::Approx(by_hand(0.8)).epsilon(1e-12));
  CHECK(r.get<"dk">()[0] == test::Approx(slope(by_hand, 0.8)).epsilon(1e-7));
}

TEST_CASE("arguments that are one value outside are two in the body") {
  tl::function f{[] {
    auto x = tl::input<"x", double>;
    auto [last, by_a] = tl::scan([](auto s, auto a, auto b) { return tl::pack(s, tl::grad(a * b, a)); }, x,
                                 tl::pack(tl::input<"xs", double, 3>, tl::input<"xs", double, 3>));
    auto [s, alike, made_of_it] = tl::scan(
        [](auto s, auto) {
          auto count = tl::iota<double, 2>();
          auto [a, b, slope] = tl::scan(
              [](auto a, auto b, auto) { return tl::pack(a, b, tl::grad(a * b, a)); }, tl::pack(s, s), count);
          auto [c, d] =
              tl::scan([](auto c, auto e) { return tl::pack(c, tl::grad(c * e, c)); }, s, s * (count + 3_c));
          return tl::pack(s, slope, d);
        },
        x, tl::input<"xs", double, 3>);
    return tl::outputs(tl::named<"by_a">(by_a), tl::named<"alike">(alike),
                       tl::named<"made_of_it">(made_of_it));
  }};
  const vector x{5}, xs{1, 2, 3};
  auto r = f("x"_t = x, "xs"_t = xs);
  CHECK(test::elements(r.get<"by_a">()) == xs);
  CHECK(test::elements(r.get<"alike">()) == vector(6, 5));
  CHECK(test::elements(r.get<"made_of_it">()) == vector{15, 20, 15, 20, 15, 20});
}

TEST_CASE("loops may be in one another three deep; the innermost by its number of iterations") {
  tl::function f{[] {
    auto x = tl::input<"x", double, 2>;
    auto y = tl::scan<3>(x, [](auto a) {
      return tl::scan<2>(a, [](auto b) { return tl::scan<2>(b, [](auto c) { return c * c; }) + 1_c; });
    });
    return tl::outputs(tl::named<"y">(y), tl::named<"dx">(tl::grad(tl::sum(y), x)));
  }};
  const auto by_hand = [](double x) {
    for (int i = 0; i < 6; ++i) x = x * x * x * x + 1;
    return x;
  };
  const vector x{0.05, -0.1};
  auto r = f("x"_t = x);
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(r.get<"y">()[i] == test::Approx(by_hand(x[i])).epsilon(1e-12));
    CHECK(r.get<"dx">()[i] == test::Approx(slope(by_hand, x[i])).epsilon(1e-6));
  }
}

TEST_CASE("every iteration of every loop draws numbers of its own") {
  tl::function f{[] {
    auto [last, all] = tl::scan(
        [](auto s, auto) {
          auto [t, draws] = tl::scan(
              [](auto t, auto) {
                auto u = tl::uniform<"u", double>();
                auto v = tl::normal<"v">(t, u);
                return tl::pack(t, tl::stack<0>(u, v));
              },
              s, tl::iota<double, 3>());
          return tl::pack(s, tl::concat<0>(tl::reshape<6>(draws), tl::uniform<"w", double, 1>()));
        },
        tl::input<"s", double>, tl::iota<double, 4>());
    return tl::outputs(tl::named<"all">(all));
  }};
  const vector zero{0};
  vector drawn = test::elements(f("s"_t = zero).get<"all">());
  REQUIRE(drawn.size() == 4 * 7);
  std::sort(drawn.begin(), drawn.end());
  CHECK(std::adjacent_find(drawn.begin(), drawn.end()) == drawn.end());
}

TEST_CASE("dropout in it drops other elements in every iteration, and checkpoint changes no gradient") {
  const auto model = []<class Wrapped>(Wrapped) {
    return [] {
      auto w = tl::param<"w", double, 64>(tl::fill(1));
      auto [last, all] = tl::scan(
          [](auto s, auto) {
            auto [t, dropped] = tl::scan(
                [](auto t, auto) {
                  auto next = Wrapped{}(tl::dropout<0.5>(t * tl::param<"w", double, 64>(tl::fill(1))));
                  return tl::pack(t, next);
                },
                s, tl::iota<double, 2>());
            return tl::pack(s, dropped);
          },
          w * 2_c, tl::input<"time", double, 2>);
      return tl::outputs(tl::sum(all * all), tl::named<"all">(all));
    };
  };
  constexpr auto plain = [](auto x) { return x; };
  constexpr auto recomputed = [](auto x) { return tl::checkpoint(x); };
  tl::trainer a{model(plain), tl::sgd({.learning_rate = 1e-3})};
  tl::trainer b{model(recomputed), tl::sgd({.learning_rate = 1e-3})};
  const vector time{0, 1};
  const vector left = test::elements(a.step("time"_t = time).get<"all">());
  const vector right = test::elements(b.step("time"_t = time).get<"all">());
  CHECK(left == right);
  CHECK(test::elements(a.parameter<"w">()) == test::elements(b.parameter<"w">()));
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < i; ++j)
      CHECK(!std::equal(left.begin() + 64 * static_cast<long>(i),
                        left.begin() + 64 * static_cast<long>(i + 1),
                        left.begin() + 64 * static_cast<long>(j)));
}

namespace {

constexpr auto loop_of_sequences = [] {
  auto x = tl::input<"x", double, 2, 3, tl::dyn<"batch">, 5>;
  auto start = tl::input<"start", double, tl::dyn<"batch">, 4>;
  auto [last, all] = tl::scan(
      [](auto state, auto times) {
        auto [y, h, c] = tl::lstm<"l", 4, tl::recurrent{.layers = 2, .bidirectional = true}>(times);
        return tl::pack(state * tl::at<1>(h) + tl::at<2>(c), y);
      },
      start, x);
  return tl::outputs(tl::sum(tl::square(last)) + tl::sum(tl::square(all)), tl::named<"last">(last));
};

constexpr auto sequences_one_by_one = [] {
  auto x = tl::input<"x", double, 2, 3, tl::dyn<"batch">, 5>;
  auto start = tl::input<"start", double, tl::dyn<"batch">, 4>;
  auto [y1, h1, c1] = tl::lstm<"l", 4, tl::recurrent{.layers = 2, .bidirectional = true}>(tl::at<0>(x));
  auto [y2, h2, c2] = tl::lstm<"l", 4, tl::recurrent{.layers = 2, .bidirectional = true}>(tl::at<1>(x));
  auto last = (start * tl::at<1>(h1) + tl::at<2>(c1)) * tl::at<1>(h2) + tl::at<2>(c2);
  return tl::outputs(tl::sum(tl::square(last)) + tl::sum(tl::square(y1)) + tl::sum(tl::square(y2)),
                     tl::named<"last">(last));
};

}  // namespace

TEST_CASE("a recurrent network in the body of a scan is what it is outside") {
  tl::trainer loop{loop_of_sequences, tl::sgd({.learning_rate = 0.1}), tl::cpu{}, 3};
  tl::trainer one_by_one{sequences_one_by_one, tl::sgd({.learning_rate = 0.1}), tl::cpu{}, 3};
  const auto x = test::numbers(4).vector<double>(2 * 3 * 2 * 5);
  const vector start{1, 2, 3, 4, 5, 6, 7, 8};
  for (int step = 0; step < 2; ++step) {
    const auto a = loop.step("x"_t = x, "start"_t = start);
    const auto b = one_by_one.step("x"_t = x, "start"_t = start);
    CHECK(a.loss() == test::Approx(b.loss()).epsilon(1e-13));
    CHECK(a.get<"last">()[7] == test::Approx(b.get<"last">()[7]).epsilon(1e-13));
  }
  for (std::size_t i = 0; i < loop.parameters().size(); ++i)
    for (std::size_t k = 0; k < loop.parameters()[i].size(); ++k)
      CHECK(loop.parameters()[i][k] == test::Approx(one_by_one.parameters()[i][k]).epsilon(1e-12));
}
