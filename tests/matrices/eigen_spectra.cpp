// SPDX-License-Identifier: BSL-1.0
// Eigenvalues and singular values of large matrices: residuals, orders and signs, and the plain loops'
// values; equal and zero ones; matrices that are not finite, very large or very small.
#include <tapeless/ops/linalg.hpp>
//
#include <tapeless/matrices/eigen_spectra.hpp>

#include "catch.hpp"
#include "matrix_samples.hpp"

namespace mk = tapeless::matrix_kernels;
using samples::owned;

namespace {

template <class T>
constexpr double epsilon = static_cast<double>(std::numeric_limits<T>::epsilon());

/// Whether the largest element of each column is positive.
template <class T>
bool has_fixed_signs(const owned<T>& v) {
  for (std::int64_t j = 0; j < v.columns; ++j) {
    T largest = 0;
    for (std::int64_t i = 0; i < v.rows; ++i)
      if (mk::magnitude(v(i, j)) > mk::magnitude(largest)) largest = v(i, j);
    if (!(largest > T(0))) return false;
  }
  return true;
}
template <class T>
owned<T> scaled_columns(owned<T> a, const owned<T>& by) {
  for (std::int64_t i = 0; i < a.rows; ++i)
    for (std::int64_t j = 0; j < a.columns; ++j) a(i, j) *= by(0, j);
  return a;
}
template <class T>
owned<T> times(owned<T> a, T factor) {
  for (T& x : a.numbers) x *= factor;
  return a;
}

/// Of a symmetric matrix whose largest element is about 1.
template <class T>
void check_eigh(const owned<T>& lower, T scale = T(1)) {
  const std::int64_t n = lower.columns;
  owned<T> y(2 * n + 1, n, T(3)), expected(2 * n + 1, n);
  REQUIRE(mk::eigh_by_eigen(times(lower, scale).view(), y.target(), n));
  mk::eigh(lower.view(), expected.target(), n);
  const owned<T> v = y.part(0, n), w = times(y.part(n, 1), T(1) / scale);
  owned<T> a = lower;
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = i + 1; j < n; ++j) a(i, j) = a(j, i);
  const double bound = 20 * static_cast<double>(n) * epsilon<T>;
  CHECK(samples::distance(samples::product(a, v), scaled_columns(v, w)) < bound);
  CHECK(samples::distance_from_orthonormal(v) < bound);
  CHECK(samples::distance(w, expected.part(n, 1)) < bound);
  CHECK(std::is_sorted(w.numbers.begin(), w.numbers.end()));
  CHECK(has_fixed_signs(v));
  CHECK(samples::distance(y.part(n + 1, n), owned<T>(n, n)) == 0);
}

/// Of a matrix whose largest singular value is about 1.
template <class T>
void check_svd(const owned<T>& a, T scale = T(1), bool by_columns = false) {
  const std::int64_t m = a.rows, n = a.columns;
  owned<T> y(m + n + 1, n), expected(m + n + 1, n);
  const owned<T> source = times(a, scale), turned = source.transposed();
  REQUIRE(mk::svd_by_eigen(by_columns ? turned.view().transposed() : source.view(), y.target(), m, n));
  mk::svd(a.view(), expected.target(), m, n);
  const owned<T> u = y.part(0, m), s = times(y.part(m, 1), T(1) / scale), v = y.part(m + 1, n);
  const double bound = 10 * static_cast<double>(n) * epsilon<T>;
  CHECK(samples::distance(samples::product(scaled_columns(u, s), v.transposed()), a) < bound);
  CHECK(samples::distance_from_orthonormal(u) < bound);
  CHECK(samples::distance_from_orthonormal(v) < bound);
  CHECK(samples::distance_from_orthonormal(expected.part(0, m)) < bound);
  CHECK(samples::distance(s, expected.part(m, 1)) < bound);
  CHECK(std::is_sorted(s.numbers.rbegin(), s.numbers.rend()));
  CHECK(s(0, n - 1) >= T(0));
  CHECK(has_fixed_signs(v));
}

}  // namespace

TEMPLATE_TEST_CASE("eigenvalues of large matrices", "", float, double) {
  using T = TestType;
  for (const std::int64_t n : {16, 61}) {
    check_eigh(samples::definite<T>(n, 0.1, 1));
    check_eigh(samples::definite<T>(n, 1e-12, 2));
    owned<T> a = samples::definite<T>(n, 0.1, 3);
    for (std::int64_t i = 0; i < n; ++i) a(i, i) -= T(0.3);  // of both signs
    check_eigh(a);
    check_eigh(samples::identity<T>(n));
    check_eigh(owned<T>(n, n));
    check_eigh(owned<T>(n, n, T(1)));  // of rank 1
    check_eigh(a, std::numeric_limits<T>::max() / T(16));
    check_eigh(a, std::numeric_limits<T>::min() * T(1024) / std::numeric_limits<T>::epsilon());
  }
}

TEMPLATE_TEST_CASE("singular values of large matrices", "", float, double) {
  using T = TestType;
  for (const std::int64_t n : {16, 61})
    for (const std::int64_t m : {n, n + 1, 3 * n}) {
      check_svd(samples::of_spectrum<T>(m, n, 0.1, n, 1));
      check_svd(samples::of_spectrum<T>(m, n, 1e-12, n, 2), T(1), true);
      check_svd(samples::of_spectrum<T>(m, n, 1, n, 3));           // all are equal
      check_svd(samples::of_spectrum<T>(m, n, 0.01, n / 2, 4));    // singular
      owned<T> zeros = samples::of_spectrum<T>(m, n, 0.01, n, 5);  // with columns of zeros, and equal ones
      for (std::int64_t i = 0; i < m; ++i) {
        for (const std::int64_t j : {0, 5, 6, 15}) zeros(i, j) = T(0);
        zeros(i, 7) = zeros(i, 8);
      }
      check_svd(zeros);
      check_svd(zeros, std::numeric_limits<T>::max() / T(4));
      check_svd(zeros, std::numeric_limits<T>::min() * T(1024) / std::numeric_limits<T>::epsilon());
    }
}

TEMPLATE_TEST_CASE("singular vectors are orthonormal where fewer rows than columns are not zero", "", float,
                   double) {
  using T = TestType;
  for (const std::int64_t n : {3, 20})
    for (const std::int64_t m : {n, n + 2})
      for (const std::int64_t rows : {1, 2, 3, 10, 19}) {
        if (rows >= n) continue;
        owned<T> a = samples::of_spectrum<T>(m, n, 0.1, n, 6);
        for (std::int64_t i = rows; i < m; ++i)
          for (std::int64_t j = 0; j < n; ++j) a(i, j) = T(0);
        check_svd(a);
      }
  for (const std::int64_t n : {5, 50})
    for (const std::int64_t m : {n, n + 2})
      check_svd(owned<T>(m, n, T(1) / static_cast<T>(n)));  // all are equal
}

TEMPLATE_TEST_CASE("large singular values keep their digits where others are small", "", float, double) {
  using T = TestType;
  const std::int64_t n = 64;
  owned<T> y(2 * n + 1, n);
  const double least = 100 * epsilon<T>;  // its square is lost in a^T a
  const owned<T> a = samples::of_spectrum<T>(n, n, least, n, 8);
  REQUIRE(mk::svd_by_eigen(a.view(), y.target(), n, n));
  for (std::int64_t j = 0; j < n; ++j)
    CHECK(std::abs(static_cast<double>(y(n, j)) - std::pow(least, static_cast<double>(j) / 63)) <
          10 * epsilon<T>);
}

TEST_CASE("spectra of large matrices that are not finite are left to the plain loops") {
  const std::int64_t n = 60;
  for (const double wrong : {samples::nan_of<double>, std::numeric_limits<double>::infinity()}) {
    owned<double> a = samples::definite<double>(n, 0.1, 1, 0), y(2 * n + 1, n);
    a(50, 7) = wrong;
    CHECK_FALSE(mk::eigh_by_eigen<double>(a.view(), y.target(), n));
    CHECK_FALSE(mk::svd_by_eigen<double>(a.view(), y.target(), n, n));
  }
}
