// SPDX-License-Identifier: BSL-1.0
// How parameters start: orthogonal, or computed from other parameters.
#include <tapeless/train/program/initial_values.hpp>

#include <cmath>
#include <string>

#include <tapeless/ops/ops.hpp>
#include <tapeless/optim/optim.hpp>
#include <tapeless/train/trainer/trainer.hpp>

#include "catch.hpp"
#include "policies.hpp"
#include "program.hpp"

namespace {

constexpr auto all_shapes = [] {
  auto high = tl::param<"high", double, 7, 3>(tl::orthogonal(2));
  auto wide = tl::param<"wide", double, 3, 7>(tl::orthogonal());
  auto square = tl::param<"square", double, 5, 5>(tl::orthogonal());
  auto kernels = tl::param<"kernels", double, 4, 2, 3, 3>(tl::orthogonal(0.5));  // [4, 18]
  auto few = tl::param<"few", double, 6, 2, 1, 2>(tl::orthogonal());             // [6, 4]
  return tl::sum(high) + tl::sum(wide) + tl::sum(square) + tl::sum(kernels) + tl::sum(few);
};

constexpr auto with_norms = [] {
  auto g = tl::param<"g", double, 4, 1, 1>(tl::norm_of<"v">());
  auto v = tl::param<"v", double, 4, 3, 2>(tl::normal(1));
  auto along_first = tl::param<"along_first", double, 3, 2>(tl::norm_of<"v">());
  return tl::sum(g * v * along_first * tl::param<"whole", double>(tl::norm_of<"v">()));
};

struct matrix {
  std::vector<double> elements;
  std::size_t rows, columns;

  double operator()(std::size_t i, std::size_t j) const { return elements[i * columns + j]; }
};

/// How far the columns, or the rows of a matrix that is wider than high, are from orthogonal and `gain` long.
double error_of(const matrix& m, double gain) {
  const bool high = m.rows >= m.columns;
  const std::size_t count = high ? m.columns : m.rows, size = high ? m.rows : m.columns;
  double largest = 0;
  for (std::size_t a = 0; a < count; ++a)
    for (std::size_t b = 0; b < count; ++b) {
      double sum = a == b ? -gain * gain : 0;
      for (std::size_t i = 0; i < size; ++i) sum += high ? m(i, a) * m(i, b) : m(a, i) * m(b, i);
      largest = std::max(largest, std::abs(sum));
    }
  return largest;
}

template <tl::name Name, class Net>
matrix matrix_of(Net& net) {
  const auto view = net.template parameter<Name>();
  const auto rows = static_cast<std::size_t>(view.shape()[0]);
  return {test::elements(view), rows, view.size() / rows};
}

}  // namespace

TEST_CASE("orthogonal matrices, of the first axis by all others") {
  test::on_each_policy([]<class Policy> {
    tl::trainer net{all_shapes, tl::sgd({.learning_rate = 0.1f}), Policy{}, 3};
    CHECK(error_of(matrix_of<"high">(net), 2) < 1e-14);
    CHECK(error_of(matrix_of<"wide">(net), 1) < 1e-14);
    CHECK(error_of(matrix_of<"square">(net), 1) < 1e-14);
    CHECK(error_of(matrix_of<"kernels">(net), 0.5) < 1e-14);
    CHECK(error_of(matrix_of<"few">(net), 1) < 1e-14);
    CHECK(error_of(matrix_of<"high">(net), 1) > 1);
  });
}

TEST_CASE("an orthogonal matrix is the Q of normal numbers, where R's diagonal is positive") {
  tl::trainer net{all_shapes, tl::sgd({.learning_rate = 0.1f}), tl::cpu{}, 3};
  const auto q_of = [](const matrix& q, std::uint64_t stream) {  // Q^T A = R
    tl::random_stream random(3, stream);
    matrix a{std::vector<double>(q.elements.size()), q.rows, q.columns};
    for (double& x : a.elements) x = random.normal();
    const bool high = q.rows >= q.columns;
    const std::size_t count = high ? q.columns : q.rows, size = high ? q.rows : q.columns;
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t j = 0; j <= i; ++j) {
        double r = 0;
        for (std::size_t k = 0; k < size; ++k) r += high ? q(k, i) * a(k, j) : q(i, k) * a(j, k);
        CHECK((i == j ? r > 0 : std::abs(r) < 1e-13));
      }
  };
  const auto stream = [&](const tl::name* label) {
    std::uint64_t i = 0;
    while (net.parameter_descriptions()[i].label != label) ++i;
    return i;
  };
  q_of(matrix_of<"wide">(net), stream(&tl::interned<"wide">));
  q_of(matrix_of<"high">(net), stream(&tl::interned<"high">));
  q_of(matrix_of<"square">(net), stream(&tl::interned<"square">));
  q_of(matrix_of<"kernels">(net), stream(&tl::interned<"kernels">));
}

TEST_CASE("values depend on the seed alone, not on policies and threads") {
  const auto start = [](auto policy, std::uint64_t seed) {
    tl::trainer net{all_shapes, tl::sgd({.learning_rate = 0.1f}), policy, seed};
    return test::elements(net.template parameter<"square">());
  };
  const auto expected = start(tl::cpu{}, 1);
  test::on_each_policy([&]<class Policy> { CHECK(start(Policy{}, 1) == expected); });
  CHECK(start(tl::cpu{.threads = 3}, 1) == expected);
  CHECK(start(tl::cpu{}, 2) != expected);
}

TEST_CASE("norms of parts of another parameter, whichever comes first") {
  tl::trainer net{with_norms, tl::sgd({.learning_rate = 0.1f})};
  const auto v = net.parameter<"v">();
  double whole = 0;
  std::vector<double> rows(4), along_first(6);
  for (std::size_t i = 0; i < 24; ++i) {
    whole += v[i] * v[i];
    rows[i / 6] += v[i] * v[i];
    along_first[i % 6] += v[i] * v[i];
  }
  CHECK(net.parameter<"whole">()[0] == test::Approx(std::sqrt(whole)));
  for (std::size_t i = 0; i < 4; ++i) CHECK(net.parameter<"g">()[i] == test::Approx(std::sqrt(rows[i])));
  for (std::size_t i = 0; i < 6; ++i)
    CHECK(net.parameter<"along_first">()[i] == test::Approx(std::sqrt(along_first[i])));
  CHECK(whole > 1);
}

TEST_CASE("a float copy of a parameter in 16 bits starts as the norm before that is rounded") {
  constexpr auto model = [] {
    return tl::sum(tl::param<"g", float, 3, 1>(tl::norm_of<"v">()) *
                   tl::param<"v", float, 3, 5>(tl::orthogonal(1.1)));
  };
  tl::trainer net{model, tl::mixed_precision<tl::bf16>(tl::sgd({.learning_rate = 0.1f}))};
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(net.master<"g">()[i] == test::Approx(1.1).epsilon(1e-6));
    CHECK(float(net.parameter<"g">()[i]) == float(tl::bf16(1.1)));
  }
  CHECK(float(net.parameter<"v">()[0]) == float(tl::bf16(net.master<"v">()[0])));
}

TEST_CASE("where iterations have parameters of their own, each is orthogonal") {
  constexpr auto model = [] {
    auto x = tl::param<"x", double, 3>(tl::fill(1));
    auto block = [](auto h) {
      auto v = tl::param<"v", double, 3, 3>(tl::orthogonal());
      return tl::linear(h, v * tl::param<"g", double, 3, 1>(tl::norm_of<"v">())) *
             tl::param<"whole", double>(tl::norm_of<"v">());
    };
    return tl::sum(tl::scan<3>(x, block));
  };
  tl::trainer net{model, tl::sgd({.learning_rate = 0.1f})};
  const auto v = test::elements(net.parameter<"v">());
  REQUIRE(v.size() == 27);
  for (std::ptrdiff_t i = 0; i < 3; ++i)
    CHECK(error_of({{v.begin() + 9 * i, v.begin() + 9 * (i + 1)}, 3, 3}, 1) < 1e-14);
  for (const double g : test::elements(net.parameter<"g">())) CHECK(g == test::Approx(1));
  for (const double all : test::elements(net.parameter<"whole">()))
    CHECK(all == test::Approx(std::sqrt(3.0)));
}

TEST_CASE("nothing to start is nothing to do") {
  constexpr auto model = [] { return tl::sum(tl::param<"w", double, 0, 3>(tl::orthogonal())); };
  tl::function f{model};
  CHECK(f().loss() == 0);
}
