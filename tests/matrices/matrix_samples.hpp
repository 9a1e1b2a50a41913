// SPDX-License-Identifier: BSL-1.0
// Matrices for the tests of large factors, and how far products of them are from what they should be.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include <tapeless/matrices/matrix_spectra.hpp>

namespace samples {

namespace mk = tapeless::matrix_kernels;

template <class T>
inline constexpr T nan_of = std::numeric_limits<T>::quiet_NaN();

/// A matrix with memory of its own, rows one after the other.
template <class T>
struct owned {
  std::int64_t rows, columns;
  std::vector<T> numbers;

  owned(std::int64_t r, std::int64_t c, T number = T(0))
      : rows(r), columns(c), numbers(static_cast<std::size_t>(r * c), number) {}
  mk::matrix<T> target() { return {numbers.data(), columns, 1}; }
  mk::matrix<const T> view() const { return {numbers.data(), columns, 1}; }
  T& operator()(std::int64_t i, std::int64_t j) { return numbers[static_cast<std::size_t>(i * columns + j)]; }
  T operator()(std::int64_t i, std::int64_t j) const {
    return numbers[static_cast<std::size_t>(i * columns + j)];
  }
  owned transposed() const {
    owned y(columns, rows);
    for (std::int64_t i = 0; i < rows; ++i)
      for (std::int64_t j = 0; j < columns; ++j) y(j, i) = (*this)(i, j);
    return y;
  }
  owned part(std::int64_t begin, std::int64_t count) const {
    owned y(count, columns);
    for (std::int64_t i = 0; i < count; ++i)
      for (std::int64_t j = 0; j < columns; ++j) y(i, j) = (*this)(begin + i, j);
    return y;
  }
};

template <class T>
owned<T> normal(std::int64_t rows, std::int64_t columns, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> gaussian;
  owned<T> y(rows, columns);
  for (T& x : y.numbers) x = static_cast<T>(gaussian(random));
  return y;
}
template <class T>
owned<T> product(const owned<T>& a, const owned<T>& b) {
  owned<T> c(a.rows, b.columns);
  for (std::int64_t i = 0; i < a.rows; ++i)
    for (std::int64_t k = 0; k < a.columns; ++k)
      for (std::int64_t j = 0; j < b.columns; ++j) c(i, j) += a(i, k) * b(k, j);
  return c;
}
template <class T>
owned<T> identity(std::int64_t n) {
  owned<T> y(n, n);
  for (std::int64_t i = 0; i < n; ++i) y(i, i) = T(1);
  return y;
}
/// [rows, columns] of singular values from 1 down to `least`, in equal ratios; those from `rank` on are 0.
template <class T>
owned<T> of_spectrum(std::int64_t rows, std::int64_t columns, double least, std::int64_t rank,
                     unsigned seed) {
  const auto orthonormal = [&](std::int64_t m, unsigned of) {
    owned<double> both(m + columns, columns);
    mk::qr<double>(normal<double>(m, columns, of).view(), both.target(), m, columns);
    return both.part(0, m);
  };
  owned<double> u = orthonormal(rows, seed), v = orthonormal(columns, seed + 1);
  for (std::int64_t j = 0; j < columns; ++j)
    for (std::int64_t i = 0; i < rows; ++i)
      u(i, j) *= j < rank ? std::pow(least, static_cast<double>(j) / static_cast<double>(columns - 1)) : 0;
  const owned<double> a = product(u, v.transposed());
  owned<T> y(rows, columns);
  for (std::size_t i = 0; i < a.numbers.size(); ++i) y.numbers[i] = static_cast<T>(a.numbers[i]);
  return y;
}
/// Symmetric and positive definite, of eigenvalues from 1 down to `least`; what is above the diagonal is not
/// to be read.
template <class T>
owned<T> definite(std::int64_t n, double least, unsigned seed, T above = nan_of<T>) {
  const owned<double> half = of_spectrum<double>(n, n, std::sqrt(least), n, seed);
  const owned<double> both = product(half, half.transposed());
  owned<T> y(n, n, above);
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j <= i; ++j) y(i, j) = static_cast<T>(both(i, j));
  return y;
}

/// The largest difference of two matrices' elements; NaN where there is one.
template <class T>
double distance(const owned<T>& a, const owned<T>& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.numbers.size(); ++i)
    most = mk::larger(most, std::abs(static_cast<double>(a.numbers[i]) - static_cast<double>(b.numbers[i])));
  return most;
}
template <class T>
double distance_from_orthonormal(const owned<T>& q) {
  return distance(product(q.transposed(), q), identity<T>(q.columns));
}
template <class T>
bool is_all_nan(const owned<T>& a) {
  for (const T x : a.numbers)
    if (x == x) return false;
  return true;
}

}  // namespace samples
