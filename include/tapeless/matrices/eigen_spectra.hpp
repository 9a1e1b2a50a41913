// SPDX-License-Identifier: BSL-1.0
// Eigenvalues and singular values of large matrices, by Eigen's eigenvectors of symmetric ones. What they
// take stays with the thread for the next matrix.
#pragma once

#include <tapeless/matrices/eigen_factors.hpp>
#include <tapeless/matrices/matrix_spectra.hpp>

namespace Eigen {
template <class Matrix>
class SelfAdjointEigenSolver;
}  // namespace Eigen

namespace tapeless::matrix_kernels {

/// Eigenvalues, ascending, and eigenvectors of the lower triangle; null where Eigen finds none.
template <class T>
const Eigen::SelfAdjointEigenSolver<by_columns<T>>* eigenvectors_of(const by_columns<T>& a) {
  using solver = Eigen::SelfAdjointEigenSolver<by_columns<T>>;
  static_assert(is_read<solver>,
                "tapeless: eigenvalues and singular values on tl::cpu take Eigen/Eigenvalues, "
                "which is not there");
  thread_local solver own;
  return own.compute(a).info() == Eigen::Success ? &own : nullptr;
}

/// What eigh computes.
template <class T>
bool eigh_by_eigen(matrix<const T> a, matrix<T> v, std::int64_t n) {
  if (!is_finite(largest_of(a, n, n, true))) return false;
  by_columns<T>& own = own_matrix<by_columns<T>>(n, n);
  copy_tiles(a, matrix_of(own), n, n);
  const auto* found = eigenvectors_of(own);
  if (found == nullptr) return false;
  copy_tiles<T>({found->eigenvectors().data(), 1, n}, v, n, n);
  for (std::int64_t j = 0; j < n; ++j) {
    v(n, j) = found->eigenvalues()[j];
    fix_sign(v, n, v, 0, j);
  }
  fill(v.from_row(n + 1), n, n, T(0));
  return true;
}

/// Rotates pairs of columns of u, and those of v alike, until all are orthogonal. The lengths of u's are
/// written to `lengths`.
template <class T>
void make_orthogonal(by_columns<T>& u, by_columns<T>& v, matrix<T> lengths) {
  const std::int64_t n = u.cols();
  const T exact = orthogonal_up_to<T>(u.rows());
  const auto measure = [&](std::int64_t j) { lengths(0, j) = u.col(j).norm(); };
  for (std::int64_t j = 0; j < n; ++j) measure(j);
  bool rotated = true;
  for (int sweep = 0; rotated && sweep < most_sweeps; ++sweep) {
    rotated = false;
    for (std::int64_t p = 0; p < n; ++p)
      for (std::int64_t q = p + 1; q < n; ++q) {
        const T both = u.col(p).dot(u.col(q)), left = lengths(0, p), right = lengths(0, q);
        if (!(magnitude(both) > exact * left * right)) continue;
        rotated = true;
        const rotation<T> r(left * left, both, right * right);
        const Eigen::JacobiRotation<T> turn(r.cosine, r.sine);
        u.applyOnTheRight(p, q, turn);
        v.applyOnTheRight(p, q, turn);
        measure(p);
        measure(q);
      }
  }
}

/// What svd computes: the eigenvectors v of a^T a make the columns of a v almost orthogonal, Jacobi's
/// rotations do the rest. Eigen's BDCSVD would take 18 seconds and 1 GB to compile.
template <class T>
bool svd_by_eigen(matrix<const T> a, matrix<T> y, std::int64_t m, std::int64_t n) {
  T scale = largest_of(a, m, n);
  if (!is_finite(scale) || scale == T(0)) return false;
  by_columns<T>&scaled = own_matrix<by_columns<T>>(m, n), &u = own_matrix<by_columns<T>, 1>(m, n);
  by_columns<T>&square = own_matrix<by_columns<T>, 2>(n, n), &v = own_matrix<by_columns<T>, 3>(n, n);
  copy_tiles(a, matrix_of(scaled), m, n);
  scaled /= scale;
  square.noalias() = scaled.transpose() * scaled;
  const auto* found = eigenvectors_of(square);
  if (found == nullptr) return false;
  for (std::int64_t j = 0; j < n; ++j) v.col(j) = found->eigenvectors().col(n - 1 - j);
  u.noalias() = scaled * v;
  const matrix<T> s = y.from_row(m);
  make_orthogonal(u, v, s);
  order_singular_values(matrix_of(u), s, matrix_of(v), m, n, scale);
  copy_tiles<T>({u.data(), 1, m}, y, m, n);
  copy_tiles<T>({v.data(), 1, n}, y.from_row(m + 1), n, n);
  return true;
}

}  // namespace tapeless::matrix_kernels
