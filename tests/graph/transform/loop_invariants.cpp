// SPDX-License-Identifier: BSL-1.0
// What is the same in all iterations of a scan is computed once: the values and derivatives of the loop are
// those of its iterations written out, and memory does not grow by it.
#include <cmath>
#include <tapeless/tapeless.hpp>
#include <vector>

#include "catch.hpp"
#include "program.hpp"

namespace tl = tapeless;
using namespace tl::literals;
using vector = std::vector<double>;

namespace {

constexpr int size = 3, iterations = 4;
constexpr auto any = tl::dyn<"any">;

// An iteration, of the state, a matrix that stays as it is, and what the iteration is given.
constexpr auto next_of = [](auto h, auto w, auto f) {
  auto skew = 0.5_c * (w - tl::transpose(w));
  auto shift = tl::where(tl::iota<double, size>() < 2_c, tl::exp(tl::sum<1>(w)), 0_c);
  return tl::tanh(tl::matmul(skew, h) + shift + f);
};
template <auto Count>
constexpr auto inputs() {
  return std::tuple(tl::input<"h", double, size>, tl::input<"w", double, size, size>,
                    tl::input<"f", double, Count, size>);
}

// The derivatives of all kinds, of a loss that is made of the last state and all of them.
constexpr auto outputs_of = [](auto h, auto w, auto f, auto last, auto all) {
  auto loss = tl::sum(tl::square(last)) + tl::sum(tl::sin(all));
  auto [dh, dw, df] = std::tuple(tl::grad(loss, h), tl::grad(loss, w), tl::grad(loss, f));
  return tl::outputs(tl::named<"loss">(loss), tl::named<"dh">(dh), tl::named<"dw">(dw), tl::named<"df">(df),
                     tl::named<"along">(tl::jvp(loss, w, tl::sin(w))),
                     tl::named<"second">(tl::grad(tl::sum(tl::square(dw)), w)));
};
constexpr auto written_out = [] {
  auto [h, w, f] = inputs<iterations>();
  auto a = next_of(h, w, tl::at<0>(f));
  auto b = next_of(a, w, tl::at<1>(f));
  auto c = next_of(b, w, tl::at<2>(f));
  auto d = next_of(c, w, tl::at<3>(f));
  return outputs_of(h, w, f, d, tl::stack<0>(a, b, c, d));
};
constexpr auto carried = [] {
  auto [h, w, f] = inputs<any>();
  auto [last, same, all] = tl::scan(
      [](auto h, auto w, auto f) {
        auto y = next_of(h, w, f);
        return tl::pack(y, w, y);
      },
      tl::pack(h, w), f);
  return outputs_of(h, w, f, last + 0_c * tl::sum(same), all);
};

// The same where the matrix is named inside, and where what it gives is computed again.
constexpr auto named_inside = [] {
  auto [h, w, f] = inputs<any>();
  auto [last, all] = tl::scan(
      [](auto h, auto f) {
        auto y = next_of(h, tl::input<"w", double, size, size>, f);
        return tl::pack(y, y);
      },
      h, f);
  return outputs_of(h, w, f, last, all);
};
constexpr auto checkpointed = [] {
  auto [h, w, f] = inputs<any>();
  auto [last, all] = tl::scan(
      [](auto h, auto f) {
        auto y = tl::checkpoint(next_of(h, tl::input<"w", double, size, size>, f));
        return tl::pack(y, y);
      },
      h, f);
  return outputs_of(h, w, f, last, all);
};

template <class Model>
void same_as_written_out(const Model& model) {
  tl::function expected{written_out};
  tl::function f{model};
  test::numbers random;
  const vector h = random.vector(size), w = random.vector(size * size),
               all = random.vector(iterations * size);
  const auto a = expected("h"_t = h, "w"_t = w, "f"_t = all);
  const auto b = f("h"_t = h, "w"_t = w, "f"_t = all);
  const auto compare = [](const auto& x, const auto& y) {
    REQUIRE(x.size() == y.size());
    for (std::size_t i = 0; i < x.size(); ++i) CHECK(x[i] == test::Approx(y[i]).epsilon(1e-12).margin(1e-12));
  };
  compare(a.template get<"loss">(), b.template get<"loss">());
  compare(a.template get<"dh">(), b.template get<"dh">());
  compare(a.template get<"dw">(), b.template get<"dw">());
  compare(a.template get<"df">(), b.template get<"df">());
  compare(a.template get<"along">(), b.template get<"along">());
  compare(a.template get<"second">(), b.template get<"second">());
}

// Of a square of 50 by 50 numbers that each of the iterations multiplies by.
constexpr int large = 50;
template <class Next>
constexpr auto large_loss = [] {
  auto a = tl::param<"a", float, large, large>;
  auto [last, same] =
      tl::scan([](auto h, auto m, auto f) { return tl::pack(tl::tanh(tl::matmul(m, h) + f), m); },
               tl::pack(tl::input<"h", float, large>, Next{}(a)), tl::input<"f", float, any>);
  return tl::sum(tl::square(last));
};

// The same where the body makes the matrix.
constexpr auto large_inside = [] {
  auto last = tl::scan(
      [](auto h, auto f) {
        auto a = tl::param<"a", float, large, large>;
        return tl::tanh(tl::matmul(a - tl::transpose(a), h) + f);
      },
      tl::input<"h", float, large>, tl::input<"f", float, any>);
  return tl::sum(tl::square(last));
};
// Two matrices that are the same in all iterations: kernels compute that of indices where it is read.
constexpr auto two_matrices = [] {
  auto last = tl::scan(
      [](auto h, auto f) {
        auto of_indices = tl::exp(-1_c * tl::iota<float, large, large>());
        auto of_input = tl::tanh(tl::input<"a", float, large, large>);
        return h + f * tl::sum<0>(of_indices * of_input);
      },
      tl::input<"h", float, large>, tl::input<"f", float, any>);
  return tl::sum(tl::square(last));
};
/// The loop of the node that has this operation; 0 outside of loops, -1 where there is no such node.
template <class Model>
constexpr int loop_of(std::string_view operation) {
  int loop = -1;
  for (const tl::node& n : tl::constant_graph_of<tl::lower<Model>>.nodes)
    if (n.op->name == operation) loop = n.region;
  return loop;
}

template <class Model>
using plain_trainer = tl::trainer<std::remove_cvref_t<Model>, decltype(tl::sgd({}))>;

}  // namespace

TEST_CASE("a carry that is handed on as it came is what it was before the loop") {
  same_as_written_out(carried);
}
TEST_CASE("what a body computes from outside alone is computed before the loop") {
  same_as_written_out(named_inside);
  same_as_written_out(checkpointed);
}

TEST_CASE("memory has it once, however many iterations need it") {
  constexpr auto skew = [](auto a) { return a - tl::transpose(a); };
  const auto grows_little = [](auto net) {
    const std::int64_t one = net.plan("any"_t = 1).peak, many = net.plan("any"_t = 1001).peak;
    CHECK(many - one < 1000 * 4 * large * std::int64_t{sizeof(float)});
  };
  grows_little(plain_trainer<decltype(large_loss<decltype(skew)>)>(large_loss<decltype(skew)>, tl::sgd({})));
  grows_little(plain_trainer<decltype(large_inside)>(large_inside, tl::sgd({})));
}

TEST_CASE("what is made of indices alone stays in the loop") {
  using model = std::remove_cvref_t<decltype(two_matrices)>;
  STATIC_REQUIRE(loop_of<model>("exp") == 1);
  STATIC_REQUIRE(loop_of<model>("tanh") == 0);
}

TEST_CASE("all carries may be as they were, and constants too") {
  tl::function f{[] {
    auto x = tl::input<"x", double, 2>;
    auto [a, b, stacked] =
        tl::scan([](auto a, auto b, auto) { return tl::pack(a, b, tl::exp(a) + tl::iota<double, 2>()); },
                 tl::pack(x, 3_c * x), tl::input<"f", double, any>);
    auto [swapped, other] = tl::scan([](auto p, auto q, auto) { return tl::pack(q, p); },
                                     tl::pack(x, 3_c * x), tl::input<"f", double, any>);
    return tl::outputs(tl::named<"a">(a), tl::named<"b">(b), tl::named<"stacked">(stacked),
                       tl::named<"swapped">(swapped), tl::named<"other">(other));
  }};
  const auto r = f("x"_t = vector{0, 1}, "f"_t = vector{1, 2, 3});
  CHECK(test::elements(r.get<"a">()) == vector{0, 1});
  CHECK(test::elements(r.get<"b">()) == vector{0, 3});
  CHECK(test::elements(r.get<"swapped">()) == vector{0, 3});
  CHECK(test::elements(r.get<"other">()) == vector{0, 1});
  const double e = std::exp(1.0) + 1;
  const vector stacked = test::elements(r.get<"stacked">());
  REQUIRE(stacked.size() == 6);
  for (std::size_t i = 0; i < 6; ++i) CHECK(stacked[i] == test::Approx(i % 2 == 0 ? 1 : e).epsilon(1e-14));
}

TEST_CASE("iterations draw numbers of their own, also of a shape that stays the same") {
  tl::function f{[] {
    auto x = tl::input<"x", double, 2>;
    return tl::named<"y">(tl::scan(
        [](auto a, auto f) { return a + f * tl::normal_like<"z">(tl::exp(tl::input<"x", double, 2>)); }, x,
        tl::input<"f", double, any>));
  }};
  const auto y = [&](const vector& mask) {
    return test::elements(f("x"_t = vector{0, 0}, "f"_t = mask).get<"y">());
  };
  const vector first = y({1, 0}), second = y({0, 1});
  CHECK(first[0] != second[0]);
}
