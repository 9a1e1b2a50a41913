// SPDX-License-Identifier: BSL-1.0
// Loads and stores of a vector's first numbers, by the processors that have them: what lies behind is neither
// read nor written.
#pragma once

#include <cstdint>

#include <tapeless/run/cpu/vectors/vector_arithmetic.hpp>

namespace tapeless::cpu_kernels {

/// All of a vector's numbers.
template <class T>
struct all_lanes {};
template <class T>
wide<T> load(const T* from, all_lanes<T>) {
  return load(from);
}
template <class T>
void store(T* to, wide<T> x, all_lanes<T>) {
  store(to, x);
}

/// A vector's first so many numbers. Here all of them: see masks_memory.
template <class T>
struct valid_lanes : all_lanes<T> {
  explicit valid_lanes(std::int64_t) {}
};

/// Whether loads and stores go to the valid numbers only. Where these are all, it costs nothing in the
/// nearest cache, but processors do not read ahead for such loads: passes over memory take up to twice as
/// long.
template <class T>
inline constexpr bool masks_memory = false;

#ifdef EIGEN_VECTORIZE_AVX512
template <>
struct valid_lanes<float> {
  explicit valid_lanes(std::int64_t count) : mask(static_cast<__mmask16>((1u << count) - 1)) {}
  __mmask16 mask;
};
template <>
struct valid_lanes<double> {
  explicit valid_lanes(std::int64_t count) : mask(static_cast<__mmask8>((1u << count) - 1)) {}
  __mmask8 mask;
};
inline wide<float> load(const float* from, valid_lanes<float> lanes) {
  return {_mm512_maskz_loadu_ps(lanes.mask, from)};
}
inline wide<double> load(const double* from, valid_lanes<double> lanes) {
  return {_mm512_maskz_loadu_pd(lanes.mask, from)};
}
inline void store(float* to, wide<float> x, valid_lanes<float> lanes) {
  _mm512_mask_storeu_ps(to, lanes.mask, x.p);
}
inline void store(double* to, wide<double> x, valid_lanes<double> lanes) {
  _mm512_mask_storeu_pd(to, lanes.mask, x.p);
}
template <>
inline constexpr bool masks_memory<float> = true;
template <>
inline constexpr bool masks_memory<double> = true;
#endif

}  // namespace tapeless::cpu_kernels
