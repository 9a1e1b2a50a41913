// SPDX-License-Identifier: BSL-1.0
// Results that go back in, results that are outdated, and results that are kept.
#include <tapeless/tapeless.hpp>

#include <Eigen/Core>
#include <memory>
#include <sstream>

#include "catch.hpp"
#include "policies.hpp"
#include "program.hpp"

using test::contains;

namespace {

constexpr auto batch = tl::dyn<"batch">;

// h -> what a GRU makes of it, of several operations that read h more than once.
constexpr auto cell = [] {
  auto h = tl::input<"h", double, batch, 4>;
  auto next = tl::gru_cell<"gru", 4>(tl::flip<-1>(h), h);
  return tl::outputs(tl::mean(tl::square(next)), tl::named<"next">(next));
};

constexpr auto doubled = [] { return tl::named<"y">(2_c * tl::input<"x", float, batch, 2>); };

constexpr auto with_a_loss = [] {
  auto y = 2_c * tl::input<"x", float, batch, 2>;
  return tl::outputs(tl::mean(tl::square(tl::param<"w", float> * y)), tl::named<"y">(y));
};

const std::vector<double> start{0.1, 0.2, -0.3, 0.4, 0.5, -0.6, 0.7, 0.8};

template <class View>
std::vector<double> numbers(const View& v) {
  return {v.begin(), v.end()};
}

/// Six times `run` on what it gave before, as a result itself and as a copy of it.
template <class Run, class RunOnCopies>
void check_loop(Run run, RunOnCopies run_on_copies) {
  std::vector<double> expected = start;
  for (int t = 0; t < 6; ++t) expected = numbers(run_on_copies(expected));
  auto h = run(start);
  for (int t = 1; t < 6; ++t) h = run(h);
  CHECK(numbers(h) == expected);
}

template <class Policy>
void check_loops() {
  SECTION("of a function") {
    tl::function f{cell, Policy{}, 3}, g{cell, Policy{}, 3};
    check_loop([&](const auto& h) { return f("h"_t = h).template get<"next">(); },
               [&](const auto& h) { return g("h"_t = h).template get<"next">(); });
  }
  SECTION("of predictions and evaluations") {
    tl::trainer f{cell, tl::sgd({.learning_rate = 0.1}), Policy{}, 3};
    tl::trainer g{cell, tl::sgd({.learning_rate = 0.1}), Policy{}, 3};
    check_loop([&](const auto& h) { return f.predict("h"_t = h).template get<"next">(); },
               [&](const auto& h) { return g.predict("h"_t = h).template get<"next">(); });
    check_loop([&](const auto& h) { return f.evaluate("h"_t = h).template get<"next">(); },
               [&](const auto& h) { return g.evaluate("h"_t = h).template get<"next">(); });
  }
  SECTION("of steps, which change the parameters") {
    tl::trainer f{cell, tl::adam({.learning_rate = 0.1}), Policy{}, 3};
    tl::trainer g{cell, tl::adam({.learning_rate = 0.1}), Policy{}, 3};
    check_loop([&](const auto& h) { return f.step("h"_t = h).template get<"next">(); },
               [&](const auto& h) { return g.step("h"_t = h).template get<"next">(); });
  }
  SECTION("of searches, which run a step's program several times") {
    tl::trainer f{cell, tl::lbfgs({.learning_rate = 0.5}), Policy{}, 3};
    tl::trainer g{cell, tl::lbfgs({.learning_rate = 0.5}), Policy{}, 3};
    int evaluations = 0;
    check_loop(
        [&](const auto& h) {
          auto r = f.step("h"_t = h);
          evaluations += r.search().evaluations;
          return r.template get<"next">();
        },
        [&](const auto& h) { return g.step("h"_t = h).template get<"next">(); });
    CHECK(evaluations > 6);
  }
  SECTION("with more samples, for which the memory moves") {
    tl::function f{cell, Policy{}, 3}, g{cell, Policy{}, 3};
    auto h = f("h"_t = start).template get<"next">();
    std::vector<double> expected = numbers(g("h"_t = start).template get<"next">());
    tl::trainer other{cell, tl::sgd({.learning_rate = 0.1}), Policy{}, 3};
    const std::vector<double> many(400, 0.5);
    other.predict("h"_t = many);
    CHECK(numbers(f("h"_t = h).template get<"next">()) ==
          numbers(g("h"_t = expected).template get<"next">()));
  }
}

// Of eager updates, the last weight's comes before the first one's gradient, for which x is read again.
constexpr auto two_layers = [] {
  auto x = tl::input<"x", double, batch, 2>;
  return tl::mean(tl::square(tl::linear<"last", 2>(tl::tanh(tl::linear<"first", 2>(x))) - 1_c));
};

}  // namespace

TEST_CASE("a result can be bound to the program that made it") {
  test::on_each_policy([]<class Policy>() { check_loops<Policy>(); });
}

TEST_CASE("a result of a few samples can be bound among many others") {
  constexpr auto attended = [] {
    auto q = tl::input<"q", float, tl::dyn<"queries">, 2>;
    auto k = tl::input<"k", float, tl::dyn<"keys">, 2>;
    return tl::named<"y">(tl::matmul(tl::softmax(tl::matmul(q, tl::transpose(k))), k));
  };
  test::on_each_policy([&]<class Policy>() {
    tl::function f{attended, Policy{}}, g{attended, Policy{}};
    const std::vector<float> q{1, 2, 3, 4}, few{1, 0, 0, 1}, many(300, 0.25f);
    const auto y = f("q"_t = q, "k"_t = few).template get<"y">();
    const std::vector<float> copied(y.begin(), y.end());
    const auto expected = g("q"_t = copied, "k"_t = many).template get<"y">();
    CHECK(numbers(f("q"_t = y, "k"_t = many).template get<"y">()) == numbers(expected));
  });
}

TEST_CASE("a parameter can be bound to an input of the step that changes it") {
  test::on_each_policy([]<class Policy>() {
    const auto train = [](auto timing, bool copied) {
      tl::trainer net{two_layers, tl::sgd({.learning_rate = 0.3}), Policy{}, timing, 3};
      for (int t = 0; t < 3; ++t) {
        auto weight = net.template parameter<"last.weight">();
        if (copied) net.step("x"_t = weight.copy());
        if (!copied) net.step("x"_t = weight);
      }
      return numbers(net.template parameter<"first.weight">());
    };
    CHECK(train(tl::deferred_updates, false) == train(tl::deferred_updates, true));
    CHECK(train(tl::eager_updates, false) == train(tl::eager_updates, true));
  });
}

TEST_CASE("an outdated result is not read") {
  const std::string sentence =
      "tapeless: an outdated result is read: what computed it has run again since, or is gone. Read a result "
      "before the next run, or keep it: get<\"y\">().copy()";
  test::on_each_policy([&]<class Policy>() {
    const std::vector<float> two{1, 2}, four{3, 4, 5, 6}, five(5);
    tl::trainer f{with_a_loss, tl::sgd({}), Policy{}};
    const auto result = f.predict("x"_t = two);
    const auto y = result.template get<"y">();
    CHECK(y[1] == 4);
    CHECK_THROWS_AS(f.predict("x"_t = five), tl::error);
    CHECK_THROWS_AS(f.predict("x"_t = tl::bound_elements{}), tl::error);
    CHECK(y.size() == 2);

    const auto now = f.predict("x"_t = four).template get<"y">();
    CHECK_THROWS_AS(y[1], tl::error);
    CHECK_THROWS_WITH(y[1], sentence);
    CHECK_THROWS_WITH(y.data(), sentence);
    CHECK_THROWS_WITH(y.begin(), sentence);
    CHECK_THROWS_WITH(y.copy(), sentence);
    CHECK_THROWS_WITH(y.as_matrix(), sentence);
    CHECK_THROWS_WITH(y.as_const()[0], sentence);
    CHECK_THROWS_WITH(f.predict("x"_t = y), sentence);
    CHECK_THROWS_WITH(result.template get<"y">(), sentence);
    CHECK(now[3] == 12);
    CHECK(y.shape()[1] == 2);
  });
}

TEST_CASE("a call that is refused leaves results as they are") {
  tl::function f{doubled};
  const std::vector<float> two{1, 2}, five(5);
  const auto y = f("x"_t = two, "batch"_t = 1).get<"y">();
  CHECK_THROWS_AS(f("x"_t = five), tl::error);
  CHECK_THROWS_AS(f("x"_t = tl::detail::elements_of(std::vector<double>(2))), tl::error);
  CHECK_THROWS_AS(f("x"_t = two, "batch"_t = -1), tl::error);
  CHECK(y[1] == 4);
}

TEST_CASE("a loss is read in time, too") {
  tl::trainer net{cell, tl::sgd({.learning_rate = 0.1})};
  const auto first = net.step("h"_t = start);
  const auto evaluated = net.evaluate("h"_t = start);
  CHECK(first.loss() > 0);
  CHECK(evaluated.loss() > 0);
  net.step("h"_t = start);
  CHECK_THROWS_WITH(first.loss(), contains("an outdated result is read"));
  CHECK(evaluated.loss() > 0);  // another program's
}

// Out of the compiler's sight, which would otherwise warn of what the test is about.
template <class Function>
[[gnu::noinline]] void destroy(std::unique_ptr<Function>& f) {
  f.reset();
}

TEST_CASE("a trainer's result does not outlive it") {
  const std::vector<float> two{1, 2};
  using net = decltype(tl::trainer{with_a_loss, tl::sgd({})});
  auto f = std::make_unique<net>(with_a_loss, tl::sgd({}));
  const auto result = f->predict("x"_t = two);
  const auto y = result.get<"y">();
  destroy(f);
  CHECK_THROWS_WITH(y[0], contains("or is gone"));
  CHECK_THROWS_WITH(result.get<"y">(), contains("or is gone"));
  net other{with_a_loss, tl::sgd({})};  // in the same place, perhaps
  other.predict("x"_t = two);
  CHECK_THROWS_WITH(y[0], contains("or is gone"));
}

TEST_CASE("copies keep a result") {
  tl::function f{doubled};
  const std::vector<float> x{1, 2, 3, 4, 5, 6};
  auto copy = f("x"_t = x).get<"y">().copy();
  const Eigen::MatrixXf matrix = f("x"_t = x).get<"y">().as_matrix();
  f("x"_t = std::vector<float>(100));
  CHECK(numbers(copy) == std::vector<double>{2, 4, 6, 8, 10, 12});
  CHECK((copy.shape().size() == 2 && copy.shape()[0] == 3 && copy.shape()[1] == 2));
  CHECK((matrix.rows() == 3 && matrix.cols() == 2 && matrix(2, 0) == 10 && matrix(0, 1) == 4));
  copy[0] = 7;
  CHECK(f("x"_t = copy).get<"y">()[0] == 14);
}

TEST_CASE("a shape outlives the view that it was asked of") {
  tl::function f{doubled};
  const std::vector<float> x{1, 2, 3, 4, 5, 6};
  const auto shape = f("x"_t = x).get<"y">().shape(), copied = f("x"_t = x).get<"y">().copy().shape();
  REQUIRE((shape.size() == 2 && copied.size() == 2));
  CHECK((shape[0] == 3 && shape[1] == 2 && copied[0] == 3 && copied[1] == 2));
  const std::vector<std::int64_t> extents(shape.begin(), shape.end());
  CHECK(extents == std::vector<std::int64_t>{3, 2});
}

TEST_CASE("which tensors are matrices") {
  constexpr auto ranks = [] {
    auto x = tl::input<"x", double, 2, 3, 2>;
    return tl::outputs(tl::sum(x), tl::named<"vector">(tl::sum<0, 2>(x)), tl::named<"tensor">(2_c * x));
  };
  tl::function f{ranks};
  const auto r = f("x"_t = std::vector<double>(12, 1.0));
  const Eigen::MatrixXd vector = r.get<"vector">().as_matrix();
  CHECK((vector.rows() == 3 && vector.cols() == 1 && vector(2, 0) == 4));
  CHECK_THROWS_WITH(r.get<"tensor">().as_matrix(),
                    "tapeless: as_matrix: a matrix has up to 2 axes, but this tensor has 3");
}

TEST_CASE("a result with a loss is a number where one is expected") {
  tl::trainer net{with_a_loss, tl::sgd({.learning_rate = 0.1})};
  net.parameter<"w">()[0] = 1;
  const std::vector<float> x{1, 2};
  CHECK(net.evaluate("x"_t = x) < 10.5f);
  CHECK(10 == net.evaluate("x"_t = x));
  float sum = net.evaluate("x"_t = x);
  sum += net.evaluate("x"_t = x);
  CHECK(sum == 20);
  std::ostringstream printed;
  printed << net.step("x"_t = x);
  CHECK(printed.str() == "10");
  const double of_function = tl::function{with_a_loss, tl::weights(net)}("x"_t = x);
  CHECK(of_function == net.evaluate("x"_t = x).loss());
}
