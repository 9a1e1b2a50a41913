// SPDX-License-Identifier: BSL-1.0
// Factors of large matrices against the plain loops: well and badly conditioned ones, singular ones, such
// that are not finite; matrices whose columns are contiguous, or neither rows nor columns.
#include <tapeless/ops/linalg.hpp>
//
#include <tapeless/matrices/eigen_factors.hpp>

#include "catch.hpp"
#include "matrix_samples.hpp"

namespace mk = tapeless::matrix_kernels;
using samples::owned;

namespace {

template <class T>
constexpr double epsilon = static_cast<double>(std::numeric_limits<T>::epsilon());

/// The same matrix with other steps: 0, rows are contiguous; 1, columns are; 2, neither.
template <class T>
struct laid_out {
  owned<T> memory;
  mk::matrix<const T> view;

  laid_out(const owned<T>& a, int layout) : memory(layout == 2 ? 2 * a.rows : a.columns, 2 * a.rows) {
    const std::int64_t row_step = layout == 0   ? a.columns
                                  : layout == 1 ? 1
                                                : 2 * a.columns,
                       column_step = layout == 1   ? a.rows
                                     : layout == 2 ? 2
                                                   : 1;
    memory.numbers.resize(static_cast<std::size_t>(4 * a.rows * a.columns));
    const mk::matrix<T> to{memory.numbers.data(), row_step, column_step};
    mk::copy(a.view(), to, a.rows, a.columns);
    view = {to.data, row_step, column_step};
  }
};

template <class T>
bool is_zero_above(const owned<T>& a) {
  for (std::int64_t i = 0; i < a.rows; ++i)
    for (std::int64_t j = i + 1; j < a.columns; ++j)
      if (a(i, j) != T(0)) return false;
  return true;
}

}  // namespace

TEMPLATE_TEST_CASE("large Cholesky factors", "", float, double) {
  using T = TestType;
  for (const std::int64_t n : {48, 60, 150})
    for (const double least : {0.1, 30 * static_cast<double>(n) * epsilon<T>}) {
      const owned<T> a = samples::definite<T>(n, least, 7);
      owned<T> expected(n, n), l(n, n, T(3));
      mk::cholesky(a.view(), expected.target(), n);
      mk::cholesky_by_eigen(a.view(), l.target(), n);
      CHECK(samples::distance(l, expected) < 30 * epsilon<T> / least);
      CHECK(is_zero_above(l));
      owned<T> full = samples::product(l, l.transposed());
      for (std::int64_t i = 0; i < n; ++i)
        for (std::int64_t j = i + 1; j < n; ++j) full(i, j) = T(0);
      const owned<T> lower = samples::definite<T>(n, least, 7, T(0));
      CHECK(samples::distance(full, lower) < 10 * epsilon<T>);
    }
}

TEMPLATE_TEST_CASE("large matrices without a Cholesky factor are NaN", "", float, double) {
  using T = TestType;
  const std::int64_t n = 100;
  const T infinity = std::numeric_limits<T>::infinity();
  for (const T wrong : {T(-1), T(0), samples::nan_of<T>, infinity, -infinity})
    for (const std::int64_t at : {0, 40, 99}) {
      owned<T> a = samples::definite<T>(n, 0.1, 3), l(n, n);
      a(at, at) = wrong;
      mk::cholesky_by_eigen(a.view(), l.target(), n);
      CHECK(samples::is_all_nan(l));
      if (at == 0 || mk::is_finite(wrong)) continue;
      a(at, at) = T(1);
      a(at, at / 2) = wrong;
      mk::cholesky_by_eigen(a.view(), l.target(), n);
      CHECK(samples::is_all_nan(l));
    }
}

TEMPLATE_TEST_CASE("large LU factors", "", float, double) {
  using T = TestType;
  for (const std::int64_t n : {48, 60, 150})
    for (const int layout : {0, 1, 2})
      for (const std::int64_t rank : {n, n - 20}) {
        owned<T> a = samples::normal<T>(n, n, 11);
        for (std::int64_t i = 0; i < n; ++i)
          for (std::int64_t j = rank; j < n; ++j) a(i, j) = T(0);
        owned<T> expected(n + 1, n), y(n + 1, n);
        const laid_out<T> source(a, layout);
        mk::lu(source.view, expected.target(), n);
        REQUIRE(mk::lu_by_eigen(source.view, y.target(), n));
        CHECK(samples::distance(y, expected) < 300 * static_cast<double>(n) * epsilon<T>);
        CHECK(y.part(n, 1).numbers == expected.part(n, 1).numbers);
      }
}

TEST_CASE("of equal pivots a large LU takes the first one") {
  const std::int64_t n = 64;
  owned<double> a(n, n), expected(n + 1, n), y(n + 1, n);
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < n; ++j)
      a(i, j) = i * 37 % n == j ? 1 : i * 37 % n > j ? -0.5 : 0;  // exact in every order
  for (double& x : a.numbers) x = x < 0 ? -1 : x;
  mk::lu<double>(a.view(), expected.target(), n);
  mk::lu_by_eigen<double>(a.view(), y.target(), n);
  CHECK(y.numbers == expected.numbers);
}

TEMPLATE_TEST_CASE("large QR factors", "", float, double) {
  using T = TestType;
  for (const std::int64_t n : {16, 61})
    for (const std::int64_t m : {n, n + 1, 5 * n})
      for (const int layout : {0, 1, 2})
        for (const std::int64_t rank : {n, n / 2}) {
          if (m * n < 48 * 48) continue;
          const owned<T> a = samples::of_spectrum<T>(m, n, 0.1, rank, 21);
          owned<T> expected(m + n, n), y(m + n, n, T(3));
          const laid_out<T> source(a, layout);
          mk::qr(source.view, expected.target(), m, n);
          REQUIRE(mk::qr_by_eigen(source.view, y.target(), m, n));
          const owned<T> q = y.part(0, m), r = y.part(m, n);
          CHECK(samples::distance(samples::product(q, r), a) < 10 * epsilon<T>);
          CHECK(samples::distance_from_orthonormal(q) < 30 * epsilon<T>);
          CHECK(is_zero_above(r.transposed()));
          if (rank == n) CHECK(samples::distance(y, expected) < 2000 * epsilon<T>);  // signs as well
        }
}

TEMPLATE_TEST_CASE("columns that are triangular already keep their signs in a large QR", "", float, double) {
  using T = TestType;
  const std::int64_t n = 60;
  owned<T> a = samples::identity<T>(n), y(2 * n, n);
  for (std::int64_t i = 0; i < n; ++i) a(i, i) = i % 2 == 0 ? T(2) : T(-2);
  a(5, 5) = T(0);
  owned<T> expected(2 * n, n);
  mk::qr(a.view(), expected.target(), n, n);
  REQUIRE(mk::qr_by_eigen(a.view(), y.target(), n, n));
  CHECK(samples::distance(y, expected) == 0);
}

TEST_CASE("a QR is left to the plain loops where squares are not numbers") {
  const std::int64_t n = 60;
  owned<float> y(2 * n, n);
  for (const float x : {1e-30f, 1e30f, 0.0f, samples::nan_of<float>, std::numeric_limits<float>::infinity()})
    CHECK_FALSE(mk::qr_by_eigen<float>(owned<float>(n, n, x).view(), y.target(), n, n));
}

TEMPLATE_TEST_CASE("large triangular systems", "", float, double) {
  using T = TestType;
  for (const std::int64_t n : {48, 101})
    for (const std::int64_t columns : {1, 3, 130})
      for (const int layout : {0, 1, 2})
        for (const bool upper : {false, true})
          for (const bool unit : {false, true}) {
            owned<T> a = samples::normal<T>(n, n, 5);  // the other triangle is not to be read
            for (std::int64_t i = 0; i < n; ++i)
              for (std::int64_t j = 0; j < n; ++j) {
                a(i, j) = i == j ? (unit ? samples::nan_of<T> : T(2) + a(i, j) * a(i, j))
                                 : a(i, j) / static_cast<T>(n);
                if (upper ? j < i : j > i) a(i, j) = samples::nan_of<T>;
              }
            const laid_out<T> source(a, layout), b(samples::normal<T>(n, columns, 6), 2 - layout);
            owned<T> expected(n, columns), x(n, columns);
            mk::solve_triangular(source.view, b.view, expected.target(), n, columns, upper, unit);
            mk::solve_triangular_by_eigen(source.view, b.view, x.target(), n, columns, {upper, unit});
            CHECK(samples::distance(x, expected) < 50 * epsilon<T>);
          }
}

TEST_CASE("a zero on a large triangle's diagonal makes what depends on it infinite or NaN") {
  const std::int64_t n = 64;
  owned<double> a = samples::identity<double>(n), b(n, 2, 1.0), x(n, 2);
  a(20, 20) = 0;
  a(63, 20) = 1;
  mk::solve_triangular_by_eigen<double>(a.view(), b.view(), x.target(), n, 2, {});
  CHECK_FALSE(mk::is_finite(x(20, 1)));
  CHECK_FALSE(mk::is_finite(x(63, 0)));
}
