// SPDX-License-Identifier: BSL-1.0
// The kernel family of Fourier transforms, by Eigen's module; those of lengths with large prime factors go by
// a chirp. Each thread keeps the factors of the lengths that it has met; the calling thread's are made before
// the first step, or before the first one of a new length.
#pragma once

#include <algorithm>
#include <complex>
#include <type_traits>

#include <tapeless/error.hpp>
#include <tapeless/graph/core/cmath.hpp>
#include <tapeless/plan/families/planned_fourier.hpp>
#include <tapeless/run/common/element_types.hpp>
#include <tapeless/run/cpu/families/chirp_transform.hpp>
#include <tapeless/run/cpu/threads/thread_team.hpp>

// Eigen's module needs its matrices: it is read with the operation (ops/spectral/fourier.hpp), which few
// programs have.
namespace Eigen {
template <class Number>
struct default_fft_impl;
template <class Number, class Implementation>
class FFT;
}  // namespace Eigen

namespace tapeless::cpu_kernels {

namespace detail {

template <class T>
using eigen_transforms = Eigen::FFT<T, Eigen::default_fft_impl<T>>;

template <class T>
eigen_transforms<T>& transforms_of_thread() {
  using transforms = eigen_transforms<T>;
  static_assert(
      requires { sizeof(transforms); },
      "tapeless: Fourier transforms on tl::cpu are those of unsupported/Eigen/FFT, a part of Eigen "
      "which is not there");
  thread_local transforms all(
      typename transforms::impl_type(),
      static_cast<typename transforms::Flag>(int(transforms::Unscaled) | int(transforms::HalfSpectrum)));
  return all;
}

template <class T>
struct chirps {
  list<chirp_transform<T>> of_lengths;
  typename chirp_transform<T>::memory memory;

  const chirp_transform<T>& of(std::int64_t n) {
    for (const chirp_transform<T>& chirp : of_lengths)
      if (chirp.length() == n) return chirp;
    return of_lengths.add() = chirp_transform<T>(n, transforms_of_thread<T>());
  }
};

template <class T>
chirps<T>& chirps_of_thread() {
  thread_local chirps<T> all;
  return all;
}

}  // namespace detail

/// How many threads transforms take.
inline int threads_of(const fourier_arguments& arguments, const thread_team& team) {
  const auto numbers = static_cast<double>(arguments.batch * arguments.n);
  const int threads = team.threads_for(numbers * std::log2(static_cast<double>(arguments.n) + 1));
  return static_cast<int>(std::clamp<std::int64_t>(threads, 1, std::max<std::int64_t>(arguments.batch, 1)));
}

template <class T, fourier_kind Kind>
struct fourier_kernel {
  static void run(const fourier_arguments& arguments, const thread_team& team) {
    if (arguments.only_prepares) return prepare(arguments.n);
    const int parts = threads_of(arguments, team);
    team.run(parts, [&](int part) {
      const range_part lines = part_of(arguments.batch, parts, part, 1);
      transform(arguments, lines.begin, lines.size);
    });
  }

 private:
  static constexpr bool from_real = Kind == fourier_kind::half, to_real = Kind == fourier_kind::whole;
  using complex = std::complex<T>;
  using source = std::conditional_t<from_real, T, complex>;
  using target = std::conditional_t<to_real, T, complex>;

  static void transform(const fourier_arguments& arguments, std::int64_t begin, std::int64_t count) {
    const std::int64_t n = arguments.n, step = source_numbers(Kind, n) / (from_real ? 1 : 2),
                       target_step = target_numbers(Kind, n) / (to_real ? 1 : 2);
    const auto* x = reinterpret_cast<const source*>(arguments.source) + begin * step;
    auto* y = reinterpret_cast<target*>(arguments.target) + begin * target_step;
    const bool has_chirp = takes_chirp(n, from_real || to_real);
    for (std::int64_t i = 0; i < count; ++i, x += step, y += target_step) transform(y, x, n, has_chirp);
  }

  // What n takes is made here where this thread has not met it.
  static void transform(target* y, const source* x, std::int64_t n, bool has_chirp) {
    if (n == 1) {  // which Eigen does not take
      if constexpr (to_real) *y = x->real();
      if constexpr (!to_real) *y = *x;
    } else if (has_chirp) {
      by_chirp(y, x, n);
    } else if constexpr (Kind == fourier_kind::forward || from_real) {
      detail::transforms_of_thread<T>().fwd(y, x, n);
    } else {
      detail::transforms_of_thread<T>().inv(y, x, n);
    }
  }

  // The transform back is the conjugate of that of the conjugates.
  static void by_chirp(target* y, const source* x, std::int64_t n) {
    detail::chirps<T>& all = detail::chirps_of_thread<T>();
    const auto load = [=](int k) -> complex {
      if constexpr (from_real) return x[k];
      if constexpr (Kind == fourier_kind::forward) return x[k];
      if constexpr (Kind == fourier_kind::backward) return std::conj(x[k]);
      // The first one is real, and so is the middle one: what else stands there is not looked at.
      if constexpr (to_real)
        return k == 0 || 2 * k == n ? x[k].real() : 2 * k < n ? std::conj(x[k]) : x[n - k];
    };
    all.of(n).run(detail::transforms_of_thread<T>(), all.memory, load, [=](int k, complex value) {
      if constexpr (to_real) y[k] = value.real();
      if constexpr (Kind == fourier_kind::forward) y[k] = value;
      if constexpr (Kind == fourier_kind::backward) y[k] = std::conj(value);
      if constexpr (from_real)
        if (2 * k <= n) y[k] = k == 0 || 2 * k == n ? value.real() : value;
    });
  }

  static void prepare(std::int64_t n) {
    if (n > std::int64_t{1} << 29)
      throw_error({"a Fourier transform on the CPU takes at most 2^29 numbers, but here are ", n});
    if (n == 1) return;
    const list<T> zeros(static_cast<std::size_t>(2 * n + 2));
    list<T> unused(static_cast<std::size_t>(2 * n + 2));
    transform(reinterpret_cast<target*>(unused.begin()), reinterpret_cast<const source*>(zeros.begin()), n,
              takes_chirp(n, from_real || to_real));
  }
};

template <fourier_key Key>
constexpr auto kernel_for() {
  return &fourier_kernel<storage_of<Key.type>, Key.computes>::run;
}

}  // namespace tapeless::cpu_kernels
