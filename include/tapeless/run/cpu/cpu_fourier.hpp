// SPDX-License-Identifier: BSL-1.0
// The kernel family of Fourier transforms, by Eigen's module. Each thread keeps the factors of the lengths
// that it has met; they are made before the first step, or before the first one of a new length.
#pragma once

#include <complex>
#include <type_traits>

#include <tapeless/error.hpp>
#include <tapeless/plan/families/planned_fourier.hpp>
#include <tapeless/run/common/element_types.hpp>
#include <tapeless/run/cpu/eigen.hpp>
#include <tapeless/run/cpu/thread_team.hpp>
//
#include <unsupported/Eigen/FFT>

namespace tapeless::cpu_kernels {

namespace detail {

/// Numbers below which one thread is done before the others have started.
inline constexpr std::int64_t least_numbers_of_transforms = 1 << 13;

template <class T>
Eigen::FFT<T>& transforms_of_thread() {
  using transforms = Eigen::FFT<T>;
  thread_local transforms all(
      typename transforms::impl_type(),
      static_cast<typename transforms::Flag>(int(transforms::Unscaled) | int(transforms::HalfSpectrum)));
  return all;
}

}  // namespace detail

template <class T, fourier_kind Kind>
struct fourier_kernel {
  static void run(const fourier_arguments& arguments, thread_team& team) {
    if (arguments.only_prepares) return prepare(arguments.n, team);
    const std::int64_t each = source_numbers(Kind, arguments.n);
    if (team.size() == 1 || arguments.batch * each < detail::least_numbers_of_transforms)
      return transform(arguments, 0, arguments.batch);
    team.run([&](int thread) {
      const range_part lines = part_of(arguments.batch, team.size(), thread, 1);
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

  // Precondition: n is one that has been prepared.
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

  static void prepare(std::int64_t n, thread_team& team) {
    if (n > std::int64_t{1} << 29)
      throw_error({"a Fourier transform on the CPU takes at most 2^29 numbers, but here are ", n});
    const list<T> zeros(static_cast<std::size_t>(2 * n + 2));
    team.run([&](int) {
      list<T> unused(static_cast<std::size_t>(2 * n + 2));
      if (n > 1)
        transform(reinterpret_cast<target*>(unused.begin()), reinterpret_cast<const source*>(zeros.begin()),
                  n);
    });
  }
};

template <fourier_key Key>
constexpr auto kernel_for() {
  return &fourier_kernel<storage_of<Key.type>, Key.computes>::run;
}

}  // namespace tapeless::cpu_kernels
