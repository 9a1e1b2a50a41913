// SPDX-License-Identifier: BSL-1.0
// Factors of large matrices and solutions of large triangular systems, by Eigen: the plain loops' results but
// for rounding, in a fraction of their time. Eigen takes memory of its own while it works.
#pragma once

#include <algorithm>

#include <tapeless/plan/families/planned_matrix_function.hpp>
#include <tapeless/run/common/matrix_factors.hpp>
#include <tapeless/run/cpu/vectors/eigen.hpp>

namespace tapeless::cpu_kernels::detail {

template <class T>
using view = matrix_kernels::matrix<T>;

/// From so many columns on Eigen is faster than the plain loops.
constexpr std::int64_t least_columns(matrix_kind computes) {
  return computes == matrix_kind::eigh || computes == matrix_kind::svd ? 16 : 48;
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

template <class T>
constexpr bool has_whole_rows(view<T> a, std::int64_t columns) {
  return a.column_step == 1 && a.row_step >= columns;
}
template <class T>
mapped<by_rows<T>> rows_of(view<T> a, std::int64_t rows, std::int64_t columns) {
  return {a.data, rows, columns, Eigen::OuterStride<>(a.row_step)};
}

/// Tile by tile, so that columns and rows of both stay in caches.
template <class T>
void copy_tiles(view<const T> from, view<T> to, std::int64_t rows, std::int64_t columns) {
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
T largest_of(view<const T> a, std::int64_t rows, std::int64_t columns, bool lower = false) {
  T largest = 0;
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t j = 0; j < (lower ? i + 1 : columns); ++j)
      largest = matrix_kernels::larger(largest, matrix_kernels::magnitude(a(i, j)));
  return largest;
}

// What follows gives true, or false where the plain loops are to do it. Rows of the results are whole.

/// matrix_kernels::cholesky.
template <class T>
bool cholesky_by_eigen(view<const T> a, view<T> l, std::int64_t n) {
  using factor = Eigen::LLT<Eigen::Ref<by_rows<T>>>;
  static_assert(is_read<factor>, "tapeless: cholesky on tl::cpu takes Eigen/Cholesky, which is not there");
  copy_tiles(a, l, n, n);
  auto mapped_l = rows_of(l, n, n);
  Eigen::Ref<by_rows<T>> in_place(mapped_l);
  bool definite = factor(in_place).info() == Eigen::Success;
  for (std::int64_t i = 0; i < n; ++i) {
    definite = definite && matrix_kernels::is_finite(l(i, i));  // NaN passes Eigen, and comes to the diagonal
    std::fill(&l(i, i) + 1, &l(i, 0) + n, T(0));
  }
  if (!definite) matrix_kernels::fill(l, n, n, std::numeric_limits<T>::quiet_NaN());
  return true;
}

/// matrix_kernels::lu; false where a is not finite, for which Eigen promises nothing.
template <class T>
bool lu_by_eigen(view<const T> a, view<T> y, std::int64_t n) {
  using factors = Eigen::PartialPivLU<Eigen::Ref<by_rows<T>>>;
  static_assert(is_read<factors>, "tapeless: lu on tl::cpu takes Eigen/LU, which is not there");
  if (!matrix_kernels::is_finite(largest_of(a, n, n))) return false;
  copy_tiles(a, y, n, n);
  auto mapped_y = rows_of(y, n, n);
  Eigen::Ref<by_rows<T>> in_place(mapped_y);
  const factors lu(in_place);
  for (std::int64_t i = 0; i < n; ++i) y(n, lu.permutationP().indices()[i]) = static_cast<T>(i);
  return true;
}

template <class Matrix, class X>
void solve_in_place(const Matrix& a, X& x, bool upper) {
  if (upper) return a.template triangularView<Eigen::Upper>().solveInPlace(x);
  a.template triangularView<Eigen::Lower>().solveInPlace(x);
}

/// matrix_kernels::solve_triangular.
template <class T>
bool solve_triangular_by_eigen(view<const T> a, view<const T> b, view<T> x, std::int64_t n,
                               std::int64_t columns, triangle part) {
  const bool transposed = a.row_step == 1 && a.column_step != 1;
  if (transposed) a = a.transposed();
  if (part.unit || !has_whole_rows(a, n)) {
    thread_local by_rows<T> own;
    own.resize(n, n);
    const view<T> copied{own.data(), n, 1};
    copy_tiles(a, copied, n, n);
    for (std::int64_t i = 0; part.unit && i < n; ++i) copied(i, i) = T(1);
    a = {copied.data, n, 1};
  }
  copy_tiles(b, x, n, columns);
  auto mapped_x = rows_of(x, n, columns);
  const Eigen::OuterStride<> step(a.row_step);
  if (transposed) {
    solve_in_place(mapped<const by_columns<T>>(a.data, n, n, step), mapped_x, part.upper);
  } else {
    solve_in_place(mapped<const by_rows<T>>(a.data, n, n, step), mapped_x, part.upper);
  }
  return true;
}

}  // namespace tapeless::cpu_kernels::detail
