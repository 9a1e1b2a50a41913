// SPDX-License-Identifier: BSL-1.0
// Eigenvalues and singular values by Jacobi's rotations, and exponentials, in plain loops that every machine
// can run: one thread goes through one matrix.
#pragma once

#include <tapeless/matrices/matrix_factors.hpp>

namespace tapeless::matrix_kernels {

inline constexpr int most_sweeps = 60;  // far more than are needed

/// The rotation that makes b zero in [[a, b], [b, c]]: its sine and cosine.
template <class T>
struct rotation {
  T sine, cosine;

  constexpr rotation(T a, T b, T c) {
    const T slope = (c - a) / (T(2) * b), squared = slope * slope + T(1);
    const T tangent = is_finite(squared) ? (slope < T(0) ? T(-1) : T(1)) / (magnitude(slope) + root(squared))
                                         : T(1) / (T(2) * slope);
    cosine = T(1) / root(tangent * tangent + T(1));
    sine = tangent * cosine;
  }
  constexpr void turn(T& x, T& y) const {
    const T old = x;
    x = cosine * old - sine * y;
    y = sine * old + cosine * y;
  }
};

/// Column j of v, and of u if it has rows, with the other sign where v's largest element is negative.
template <class T>
constexpr void fix_sign(matrix<T> v, std::int64_t rows, matrix<T> u, std::int64_t u_rows, std::int64_t j) {
  T largest = 0;
  for (std::int64_t i = 0; i < rows; ++i)
    if (magnitude(v(i, j)) > magnitude(largest)) largest = v(i, j);
  if (!(largest < T(0))) return;
  for (std::int64_t i = 0; i < rows; ++i) v(i, j) = -v(i, j);
  for (std::int64_t i = 0; i < u_rows; ++i) u(i, j) = -u(i, j);
}

/// Columns of m elements count as orthogonal where their cosine is less: a sum of m products is no more
/// exact.
template <class T>
constexpr T orthogonal_up_to(std::int64_t m) {
  return std::numeric_limits<T>::epsilon() * root(static_cast<T>(m));
}

template <class T>
constexpr void exchange_columns(matrix<T> a, std::int64_t rows, std::int64_t j, std::int64_t k) {
  for (std::int64_t i = 0; i < rows; ++i) exchange(a(i, j), a(i, k));
}

/// a = v diag(w) v^T, from the lower triangle of a: v [n, n]; below it w, ascending; below it memory for a
/// copy of a, which is zero in the end. All is NaN where a is not finite.
template <class T>
constexpr void eigh(matrix<const T> source, matrix<T> v, std::int64_t n) {
  const matrix<T> w = v.from_row(n), a = v.from_row(n + 1);
  T scale = 0;
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j <= i; ++j) {
      a(i, j) = a(j, i) = source(i, j);
      scale = larger(scale, magnitude(a(i, j)));
    }
  if (!is_finite(scale)) return fill(v, 2 * n + 1, n, std::numeric_limits<T>::quiet_NaN());
  set_identity(v, n);
  const T none = scale * std::numeric_limits<T>::epsilon() * std::numeric_limits<T>::epsilon();
  bool rotated = true;
  for (int sweep = 0; rotated && sweep < most_sweeps; ++sweep) {
    rotated = false;
    for (std::int64_t p = 0; p < n; ++p)
      for (std::int64_t q = p + 1; q < n; ++q) {
        if (!(magnitude(a(p, q)) > none)) continue;
        rotated = true;
        const rotation<T> r(a(p, p), a(p, q), a(q, q));
        for (std::int64_t k = 0; k < n; ++k) r.turn(a(p, k), a(q, k));
        for (std::int64_t k = 0; k < n; ++k) r.turn(a(k, p), a(k, q));
        for (std::int64_t k = 0; k < n; ++k) r.turn(v(k, p), v(k, q));
        a(p, q) = a(q, p) = T(0);
      }
  }
  for (std::int64_t i = 0; i < n; ++i) w(0, i) = a(i, i);
  fill(a, n, n, T(0));
  for (std::int64_t i = 0; i < n; ++i) {
    std::int64_t least = i;
    for (std::int64_t j = i + 1; j < n; ++j)
      if (w(0, j) < w(0, least)) least = j;
    if (least != i) {
      exchange(w(0, i), w(0, least));
      exchange_columns(v, n, i, least);
    }
    fix_sign(v, n, v, 0, i);
  }
}

template <class T>
constexpr T product_of_columns(matrix<T> u, std::int64_t m, std::int64_t p, std::int64_t q) {
  T sum = 0;
  for (std::int64_t i = 0; i < m; ++i) sum += u(i, p) * u(i, q);
  return sum;
}

/// Whether column k of u is a unit vector that is orthogonal to those before it, with room for what rounding
/// adds to columns that count as orthogonal.
template <class T>
constexpr bool is_orthonormal(matrix<T> u, std::int64_t m, std::int64_t k) {
  for (std::int64_t j = 0; j <= k; ++j)
    if (!(magnitude(product_of_columns(u, m, j, k) - T(j == k)) < T(8) * orthogonal_up_to<T>(m)))
      return false;
  return true;
}

/// Column k of u becomes the unit vector of what those before it leave of it. Returns the length of that.
template <class T>
constexpr T leave_rest(matrix<T> u, std::int64_t m, std::int64_t k) {
  for (int twice = 0; twice < 2; ++twice)
    for (std::int64_t j = 0; j < k; ++j) {
      const T sum = product_of_columns(u, m, j, k);
      for (std::int64_t i = 0; i < m; ++i) u(i, k) -= sum * u(i, j);
    }
  const T length = root(product_of_columns(u, m, k, k));
  for (std::int64_t i = 0; i < m; ++i) u(i, k) /= length;
  return length;
}

/// Column k of u becomes a unit vector that is orthogonal to those before it: of the axes' unit vectors, what
/// is left of the one that has most left.
template <class T>
constexpr void complete_column(matrix<T> u, std::int64_t m, std::int64_t k) {
  std::int64_t axis = 0;
  T most = -1;
  for (std::int64_t i = 0; i < m; ++i) {
    T left = 1;
    for (std::int64_t j = 0; j < k; ++j) left -= u(i, j) * u(i, j);
    if (left > most) {
      most = left;
      axis = i;
    }
  }
  for (std::int64_t i = 0; i < m; ++i) u(i, k) = i == axis ? T(1) : T(0);
  leave_rest(u, m, k);
}

/// The last steps of svd: of orthogonal columns of u and their lengths s it makes unit vectors and singular
/// values, which are multiplied by `scale`, in descending order. What rounding made of a column that depends
/// on others need not be orthogonal to them: it is made so, or replaced.
template <class T>
constexpr void order_singular_values(matrix<T> u, matrix<T> s, matrix<T> v, std::int64_t m, std::int64_t n,
                                     T scale) {
  for (std::int64_t j = 0; j < n; ++j) {
    std::int64_t largest = j;
    for (std::int64_t k = j + 1; k < n; ++k)
      if (s(0, k) > s(0, largest)) largest = k;
    if (largest != j) {
      exchange(s(0, j), s(0, largest));
      exchange_columns(u, m, j, largest);
      exchange_columns(v, n, j, largest);
    }
    const bool any = s(0, j) > T(0);
    for (std::int64_t i = 0; any && i < m; ++i) u(i, j) /= s(0, j);
    if (!any || (!is_orthonormal(u, m, j) && !(leave_rest(u, m, j) > T(0.5)))) complete_column(u, m, j);
    s(0, j) *= scale;
    fix_sign(v, n, u, m, j);
  }
}

/// a [m, n] = u diag(s) v^T for m >= n: u [m, n]; below it s, descending; below it v [n, n]. Rotations make
/// the columns of a v orthogonal (Hestenes, 1958), which keeps small singular values' digits. All is NaN
/// where a is not finite.
template <class T>
constexpr void svd(matrix<const T> source, matrix<T> u, std::int64_t m, std::int64_t n) {
  const matrix<T> s = u.from_row(m), v = u.from_row(m + 1);
  T scale = 0;
  for (std::int64_t i = 0; i < m; ++i)
    for (std::int64_t j = 0; j < n; ++j) scale = larger(scale, magnitude(source(i, j)));
  if (!is_finite(scale)) return fill(u, m + n + 1, n, std::numeric_limits<T>::quiet_NaN());
  if (scale == T(0)) scale = 1;
  for (std::int64_t i = 0; i < m; ++i)
    for (std::int64_t j = 0; j < n; ++j) u(i, j) = source(i, j) / scale;
  set_identity(v, n);
  const auto product = [&](std::int64_t p, std::int64_t q) { return product_of_columns(u, m, p, q); };
  const T exact = orthogonal_up_to<T>(m);
  bool rotated = true;
  for (int sweep = 0; rotated && sweep < most_sweeps; ++sweep) {
    rotated = false;
    for (std::int64_t p = 0; p < n; ++p)
      for (std::int64_t q = p + 1; q < n; ++q) {
        const T left = product(p, p), both = product(p, q), right = product(q, q);
        if (!(magnitude(both) > exact * root(left) * root(right))) continue;
        rotated = true;
        const rotation<T> r(left, both, right);
        for (std::int64_t i = 0; i < m; ++i) r.turn(u(i, p), u(i, q));
        for (std::int64_t i = 0; i < n; ++i) r.turn(v(i, p), v(i, q));
      }
  }
  for (std::int64_t j = 0; j < n; ++j) s(0, j) = root(product(j, j));
  order_singular_values(u, s, v, m, n, scale);
}

/// c = factor a b
template <class T, class A>
constexpr void multiply(matrix<A> a, matrix<T> b, matrix<T> c, std::int64_t n, T factor) {
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < n; ++j) c(i, j) = T(0);
    for (std::int64_t k = 0; k < n; ++k) {
      const T x = factor * a(i, k);
      for (std::int64_t j = 0; j < n; ++j) c(i, j) += x * b(k, j);
    }
  }
}

/// e^a, and below it memory for two more, which are zero in the end: the series of a matrix of a norm up to
/// 1/2, squared as often as a was halved. NaN where a is not finite.
template <class T>
constexpr void exponential(matrix<const T> a, matrix<T> y, std::int64_t n) {
  matrix<T> term = y.from_row(n), next = y.from_row(2 * n);
  const auto norm_of = [n](auto x) {  // the largest sum of a row
    T norm = 0;
    for (std::int64_t i = 0; i < n; ++i) {
      T sum = 0;
      for (std::int64_t j = 0; j < n; ++j) sum += magnitude(x(i, j));
      norm = larger(norm, sum);
    }
    return norm;
  };
  T norm = norm_of(a), scale = 1;
  if (!is_finite(norm)) return fill(y, 3 * n, n, std::numeric_limits<T>::quiet_NaN());
  int halved = 0;
  for (; norm > T(0.5); norm /= T(2), scale /= T(2)) ++halved;
  set_identity(y, n);
  set_identity(term, n);
  for (int k = 1; k < 30; ++k) {
    multiply(a, term, next, n, scale / static_cast<T>(k));
    const matrix<T> old = term;
    term = next;
    next = old;
    for (std::int64_t i = 0; i < n; ++i)
      for (std::int64_t j = 0; j < n; ++j) y(i, j) += term(i, j);
    if (norm_of(term) < std::numeric_limits<T>::epsilon() / T(8)) break;
  }
  for (; halved > 0; --halved) {
    multiply(y, y, term, n, T(1));
    for (std::int64_t i = 0; i < n; ++i)
      for (std::int64_t j = 0; j < n; ++j) y(i, j) = term(i, j);
  }
  fill(y.from_row(n), 2 * n, n, T(0));
}

}  // namespace tapeless::matrix_kernels
