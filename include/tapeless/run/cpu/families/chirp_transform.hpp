// SPDX-License-Identifier: BSL-1.0
// Fourier transforms of lengths with large prime factors as a convolution with a chirp, in transforms of a
// length that has none: L. Bluestein, A linear filtering approach to the computation of the discrete Fourier
// transform, 1970.
#pragma once

#include <algorithm>
#include <complex>
#include <cstdint>

#include <tapeless/graph/core/cmath.hpp>
#include <tapeless/graph/core/list.hpp>

namespace tapeless::cpu_kernels {

/// The largest prime factor of n, 1 of 1.
constexpr std::int64_t largest_factor(std::int64_t n) {
  std::int64_t largest = 1;
  for (std::int64_t p = 2; p * p <= n; ++p)
    for (; n % p == 0; n /= p) largest = p;
  return std::max(largest, n);
}

/// Whether a transform of n numbers is faster by a chirp. Eigen takes a time of n times the sum of its prime
/// factors; of real numbers, where 4 divides their count, half of it. Measured from 64 to 100,000 numbers,
/// float and double, the chirp is slower up to a factor of 31, and 1.1 to 4 times as fast from 53 on.
constexpr bool takes_chirp(std::int64_t n, bool is_real) {
  return largest_factor(n) > (is_real && n % 4 == 0 ? 100 : 50);
}

/// The least number of n or more whose prime factors are 2, 3 and 5.
constexpr std::int64_t smooth_length(std::int64_t n) {
  std::int64_t least = INT64_MAX;
  for (std::int64_t fives = 1; fives < least; fives *= 5)
    for (std::int64_t threes = fives; threes < least; threes *= 3) {
      std::int64_t length = threes;
      while (length < n) length *= 2;
      least = std::min(least, length);
      if (threes >= n) break;
    }
  return least;
}

/// A product without the checks for NaN that operator* makes.
template <class T>
constexpr std::complex<T> product(std::complex<T> a, std::complex<T> b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

/// y_k = w_k sum_j (x_j w_j) / w_(k - j) with w_k = e^(-pi i k^2 / n), as 2 j k = j^2 + k^2 - (k - j)^2. The
/// sum is a cyclic one of 2 n - 1 numbers or more. The error is that of about three transforms, relative to
/// the largest numbers: those that are 0 in exact arithmetic are not.
template <class T>
class chirp_transform {
 public:
  using complex = std::complex<T>;

  chirp_transform() = default;
  template <class Transforms>
  chirp_transform(std::int64_t n, Transforms& all)
      : chirp_(static_cast<std::size_t>(n)), filter_(static_cast<std::size_t>(smooth_length(2 * n - 1))) {
    for (int k = 0; k < chirp_.size(); ++k) {
      // e^(-pi i x) is that of x modulo 2: large squares lose no digits.
      const double angle = 3.14159265358979323846 * static_cast<double>(std::int64_t{k} * k % (2 * n)) /
                           static_cast<double>(n);
      chirp_[k] = {static_cast<T>(std::cos(angle)), static_cast<T>(-std::sin(angle))};
    }
    const T scale = 1 / static_cast<T>(filter_.size());
    list<complex> impulse(static_cast<std::size_t>(filter_.size()));
    for (int k = 0; k < chirp_.size(); ++k)  // without std's operators, which a module does not show
      impulse[k] = impulse[(impulse.size() - k) % impulse.size()] = {scale * chirp_[k].real(),
                                                                     -scale * chirp_[k].imag()};
    all.fwd(filter_.data(), impulse.data(), filter_.size());
  }

  std::int64_t length() const { return chirp_.size(); }

  /// What a transform works in, of any length.
  struct memory {
    list<complex> signal, spectrum;
  };

  /// store(k, y_k) of the transform of load(0), load(1), ..
  template <class Transforms, class Load, class Store>
  void run(Transforms& all, memory& of, Load load, Store store) const {
    const int n = chirp_.size(), length = filter_.size();
    if (of.signal.size() < length) of.signal.resize(length, complex());
    if (of.spectrum.size() < length) of.spectrum.resize(length, complex());
    complex *const x = of.signal.data(), *const spectrum = of.spectrum.data();
    for (int k = 0; k < n; ++k) x[k] = product<T>(load(k), chirp_[k]);
    std::fill(x + n, x + length, complex());
    all.fwd(spectrum, x, length);
    for (int k = 0; k < length; ++k) spectrum[k] = product(spectrum[k], filter_[k]);
    all.inv(x, spectrum, length);
    for (int k = 0; k < n; ++k) store(k, product(x[k], chirp_[k]));
  }

 private:
  list<complex> chirp_, filter_;  // w, and the transform of 1 / w, which has the factor of the one back
};

}  // namespace tapeless::cpu_kernels
