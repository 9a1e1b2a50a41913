// SPDX-License-Identifier: BSL-1.0
// What loops take: kernels of an iteration, copies of carries, and the values that these plans give.
#include <tapeless/plan/fuse_loops.hpp>

#include <tapeless/tapeless.hpp>

#include "catch.hpp"
#include "policies.hpp"
#include "program.hpp"

using vector = std::vector<double>;

namespace {

struct body {
  int fused_kernels = 0, products = 0;
  constexpr bool operator==(const body&) const = default;
};

// The commands of the plan's loop number `wanted`.
template <class GraphBuilder>
constexpr body body_of(int wanted) {
  using kind = enum tl::planned_command::kind;
  body found;
  int loop = -1;
  bool inside = false;
  for (const tl::planned_command& command : tl::plan_of<GraphBuilder>.commands) {
    if (command.kind == kind::loop_begin) inside = ++loop == wanted;
    if (command.kind == kind::loop_end) inside = false;
    found.fused_kernels += inside && command.kind == kind::fused_kernel ? 1 : 0;
    found.products += inside && command.kind == kind::product ? 1 : 0;
  }
  return found;
}

// An LSTM's last h, and derivatives: as a loop, or step by step. Rows of 16 are long enough for the gates'
// cotangents to be computed where they stand side by side.
constexpr int hidden = 16, batch = 3, times = 4;
template <class X>
constexpr auto loss_and_derivatives(X run) {
  auto x = tl::input<"x", double, times, batch, 2>;
  auto h = tl::input<"h", double, batch, hidden>;
  auto c = tl::input<"c", double, batch, hidden>;
  auto w = tl::input<"w", double, 4 * hidden, 2>;
  auto u = tl::input<"u", double, 4 * hidden, hidden>;
  auto b = tl::input<"b", double, 4 * hidden>;
  auto [last_h, last_c] = run(x, h, c, w, u, b);
  auto loss = tl::sum(tl::square(last_h)) + tl::sum(last_c);
  return tl::outputs(tl::named<"h">(last_h), tl::named<"c">(last_c), tl::named<"dx">(tl::grad(loss, x)),
                     tl::named<"dh">(tl::grad(loss, h)), tl::named<"dc">(tl::grad(loss, c)),
                     tl::named<"dw">(tl::grad(loss, w)), tl::named<"du">(tl::grad(loss, u)),
                     tl::named<"db">(tl::grad(loss, b)));
}
constexpr auto as_loop = [] {
  return loss_and_derivatives([](auto x, auto h, auto c, auto w, auto u, auto b) {
    auto [y, last_h, last_c] = tl::lstm(x, h, c, w, u, b, b);
    return std::tuple(last_h, last_c);
  });
};
constexpr auto by_steps = [] {
  return loss_and_derivatives([](auto x, auto h0, auto c0, auto w, auto u, auto b) {
    auto at = [&]<int T>(std::integral_constant<int, T>) {
      return tl::reshape<batch, 2>(tl::slice<0, T, T + 1>(x));
    };
    auto [h1, c1] = tl::lstm_cell(at(std::integral_constant<int, 0>{}), h0, c0, w, u, b, b);
    auto [h2, c2] = tl::lstm_cell(at(std::integral_constant<int, 1>{}), h1, c1, w, u, b, b);
    auto [h3, c3] = tl::lstm_cell(at(std::integral_constant<int, 2>{}), h2, c2, w, u, b, b);
    auto [h4, c4] = tl::lstm_cell(at(std::integral_constant<int, 3>{}), h3, c3, w, u, b, b);
    return std::tuple(h4, c4);
  });
};

vector wave(std::size_t count, double start) {
  vector x(count);
  for (std::size_t i = 0; i < count; ++i) x[i] = 0.5 * std::sin(start + 0.7 * static_cast<double>(i));
  return x;
}

using builder = tl::ready<tl::forward_graph_builder<decltype(as_loop)>>;

}  // namespace

TEST_CASE("an LSTM's iteration is a product, its sum and the gates; back it is the gates and a product") {
  STATIC_REQUIRE(body_of<builder>(0) == body{2, 1});
  STATIC_REQUIRE(body_of<builder>(1) == body{1, 1});
}

TEST_CASE("an LSTM whose carries and gates are computed in place is the one step by step") {
  test::on_each_policy([]<class Policy>() {
    tl::function loop{as_loop, Policy()};
    tl::function steps{by_steps, Policy()};
    const vector x = wave(times * batch * 2, 1), h = wave(batch * hidden, 2), c = wave(batch * hidden, 3),
                 w = wave(8 * hidden, 4), u = wave(4 * hidden * hidden, 5), b = wave(4 * hidden, 6);
    const auto run = [&](auto& f) {
      return f("x"_t = x, "h"_t = h, "c"_t = c, "w"_t = w, "u"_t = u, "b"_t = b);
    };
    auto got = run(loop);
    auto expected = run(steps);
    const auto compare = [](const vector& left, const vector& right) {
      REQUIRE(left.size() == right.size());
      for (std::size_t i = 0; i < left.size(); ++i) CHECK(left[i] == test::Approx(right[i]).epsilon(1e-9));
    };
    compare(test::elements(got.template get<"h">()), test::elements(expected.template get<"h">()));
    compare(test::elements(got.template get<"c">()), test::elements(expected.template get<"c">()));
    compare(test::elements(got.template get<"dx">()), test::elements(expected.template get<"dx">()));
    compare(test::elements(got.template get<"dh">()), test::elements(expected.template get<"dh">()));
    compare(test::elements(got.template get<"dc">()), test::elements(expected.template get<"dc">()));
    compare(test::elements(got.template get<"dw">()), test::elements(expected.template get<"dw">()));
    compare(test::elements(got.template get<"du">()), test::elements(expected.template get<"du">()));
    compare(test::elements(got.template get<"db">()), test::elements(expected.template get<"db">()));
  });
}

TEST_CASE("carries that exchange their values keep them apart") {
  tl::function f{[] {
    auto [a, b, y] =
        tl::scan([](auto a, auto b, auto x) { return tl::pack(b, a, a + x); },
                 tl::pack(tl::input<"a", double, 3>, tl::input<"b", double, 3>), tl::input<"x", double, 3>);
    return tl::outputs(tl::named<"a">(a), tl::named<"b">(b), tl::named<"y">(y));
  }};
  const vector x(3, 0), a{1, 2, 3}, b{4, 5, 6};
  auto r = f("x"_t = x, "a"_t = a, "b"_t = b);
  CHECK(test::elements(r.get<"y">()) == vector{1, 2, 3, 4, 5, 6, 1, 2, 3});
  CHECK(test::elements(r.get<"a">()) == b);
  CHECK(test::elements(r.get<"b">()) == a);
}

TEST_CASE("a carry whose old value is read after its next one, or turned around, waits for the end") {
  tl::function f{[] {
    auto [a, y] = tl::scan(
        [](auto a, auto x) {
          auto next = tl::matmul(tl::tanh(a), tl::input<"w", double, 2, 2>) + x;
          return tl::pack(tl::transpose(next) + a, tl::matmul(next, a));
        },
        tl::input<"a", double, 2, 2>, tl::input<"x", double, 2>);
    return tl::outputs(tl::named<"a">(a), tl::named<"y">(y));
  }};
  const vector x{1, 2}, a{0, 0, 0, 0}, w{1, 0, 0, 1};
  auto r = f("x"_t = x, "a"_t = a, "w"_t = w);
  // first all are 1; then next = tanh(1) + 2
  const double next = std::tanh(1.0) + 2;
  const vector y = test::elements(r.get<"y">()), last = test::elements(r.get<"a">());
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(y[i] == 0);
    CHECK(y[4 + i] == test::Approx(2 * next));
    CHECK(last[i] == test::Approx(next + 1));
  }
}

TEST_CASE("numbers that a loop's body and others read are computed in front of the loop") {
  test::on_each_policy([]<class Policy>() {
    tl::function f{[] {
                     auto x = tl::input<"x", double, tl::dyn<"batch">>;
                     auto w = tl::input<"w", double>;
                     auto slope = tl::sin(tl::grad(tl::mean(tl::sin(w * x)), w));
                     auto [a, same] = tl::scan(
                         [](auto a, auto x, auto) { return std::tuple{a - tl::mean(tl::sin(a * x)), x}; },
                         std::tuple{w, x}, tl::iota<std::int32_t, 2>());
                     return tl::outputs(tl::named<"y">(slope * x), tl::named<"second">(tl::hessian(a, w)));
                   },
                   Policy()};
    const vector x{0.3, 0.9, -0.7};
    const double w = 0.8;
    double slope = 0;
    for (const double e : x) slope += e * std::cos(w * e) / 3;
    auto r = f("x"_t = x, "w"_t = w);
    for (std::size_t i = 0; i < 3; ++i)
      CHECK(r.template get<"y">()[i] == test::Approx(std::sin(slope) * x[i]).epsilon(1e-12));
    CHECK(r.template get<"second">()[0] == test::Approx(0.150951455947).epsilon(1e-10));
  });
}

TEST_CASE("a carry whose next value is a number of the prologue starts as it is told") {
  test::on_each_policy([]<class Policy>() {
    tl::function f{
        [] {
          auto x = tl::input<"x", double, tl::dyn<"batch">>;
          auto [sum, share] = tl::scan(
              [](auto sum, auto share, auto) {
                return std::tuple{sum + share,
                                  1_c / tl::cast<double>(tl::size(tl::input<"x", double, tl::dyn<"batch">>))};
              },
              std::tuple{tl::sum(x), tl::input<"first", double>}, tl::iota<std::int32_t, 3>());
          auto later = 3_c / tl::cast<double>(tl::size(x));  // in the prologue, too
          return tl::outputs(tl::named<"sum">(sum), tl::named<"share">(share), tl::named<"y">(sum * later));
        },
        Policy()};
    auto r = f("x"_t = vector(4, 1), "first"_t = 5.0);
    CHECK(r.template get<"sum">()[0] == 9.5);
    CHECK(r.template get<"share">()[0] == 0.25);
    CHECK(r.template get<"y">()[0] == 9.5 * 0.75);
  });
}

TEST_CASE("a copy that a product reads and that is handed on, too, is made where the product needs it") {
  test::on_each_policy([]<class Policy>() {
    tl::function f{[] {
                     auto xs = tl::permute<2, 0, 1>(tl::input<"x", double, 2, 2, 3>);  // in no lines
                     auto [h, last] = tl::scan(
                         [](auto h, auto, auto x) {
                           return std::tuple{h + tl::matmul(x, tl::input<"w", double, 2, 2>), x};
                         },
                         std::tuple{tl::input<"h0", double, 2, 2>, tl::input<"p0", double, 2, 2>}, xs);
                     return tl::outputs(tl::named<"h">(h), tl::named<"last">(last));
                   },
                   Policy()};
    vector x(12);
    for (std::size_t i = 0; i < 12; ++i) x[i] = static_cast<double>(i + 1);  // 3 i + t + 1 in iteration t
    auto r = f("x"_t = x, "w"_t = vector{1, 0, 0, 1}, "h0"_t = vector(4, 0), "p0"_t = vector(4, 100));
    CHECK(test::elements(r.template get<"h">()) == vector{6, 15, 24, 33});
    CHECK(test::elements(r.template get<"last">()) == vector{3, 6, 9, 12});
  });
}

TEST_CASE("carries keep their values apart where a step is planned again for old values of parameters") {
  test::on_each_policy([]<class Policy>() {
    tl::trainer net{[] {
                      auto p = tl::param<"p", double, 2>(tl::fill(1));
                      auto q = tl::param<"q", double, 2>(tl::fill(2));
                      auto x = tl::input<"x", double, 3, 2>;
                      auto first = std::tuple{tl::input<"a0", double, 2>, tl::input<"b0", double, 2>};
                      auto [a, b] =
                          tl::scan([](auto a, auto, auto x) { return std::tuple{a + x, a}; }, first, x);
                      auto [c, d] = tl::scan([](auto c, auto d, auto) { return std::tuple{d, c}; }, first, x);
                      return tl::outputs(tl::sum(p * q), tl::named<"a">(a), tl::named<"b">(b),
                                         tl::named<"c">(c), tl::named<"d">(d));
                    },
                    tl::sgd({.learning_rate = 0.5}), Policy()};
    auto r = net.step("x"_t = vector(6, 1), "a0"_t = vector{0, 0}, "b0"_t = vector{100, 200});
    CHECK(test::elements(r.template get<"a">()) == vector{3, 3});
    CHECK(test::elements(r.template get<"b">()) == vector{2, 2});
    CHECK(test::elements(r.template get<"c">()) == vector{100, 200});
    CHECK(test::elements(r.template get<"d">()) == vector{0, 0});
    CHECK(test::elements(net.template parameter<"p">()) == vector{0, 0});
    CHECK(test::elements(net.template parameter<"q">()) == vector{1.5, 1.5});
  });
}

TEST_CASE("a carry that a product reads is not written while it is being read") {
  constexpr int rows = 4, n = 128;
  test::on_each_policy([]<class Policy>() {
    tl::function f{[] {
                     return tl::outputs(tl::named<"h">(tl::scan(
                         [](auto h, auto) { return tl::relu(tl::matmul(h, tl::input<"w", float, n, n>)); },
                         tl::input<"h", float, rows, n>, tl::iota<std::int32_t, 2>())));
                   },
                   Policy()};
    std::vector<float> h(rows * n), w(n * n);
    for (std::size_t i = 0; i < h.size(); ++i)
      h[i] = 0.1f * static_cast<float>(static_cast<int>(i * 7 % 11) - 4);
    for (std::size_t i = 0; i < w.size(); ++i)
      w[i] = 0.05f * static_cast<float>(static_cast<int>(i * 5 % 13) - 5);
    std::vector<double> expected(h.begin(), h.end());
    for (int times = 0; times < 2; ++times) {
      std::vector<double> next(expected.size());
      for (std::size_t i = 0; i < next.size(); ++i) {
        double sum = 0;
        for (std::size_t k = 0; k < n; ++k)
          sum += expected[i / n * n + k] * static_cast<double>(w[k * n + i % n]);
        next[i] = sum > 0 ? sum : 0;
      }
      expected = next;
    }
    const auto r = f("h"_t = h, "w"_t = w);
    for (std::size_t i = 0; i < expected.size(); ++i)
      CHECK(static_cast<double>(r.template get<"h">()[i]) ==
            test::Approx(expected[i]).epsilon(1e-4).margin(1e-3));
  });
}
