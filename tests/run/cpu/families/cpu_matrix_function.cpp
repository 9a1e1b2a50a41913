// SPDX-License-Identifier: BSL-1.0
// Functions of large matrices in programs: their derivatives against differences, and batches on several
// threads, which have the same bits, as has each place in a batch.
#include <tapeless/ops/linalg.hpp>

#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "catch.hpp"
#include "program.hpp"
#include "thread_shares.hpp"

namespace {

constexpr auto n = tl::dyn<"n">, batch = tl::dyn<"batch">;

/// A number made of x [n, n], and its gradient.
template <class F>
struct number_of {
  constexpr auto operator()() const {
    auto x = tl::input<"x", double, n, n>;
    const auto y = F{}(x);
    return tl::outputs(tl::named<"y">(y), tl::named<"gradient">(tl::grad(y, x)));
  }
};
constexpr auto definite(auto x) { return tl::matmul(x, tl::transpose(x)) + 20_c * tl::eye<double, n>(); }

struct of_cholesky {
  constexpr auto operator()(auto x) const {
    return tl::mean(tl::sin(tl::solve_triangular(tl::cholesky(definite(x)), tl::exp(0.1_c * x))));
  }
};
struct of_solve {
  constexpr auto operator()(auto x) const {
    return tl::mean(tl::square(tl::solve(x + 30_c * tl::eye<double, n>(), tl::exp(0.1_c * x)))) +
           0.01_c * tl::logdet(definite(x));
  }
};

std::vector<double> numbers(std::int64_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> gaussian;
  std::vector<double> x(static_cast<std::size_t>(count));
  for (double& one : x) one = gaussian(random);
  return x;
}

template <class F>
void check_gradient() {
  const std::int64_t size = 60;
  const std::vector<double> x = numbers(size * size, 1), along = numbers(size * size, 2);
  tl::function<number_of<F>, tl::cpu> f{number_of<F>{}};
  const double step = 1e-5;
  const auto at = [&](double t) {
    std::vector<double> moved = x;
    for (std::size_t i = 0; i < x.size(); ++i) moved[i] += t * along[i];
    return double(f("x"_t = moved, "n"_t = size).template get<"y">()[0]);
  };
  const double expected = (at(step) - at(-step)) / (2 * step);
  const auto y = f("x"_t = x, "n"_t = size);
  double slope = 0;
  for (std::size_t i = 0; i < x.size(); ++i) slope += y.template get<"gradient">()[i] * along[i];
  CHECK(std::abs(expected) > 1e-4);
  CHECK(slope == test::Approx(expected).epsilon(1e-6));
}

struct of_batches {
  constexpr auto operator()() const {
    auto x = tl::input<"x", double, batch, n, n>;
    auto s = tl::matmul(x, tl::transpose(x)) + 20_c * tl::eye<double, n>();
    return tl::outputs(tl::named<"cholesky">(tl::cholesky(s)), tl::named<"solve">(tl::solve(x, s)),
                       tl::named<"exp">(tl::matrix_exp(0.01_c * x)));
  }
};

}  // namespace

TEST_CASE("gradients through large factors are the differences") {
  check_gradient<of_cholesky>();
  check_gradient<of_solve>();
}

TEST_CASE("threads do not change a batch of matrices") {
  const test::smallest_shares shares;
  for (const std::int64_t size : {5, 60})
    for (const std::int64_t matrices : {1, 7}) {
      const std::vector<double> x = numbers(matrices * size * size, 3);
      tl::function one{of_batches{}, tl::cpu{.threads = 1}};
      tl::function many{of_batches{}, tl::cpu{.threads = 3}};
      const auto expected = one("x"_t = x, "batch"_t = matrices, "n"_t = size);
      const auto y = many("x"_t = x, "batch"_t = matrices, "n"_t = size);
      const auto compare = [](const auto& a, const auto& b) {
        REQUIRE(a.size() == b.size());
        int other = 0;
        for (std::size_t i = 0; i < a.size(); ++i) other += a[i] != b[i];
        CHECK(other == 0);
      };
      compare(y.get<"cholesky">(), expected.get<"cholesky">());
      compare(y.get<"solve">(), expected.get<"solve">());
      compare(y.get<"exp">(), expected.get<"exp">());
    }
}

TEST_CASE("the place in a batch does not change a large matrix's factors") {
  const std::int64_t size = 61;  // so that the second one begins where no vector does
  std::vector<double> x = numbers(size * size, 4);
  const std::vector<double> again = x;
  x.insert(x.end(), again.begin(), again.end());
  tl::function f{of_batches{}, tl::cpu{}};
  const auto y = f("x"_t = x, "batch"_t = std::int64_t{2}, "n"_t = size);
  const auto compare = [](const auto& both) {
    int other = 0;
    const std::size_t half = both.size() / 2;
    for (std::size_t i = 0; i < half; ++i) other += both[i] != both[half + i];
    CHECK(other == 0);
  };
  compare(y.get<"cholesky">());
  compare(y.get<"solve">());
}
