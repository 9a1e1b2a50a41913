// SPDX-License-Identifier: BSL-1.0
// Discrete Fourier transforms, a pass over memory for each prime factor of their length (Stockham's order:
// results come out in their places).
#pragma once

#include <utility>

#include <tapeless/graph/core/cmath.hpp>
#include <tapeless/plan/families/planned_fourier.hpp>
#include <tapeless/run/common/element_types.hpp>
#include <tapeless/run/gpu/kernels/axis_loop_space.hpp>

namespace tapeless::thrust_kernels {

/// A complex number, or a sum of such.
template <class T>
struct fourier_number {
  T real = 0, imag = 0;
};

/// e^(2 pi i turns / whole) for turns below whole, or its conjugate.
template <class T>
constexpr fourier_number<T> unit_root(std::int64_t turns, std::int64_t whole, bool conjugate) {
  using std::cos, std::sin;
  const double angle = 6.283185307179586476925 * static_cast<double>(turns) / static_cast<double>(whole);
  const auto imag = static_cast<T>(sin(angle));
  return {static_cast<T>(cos(angle)), conjugate ? -imag : imag};
}

/// One pass. Behind passes of the factors whose product is `done`, number k (n / done) + s of a line, k below
/// done, is the transform's number k of the elements s, s + n / done, .. of the line's beginning. So number k
/// (n / whole) + s behind one more factor, whole = done factor, is the sum over q of e^(+-2 pi i k q / whole)
/// times number (k mod done) (n / done) + s + q n / whole.
template <class T, fourier_kind Kind>
struct fourier_pass {
  divisor n;
  std::int64_t done, factor;
  const T* source;
  T* target;
  bool is_first, is_last;
  static constexpr bool is_forward = Kind == fourier_kind::forward || Kind == fourier_kind::half;

  constexpr std::int64_t length() const { return n.value(); }

  constexpr fourier_number<T> load(std::uint32_t line, std::int64_t i) const {
    if (is_first && Kind == fourier_kind::half) return {source[line * length() + i], T(0)};
    if (is_first && Kind == fourier_kind::whole) {
      const bool is_mirrored = 2 * i > length();
      const T* at = source + line * source_numbers(Kind, length()) + 2 * (is_mirrored ? length() - i : i);
      // The first one is real, and so is the middle one: what else stands there is not looked at.
      const T imag = i == 0 || 2 * i == length() ? T(0) : at[1];
      return {at[0], is_mirrored ? -imag : imag};
    }
    const T* at = source + 2 * (line * length() + i);
    return {at[0], at[1]};
  }
  constexpr void store(std::uint32_t line, std::int64_t i, const fourier_number<T>& y) const {
    if (is_last && Kind == fourier_kind::whole) {
      target[line * length() + i] = y.real;
      return;
    }
    const bool is_half = is_last && Kind == fourier_kind::half;
    if (is_half && 2 * i > length()) return;
    T* at = target + line * (is_half ? target_numbers(Kind, length()) : 2 * length()) + 2 * i;
    at[0] = y.real;
    at[1] = y.imag;
  }

  constexpr void operator()(std::uint32_t item) const {
    const std::uint32_t line = n.quotient(item);
    const std::int64_t i = item - line * n.value(), whole = done * factor, step = length() / whole;
    const std::int64_t k = i / step, s = i - k * step, from = k % done * (length() / done) + s;
    fourier_number<T> sum = load(line, from);
    for (std::int64_t q = 1; q < factor; ++q) {
      const fourier_number<T> w = unit_root<T>(k * q % whole, whole, is_forward),
                              x = load(line, from + q * step);
      sum.real += w.real * x.real - w.imag * x.imag;
      sum.imag += w.real * x.imag + w.imag * x.real;
    }
    store(line, i, sum);
  }
};

/// The least prime factor of n, 1 of 1.
constexpr std::int64_t least_factor(std::int64_t n) {
  for (std::int64_t p = 2; p * p <= n; ++p)
    if (n % p == 0) return p;
  return n;
}

/// What the passes take of the memory that the executor lends: two copies, between which they go to and fro.
inline std::int64_t workspace_bytes_of(const planned_fourier& planned, const fourier_arguments& arguments) {
  return 4 * arguments.batch * arguments.n * static_cast<std::int64_t>(size_of(planned.type));
}

/// A library's transforms, where an executor has one: run<T, Kind>(arguments, executor) computes or prepares
/// them, or returns false.
template <class Executor>
struct fourier_library {
  template <class T, fourier_kind Kind>
  static bool run(const fourier_arguments&, Executor&) {
    return false;
  }
};

template <class T, fourier_kind Kind, class Executor>
void transform_fourier(const fourier_arguments& arguments, Executor& executor) {
  const std::int64_t n = arguments.n, count = arguments.batch * n;
  if (count == 0 || fourier_library<Executor>::template run<T, Kind>(arguments, executor)) return;
  if (arguments.only_prepares) return;
  detail::require_one_launch(count);
  T* from = reinterpret_cast<T*>(executor.lent_memory());
  T* to = from + 2 * count;
  std::int64_t done = 1;
  do {
    const std::int64_t factor = least_factor(n / done);
    const bool is_first = done == 1, is_last = done * factor == n;
    executor.for_each(
        count, fourier_pass<T, Kind>{
                   divisor(n), done, factor, is_first ? reinterpret_cast<const T*>(arguments.source) : from,
                   is_last ? reinterpret_cast<T*>(arguments.target) : to, is_first, is_last});
    std::swap(from, to);
    done *= factor;
  } while (done != n);
}

template <fourier_key Key, class Executor>
constexpr auto kernel_for() {
  return &transform_fourier<storage_of<Key.type>, Key.computes, Executor>;
}

}  // namespace tapeless::thrust_kernels
