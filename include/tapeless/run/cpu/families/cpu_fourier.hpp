// SPDX-License-Identifier: BSL-1.0
// The kernel family of Fourier transforms, by Eigen's module. Each thread keeps the factors of the lengths
// that it has met; the calling thread's are made before the first step, or before the first one of a new
// length.
#pragma once

#include <algorithm>
#include <complex>
#include <type_traits>

#include <tapeless/error.hpp>
#include <tapeless/graph/core/cmath.hpp>
#include <tapeless/plan/families/planned_fourier.hpp>
#include <tapeless/run/common/element_types.hpp>
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
    for (std::int64_t i = 0; i < count; ++i, x += step, y += target_step) transform(y, x, n);
  }

  // What n takes is made here where this thread has not met it.
  static void transform(target* y, const source* x, std::int64_t n) {
    if (n == 1) {  // which Eigen does not take
      if constexpr (to_real) *y = x->real();
      if constexpr (!to_real) *y = *x;
    } else if constexpr (Kind == fourier_kind::forward || from_real) {
      detail::transforms_of_thread<T>().fwd(y, x, n);
    } else {
      detail::transforms_of_thread<T>().inv(y, x, n);
    }
  }

  static void prepare(std::int64_t n) {
    if (n > std::int64_t{1} << 29)
      throw_error({"a Fourier transform on the CPU takes at most 2^29 numbers, but here are ", n});
    if (n == 1) return;
    const list<T> zeros(static_cast<std::size_t>(2 * n + 2));
    list<T> unused(static_cast<std::size_t>(2 * n + 2));
    transform(reinterpret_cast<target*>(unused.begin()), reinterpret_cast<const source*>(zeros.begin()), n);
  }
};

template <fourier_key Key>
constexpr auto kernel_for() {
  return &fourier_kernel<storage_of<Key.type>, Key.computes>::run;
}

}  // namespace tapeless::cpu_kernels
