// SPDX-License-Identifier: BSL-1.0
// Factors of a matrix and solutions of triangular systems, in plain loops that every machine can run: one
// thread goes through one matrix. Their inner loops go along rows, which are contiguous in results.
#pragma once

#include <cstdint>
#include <limits>

#include <tapeless/graph/core/cmath.hpp>
#include <tapeless/matrices/matrix.hpp>

namespace tapeless::matrix_kernels {

template <class T>
constexpr T magnitude(T x) {
  return x < T(0) ? -x : x;
}
template <class T>
constexpr T root(T x) {
  using std::sqrt;
  return sqrt(x);
}
template <class T>
constexpr void exchange(T& a, T& b) {
  const T old = a;
  a = b;
  b = old;
}
/// NaN where either is.
template <class T>
constexpr T larger(T a, T b) {
  return b > a || b != b ? b : a;
}
/// Also false for NaN.
template <class T>
constexpr bool is_finite(T x) {
  return magnitude(x) <= std::numeric_limits<T>::max();
}

template <class T>
constexpr void copy(matrix<const T> from, matrix<T> to, std::int64_t rows, std::int64_t columns) {
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t j = 0; j < columns; ++j) to(i, j) = from(i, j);
}
template <class T>
constexpr void fill(matrix<T> a, std::int64_t rows, std::int64_t columns, T number) {
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t j = 0; j < columns; ++j) a(i, j) = number;
}
template <class T>
constexpr void set_identity(matrix<T> a, std::int64_t n) {
  fill(a, n, n, T(0));
  for (std::int64_t i = 0; i < n; ++i) a(i, i) = T(1);
}
/// Row `to` plus factor times row `from`, from a column on.
template <class T>
constexpr void add_row(matrix<T> a, std::int64_t to, std::int64_t from, T factor, std::int64_t begin,
                       std::int64_t end) {
  for (std::int64_t j = begin; j < end; ++j) a(to, j) += factor * a(from, j);
}

/// a = l l^T, from the lower triangle of a. All of l is NaN where a is not positive definite.
template <class T>
constexpr void cholesky(matrix<const T> a, matrix<T> l, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j <= i; ++j) {
      T sum = a(i, j);
      for (std::int64_t k = 0; k < j; ++k) sum -= l(i, k) * l(j, k);
      if (j < i) {
        l(i, j) = sum / l(j, j);
      } else if (sum > T(0) && is_finite(sum)) {
        l(i, i) = root(sum);
      } else {
        return fill(l, n, n, std::numeric_limits<T>::quiet_NaN());
      }
    }
    for (std::int64_t j = i + 1; j < n; ++j) l(i, j) = T(0);
  }
}

/// The rows of a in another order are l u; row n of the result says where each was. In each column the
/// largest element below is brought to the diagonal, the first one of equals, or a NaN.
template <class T>
constexpr void lu(matrix<const T> a, matrix<T> y, std::int64_t n) {
  copy(a, y, n, n);
  for (std::int64_t j = 0; j < n; ++j) y(n, j) = static_cast<T>(j);
  for (std::int64_t k = 0; k < n; ++k) {
    std::int64_t pivot = k;
    for (std::int64_t i = k + 1; i < n; ++i)
      if (magnitude(y(i, k)) > magnitude(y(pivot, k)) || y(i, k) != y(i, k)) pivot = i;
    if (pivot != k) {
      for (std::int64_t j = 0; j < n; ++j) exchange(y(k, j), y(pivot, j));
      exchange(y(n, k), y(n, pivot));
    }
    if (y(k, k) == T(0)) continue;  // so is all below
    for (std::int64_t i = k + 1; i < n; ++i) {
      y(i, k) /= y(k, k);
      add_row(y, i, k, -y(i, k), k + 1, n);
    }
  }
}

/// a x = b for a triangle of a. A zero on its diagonal makes x infinite or NaN.
template <class T>
constexpr void solve_triangular(matrix<const T> a, matrix<const T> b, matrix<T> x, std::int64_t n,
                                std::int64_t columns, bool upper, bool unit) {
  copy(b, x, n, columns);
  for (std::int64_t step = 0; step < n; ++step) {
    const std::int64_t i = upper ? n - 1 - step : step;
    for (std::int64_t k = upper ? i + 1 : 0; k < (upper ? n : i); ++k) add_row(x, i, k, -a(i, k), 0, columns);
    if (unit) continue;
    for (std::int64_t j = 0; j < columns; ++j) x(i, j) /= a(i, i);
  }
}

/// a [m, n] = q r for m >= n: q [m, n] with orthonormal columns, and below it r [n, n]. Each reflection is
/// 1 - w w^T; w stands in q's column until q is made of them. The diagonal of r has the sign that adds up
/// without cancellation, as in LAPACK.
template <class T>
constexpr void qr(matrix<const T> a, matrix<T> q, std::int64_t m, std::int64_t n) {
  const matrix<T> r = q.from_row(m);
  copy(a, q, m, n);
  fill(r, n, n, T(0));
  // Reflects the columns behind k, from row k on. Column by column: q's rows are short.
  const auto reflect = [&](std::int64_t k) {
    for (std::int64_t j = k + 1; j < n; ++j) {
      T sum = 0;
      for (std::int64_t i = k; i < m; ++i) sum += q(i, k) * q(i, j);
      for (std::int64_t i = k; i < m; ++i) q(i, j) -= sum * q(i, k);
    }
  };
  for (std::int64_t k = 0; k < n; ++k) {
    T largest = 0;
    for (std::int64_t i = k + 1; i < m; ++i) largest = larger(largest, magnitude(q(i, k)));
    const T first = q(k, k);
    if (largest == T(0)) {
      r(k, k) = first;
      for (std::int64_t i = k; i < m; ++i) q(i, k) = T(0);
    } else {
      largest = larger(largest, magnitude(first));
      T squares = 0;
      for (std::int64_t i = k; i < m; ++i) {
        q(i, k) /= largest;
        squares += q(i, k) * q(i, k);
      }
      const T length = root(squares), sign = first < T(0) ? T(-1) : T(1);
      r(k, k) = -sign * length * largest;
      q(k, k) += sign * length;
      const T scale = T(1) / root(length * magnitude(q(k, k)));
      for (std::int64_t i = k; i < m; ++i) q(i, k) *= scale;
    }
    reflect(k);
    for (std::int64_t j = k + 1; j < n; ++j) r(k, j) = q(k, j);
  }
  for (std::int64_t k = n - 1; k >= 0; --k) {
    for (std::int64_t j = k + 1; j < n; ++j) q(k, j) = T(0);
    reflect(k);
    const T first = q(k, k);
    for (std::int64_t i = k; i < m; ++i) q(i, k) *= -first;
    q(k, k) += T(1);
  }
}

}  // namespace tapeless::matrix_kernels
