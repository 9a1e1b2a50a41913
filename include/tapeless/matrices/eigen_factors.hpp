// SPDX-License-Identifier: BSL-1.0
// Factors of large matrices and solutions of large triangular systems, by Eigen: the plain loops' results but
// for rounding, in a fraction of their time. Eigen takes memory of its own while it works.
#pragma once

#include <algorithm>

#include <tapeless/graph/core/intrinsics.hpp>
#include <tapeless/matrices/matrix_factors.hpp>

#include <Eigen/Core>

namespace tapeless::matrix_kernels {

/// From so many columns on Eigen is faster than the plain loops.
constexpr std::int64_t least_columns(matrix_kind computes) {
  return computes == matrix_kind::cholesky || computes == matrix_kind::lu ||
                 computes == matrix_kind::triangular_solve
             ? 48
             : 16;
}

template <class T>
using by_rows = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <class T>
using by_columns = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor>;
/// A matrix in memory whose rows, or columns, are `step` numbers apart.
template <class Matrix>
using mapped = Eigen::Map<Matrix, Eigen::Unaligned, Eigen::OuterStride<>>;

/// Eigen's decompositions are read with the operations that need them (ops/linalg/cholesky.hpp and its like).
template <class Decomposition>
concept is_read = requires { sizeof(Decomposition); };

/// A matrix of this thread, for the purpose of that number. It begins where vectors do: results do not depend
/// on where operands are.
template <class Matrix, int Number = 0>
Matrix& own_matrix(std::int64_t rows, std::int64_t columns) {
  thread_local Matrix own;
  own.resize(rows, columns);
  return own;
}
template <class Matrix>
matrix<typename Matrix::Scalar> matrix_of(Matrix& a) {
  const bool rows = Matrix::IsRowMajor;
  return {a.data(), rows ? a.cols() : 1, rows ? 1 : a.rows()};
}

template <class T>
constexpr bool has_whole_rows(matrix<T> a, std::int64_t columns) {
  return (a.column_step == 1 || columns == 1) && a.row_step >= columns;
}
template <class Matrix, class T>
mapped<Matrix> map_of(matrix<T> a, std::int64_t rows, std::int64_t columns) {
  return {a.data, rows, columns, Eigen::OuterStride<>(a.row_step)};
}

/// Tile by tile, so that columns and rows of both stay in caches.
template <class T>
void copy_tiles(matrix<const T> from, matrix<T> to, std::int64_t rows, std::int64_t columns) {
  constexpr std::int64_t tile = 32;
  const bool whole_rows = from.column_step == 1 && to.column_step == 1;
  const std::int64_t width = whole_rows ? columns : tile;
  for (std::int64_t i = 0; i < rows; i += tile)
    for (std::int64_t j = 0; j < columns; j += width)
      for (std::int64_t k = i; k < std::min(i + tile, rows); ++k)
        if (whole_rows) {
          std::copy_n(&from(k, j), width, &to(k, j));
        } else {
          for (std::int64_t l = j; l < std::min(j + width, columns); ++l) to(k, l) = from(k, l);
        }
}

/// The largest magnitude, of the lower triangle if only that is looked at; NaN where there is one.
template <class T>
T largest_of(matrix<const T> a, std::int64_t rows, std::int64_t columns, bool lower = false) {
  T largest = 0;
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t j = 0; j < (lower ? i + 1 : columns); ++j)
      largest = larger(largest, magnitude(a(i, j)));
  return largest;
}

// What follows gives true, or false where the plain loops are to do it. Rows of the results are whole.

/// What cholesky computes.
template <class T>
bool cholesky_by_eigen(matrix<const T> a, matrix<T> l, std::int64_t n) {
  using factor = Eigen::LLT<Eigen::Ref<by_rows<T>>>;
  static_assert(is_read<factor>, "tapeless: cholesky on tl::cpu takes Eigen/Cholesky, which is not there");
  by_rows<T>& own = own_matrix<by_rows<T>>(n, n);
  copy_tiles(a, matrix_of(own), n, n);
  Eigen::Ref<by_rows<T>> in_place(own);
  bool definite = factor(in_place).info() == Eigen::Success;
  for (std::int64_t i = 0; i < n; ++i) {
    definite = definite && is_finite(own(i, i));  // NaN passes Eigen, and comes to the diagonal
    for (std::int64_t j = 0; j < n; ++j) l(i, j) = j > i ? T(0) : own(i, j);
  }
  if (!definite) fill(l, n, n, std::numeric_limits<T>::quiet_NaN());
  return true;
}

/// What lu computes; false where a is not finite, for which Eigen promises nothing.
template <class T>
bool lu_by_eigen(matrix<const T> a, matrix<T> y, std::int64_t n) {
  using factors = Eigen::PartialPivLU<Eigen::Ref<by_rows<T>>>;
  static_assert(is_read<factors>, "tapeless: lu on tl::cpu takes Eigen/LU, which is not there");
  if (!is_finite(largest_of(a, n, n))) return false;
  by_rows<T>& own = own_matrix<by_rows<T>>(n, n);
  copy_tiles(a, matrix_of(own), n, n);
  Eigen::Ref<by_rows<T>> in_place(own);
  const factors lu(in_place);
  copy_tiles<T>({own.data(), n, 1}, y, n, n);
  for (std::int64_t i = 0; i < n; ++i) y(n, lu.permutationP().indices()[i]) = static_cast<T>(i);
  return true;
}

/// What qr computes; false for a matrix of few elements, and for one whose columns' squares are no numbers.
template <class T>
bool qr_by_eigen(matrix<const T> a, matrix<T> q, std::int64_t m, std::int64_t n) {
  using factors = Eigen::HouseholderQR<Eigen::Ref<by_columns<T>>>;
  static_assert(is_read<factors>, "tapeless: qr on tl::cpu takes Eigen/QR, which is not there");
  using limits = std::numeric_limits<T>;
  const T largest = largest_of(a, m, n), least = root(limits::min()) / limits::epsilon(),
          most = root(limits::max()) / static_cast<T>(m);
  if (m * n < 48 * 48 || !(largest > least && largest < most)) return false;
  by_columns<T>&both = own_matrix<by_columns<T>>(m, n), &ones = own_matrix<by_columns<T>, 1>(m, n);
  copy_tiles(a, matrix_of(both), m, n);
  Eigen::Ref<by_columns<T>> in_place(both);
  const factors found(in_place);
  ones.setIdentity();
  ones.applyOnTheLeft(found.householderQ());
  copy_tiles<T>({ones.data(), 1, m}, q, m, n);
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < n; ++j) q(m + i, j) = j < i ? T(0) : both(i, j);
  return true;
}

template <class Matrix, class X>
void solve_in_place(const Matrix& a, X& x, bool upper) {
  if (upper) return a.template triangularView<Eigen::Upper>().solveInPlace(x);
  a.template triangularView<Eigen::Lower>().solveInPlace(x);
}

/// What solve_triangular computes.
template <class T>
bool solve_triangular_by_eigen(matrix<const T> a, matrix<const T> b, matrix<T> x, std::int64_t n,
                               std::int64_t columns, triangle part) {
  const bool transposed = a.row_step == 1 && a.column_step != 1;
  if (transposed) a = a.transposed();
  if (part.unit || !has_whole_rows(a, n)) {
    const matrix<T> copied = matrix_of(own_matrix<by_rows<T>>(n, n));
    copy_tiles(a, copied, n, n);
    for (std::int64_t i = 0; part.unit && i < n; ++i) copied(i, i) = T(1);
    a = {copied.data, n, 1};
  }
  copy_tiles(b, x, n, columns);
  auto mapped_x = map_of<by_rows<T>>(x, n, columns);
  if (transposed) {
    solve_in_place(map_of<const by_columns<T>>(a, n, n), mapped_x, part.upper);
  } else {
    solve_in_place(map_of<const by_rows<T>>(a, n, n), mapped_x, part.upper);
  }
  return true;
}

}  // namespace tapeless::matrix_kernels
