// SPDX-License-Identifier: BSL-1.0
// What is inside of a checkpoint is computed again: the same numbers in less memory.
#include <tapeless/tapeless.hpp>

#include "catch.hpp"
#include "program.hpp"

namespace {

constexpr auto batch = tl::dyn<"batch">;

template <bool Checkpointed, class X>
constexpr auto kept(X x) {
  if constexpr (Checkpointed) {
    return tl::checkpoint(x);
  } else {
    return x;
  }
}

template <bool Checkpointed>
struct network {
  constexpr auto operator()() const {
    auto x = tl::input<"x", float, batch, 32>;
    auto h = tl::repeat<4>(x, []<int I>(auto h) {
      auto wide = tl::dropout<0.25>(tl::gelu(tl::linear<tl::name{"up"} + I, 64>(h)));
      return kept<Checkpointed>(h + tl::linear<tl::name{"down"} + I, 32>(kept<Checkpointed>(tl::tanh(wide))));
    });
    return tl::mean(tl::square(h));
  }
};

enum class residual { added, scaled_and_normalized, with_head };

/// How many nodes a model of so many blocks h = h + checkpoint(block(h)) and its gradient have.
int nodes_of_gradient(residual form, int blocks) {
  tl::graph g;
  const tl::value x = tl::make_input(g, &tl::interned<"x">, tl::element::f64, {1, {3}});
  tl::value h = x;
  for (int i = 0; i < blocks; ++i) {
    const tl::value f = tl::checkpoint(tl::tanh(tl::sin(h)));
    h = form == residual::scaled_and_normalized ? tl::layer_norm(h + 0.5 * f) : h + f;
  }
  if (form == residual::with_head) h = tl::checkpoint(tl::exp(h));
  tl::list<int> wrt, gradients;
  wrt.push(x.id);
  tl::reverse(tl::sum(h), tl::make_constant(g, 1, tl::element::f64), wrt, gradients);
  REQUIRE(gradients[0] >= 0);
  return g.nodes.size();
}

// h = h + checkpoint(block(h)), without the checkpoints where `Checkpointed` is false.
template <bool Checkpointed>
struct residual_network {
  constexpr auto operator()() const {
    auto h = tl::repeat<6>(tl::input<"x", double, 5, 8>, []<int I>(auto h) {
      auto wide = tl::gelu(tl::linear<tl::name{"up"} + I, 32>(tl::layer_norm<tl::name{"norm"} + I>(h)));
      return h + kept<Checkpointed>(tl::linear<tl::name{"down"} + I, 8>(wide));
    });
    return tl::mean(tl::square(kept<Checkpointed>(tl::linear<"head", 8>(tl::tanh(h)))));
  }
};

template <class Net>
std::vector<float> losses(Net& net) {
  std::vector<float> all;
  test::numbers random(11);
  for (int step = 0; step < 5; ++step) {
    const auto x = random.vector<float>(16 * 32);
    all.push_back(net.step("x"_t = x).loss());
  }
  return all;
}

}  // namespace

TEST_CASE("a checkpoint changes no number, with dropout inside and nested in another") {
  tl::trainer plain{network<false>{}, tl::adam({.learning_rate = 1e-2f})};
  tl::trainer checkpointed{network<true>{}, tl::adam({.learning_rate = 1e-2f})};
  const std::vector<float> expected = losses(plain), found = losses(checkpointed);
  for (std::size_t i = 0; i < expected.size(); ++i)
    CHECK(found[i] == test::Approx(expected[i]).epsilon(1e-5));
}

TEST_CASE("a checkpoint takes less memory") {
  using plain = tl::trainer<network<false>, decltype(tl::adam({.learning_rate = 1e-2f}))>;
  using checkpointed = tl::trainer<network<true>, decltype(tl::adam({.learning_rate = 1e-2f}))>;
  constexpr tl::memory_plan with = checkpointed::plan("batch"_t = 512),
                            without = plain::plan("batch"_t = 512);
  STATIC_REQUIRE(with.activations < without.activations * 3 / 4);
  STATIC_REQUIRE(with.peak < without.peak);
}

TEST_CASE("sums of checkpoints are not computed again from all checkpoints before them") {
  for (const residual form : {residual::added, residual::scaled_and_normalized, residual::with_head}) {
    const int few = nodes_of_gradient(form, 8), more = nodes_of_gradient(form, 16),
              most = nodes_of_gradient(form, 24);
    CHECK(most - more == more - few);
  }
}

TEST_CASE("sums of checkpoints change no number and take less memory than what is inside of these") {
  using rule = decltype(tl::sgd({.learning_rate = 0.1}));
  using plain = tl::trainer<residual_network<false>, rule>;
  using checkpointed = tl::trainer<residual_network<true>, rule>;
  STATIC_REQUIRE(checkpointed::plan().activations < plain::plan().activations * 2 / 3);
  plain expected{residual_network<false>{}, tl::sgd({.learning_rate = 0.1})};
  checkpointed found{residual_network<true>{}, tl::sgd({.learning_rate = 0.1})};
  test::numbers random(3);
  for (int step = 0; step < 4; ++step) {
    const auto x = random.vector<double>(5 * 8);
    CHECK(found.step("x"_t = x).loss() == test::Approx(expected.step("x"_t = x).loss()).epsilon(1e-12));
  }
}

TEST_CASE("what is inside of a checkpoint is there twice") {
  tl::graph g;
  const auto x = tl::make_input(g, &tl::interned<"x">, tl::element::f64, {1, {3}});
  const auto y = tl::checkpoint(tl::exp(tl::sin(x)));
  tl::list<int> wrt, gradients;
  wrt.push(x.id);
  tl::reverse(tl::value(y), tl::make_constant(g, 1, tl::element::f64), wrt, gradients);
  REQUIRE(gradients[0] >= 0);
  int sines = 0;
  for (const tl::node& n : g.nodes) sines += n.op->name == "sin" ? 1 : 0;
  CHECK(sines == 2);
}

TEST_CASE("gradients elsewhere go through checkpoints, and through carries that hand a parameter on") {
  const auto rule = tl::sharpness_aware(tl::sgd({.learning_rate = 0.1}), {.radius = 0.5});
  tl::trainer inside{[] {
                       auto w = tl::param<"w", double>(tl::fill(1));
                       return tl::square(tl::checkpoint(w * tl::input<"x", double>)) + tl::square(w);
                     },
                     rule};
  inside.step("x"_t = 1.0);
  CHECK(inside.parameter<"w">()[0] == test::Approx(1 - 0.1 * 4 * 1.5));
  tl::trainer handed_on{
      [] {
        auto w = tl::param<"w", double>(tl::fill(1));
        auto [last, ys] = tl::scan(
            [](auto h, auto x) { return std::tuple{tl::param<"w", double>(tl::fill(1)), h * h * x}; },
            tl::input<"h", double>, tl::input<"xs", double, 3>);
        return tl::sum(ys) + tl::square(w);  // h^2 x0 + w^2 (x1 + x2) + w^2
      },
      rule};
  handed_on.step("h"_t = 1.0, "xs"_t = std::vector<double>{1, 2, 3});
  CHECK(handed_on.parameter<"w">()[0] == test::Approx(1 - 0.1 * 12 * 1.5));
}

namespace {

// The second derivatives of a function of two scaled inputs, in three ways, and those in a loop in a loop.
template <bool Checkpointed>
constexpr auto mixed_derivatives = [] {
  const auto x = 2_c * tl::input<"x", double, 3> - 1_c;
  const auto t = 0.5_c * tl::input<"t", double, 3> + 0.25_c;
  const auto u = kept<Checkpointed>(tl::sin(x * t)) + x * t;
  const auto u_x = tl::grad(tl::sum(u), x);
  const auto [a, b] = tl::scan(
      [](auto a, auto b, auto y) {
        return tl::scan(
            [](auto a, auto b, auto z) {
              const auto e = kept<Checkpointed>(tl::sin(a * b)) * z + 0.5_c * a * b * b;
              const auto by_a = tl::grad(e, a);
              return std::tuple{a + 0.1_c * by_a, b - 0.1_c * tl::grad(by_a, b)};
            },
            std::tuple{a, b}, y);
      },
      std::tuple{tl::input<"a", double>, tl::input<"b", double>}, tl::input<"y", double, 3, 2>);
  return tl::outputs(tl::named<"grad">(tl::grad(tl::sum(u_x), t)), tl::named<"jvp">(tl::jvp(u_x, t, 1_c)),
                     tl::named<"jacobian">(tl::jacobian(u_x, t)), tl::named<"a">(a), tl::named<"b">(b));
};

}  // namespace

TEST_CASE("derivatives by what a checkpoint has computed again are the same as without it") {
  const auto run = [](auto& f) {
    return f("x"_t = std::vector{0.1, 0.4, 0.9}, "t"_t = std::vector{0.3, -0.2, 0.7}, "a"_t = 0.7,
             "b"_t = 1.3, "y"_t = std::vector{0.5, -1.0, 0.7, 2.0, 1.0, 1.5});
  };
  tl::function plain{mixed_derivatives<false>};
  tl::function checkpointed{mixed_derivatives<true>};
  const auto expected = run(plain);
  const auto got = run(checkpointed);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(got.get<"grad">()[i] == test::Approx(expected.get<"grad">()[i]));
    CHECK(got.get<"jvp">()[i] == test::Approx(expected.get<"grad">()[i]));
    for (std::size_t j = 0; j < 3; ++j)
      CHECK(got.get<"jacobian">()[3 * i + j] == test::Approx(expected.get<"jacobian">()[3 * i + j]));
  }
  CHECK(got.get<"a">()[0] == test::Approx(expected.get<"a">()[0]));
  CHECK(got.get<"b">()[0] == test::Approx(expected.get<"b">()[0]));
}

namespace {

// Derivatives that meet copies in a loop of their own, copies of copies, and those in front of a loop.
template <bool Checkpointed>
constexpr auto derivatives_of_copies = [] {
  const auto x = tl::input<"x", double, 3>;
  const auto t = 0.5_c * tl::input<"t", double, 3> + 0.25_c;
  const auto rows = tl::jacobian(kept<Checkpointed>(tl::sin(x * t)) + x * t * t, x);
  const auto one = tl::input<"one", double>;
  const auto h = one * one + one;
  const auto by_one = tl::grad(kept<Checkpointed>(h * h * h), one);
  const auto same = one * tl::exp(one);
  const auto sum = tl::scan(
      [](auto sum, auto z) {
        const auto one = tl::input<"one", double>;
        const auto same = one * tl::exp(one);
        return sum + z * tl::grad(kept<Checkpointed>(tl::sin(same) * same), one);
      },
      0.5_c * one, x);
  return tl::outputs(tl::named<"rows">(tl::grad(tl::sum(tl::square(rows)), t)),
                     tl::named<"twice">(tl::grad(tl::grad(kept<Checkpointed>(by_one * h), one), h)),
                     tl::named<"in front">(tl::grad(sum, same)));
};

}  // namespace

TEST_CASE(
    "copies inside of checkpoints are one variable, in loops of derivatives, twice, and in front of loops") {
  const auto run = [](auto& f) {
    return f("x"_t = std::vector{0.1, 0.4, 0.9}, "t"_t = std::vector{0.3, -0.2, 0.7}, "one"_t = 0.5);
  };
  tl::function plain{derivatives_of_copies<false>};
  tl::function checkpointed{derivatives_of_copies<true>};
  const auto expected = run(plain);
  const auto got = run(checkpointed);
  for (std::size_t i = 0; i < 3; ++i) CHECK(got.get<"rows">()[i] == test::Approx(expected.get<"rows">()[i]));
  CHECK(got.get<"twice">()[0] == test::Approx(64.125));
  CHECK(expected.get<"twice">()[0] == test::Approx(64.125));
  CHECK(got.get<"in front">()[0] == test::Approx(expected.get<"in front">()[0]));
}
