// SPDX-License-Identifier: BSL-1.0
// Vectors of numbers for fused kernels, and functions of them.
#pragma once

#include <cmath>
#include <limits>
#include <numbers>

#include <tapeless/run/cpu/exponential.hpp>
#include <tapeless/run/cpu/vector_arithmetic.hpp>

namespace tapeless::cpu_kernels {

// Where Eigen has no packet function for the type, the numbers go through the standard library one by one.
template <class T, class F>
wide<T> one_by_one(wide<T> x, F f) {
  T all[packet_size<T>];
  store(all, x);
  for (T& one : all) one = f(one);
  return load(all);
}
template <class T, class F>
wide<T> one_by_one(wide<T> x, wide<T> y, F f) {
  T all[packet_size<T>], other[packet_size<T>];
  store(all, x);
  store(other, y);
  for (int i = 0; i < packet_size<T>; ++i) all[i] = f(all[i], other[i]);
  return load(all);
}

template <class T>
[[gnu::always_inline]] inline wide<T> exp(wide<T> x) {
  if constexpr (has_integers<T>) {
    return wide_exponential<T>(x).value();
  } else if constexpr (std::same_as<T, double> && Eigen::internal::packet_traits<T>::HasExp) {
    return power_of_double(x);
  } else {
    return one_by_one(x, [](T t) { return std::exp(t); });
  }
}
template <class T>
[[gnu::always_inline]] inline auto exponential_of(wide<T> t) {
  if constexpr (has_integers<T>) {
    return wide_exponential<T>(t);
  } else {
    return exponential<wide<T>>(t);
  }
}
template <class T>
[[gnu::always_inline]] inline wide<T> log(wide<T> x) {
  if constexpr (has_integers<T>) {
    return log_by_exponent(x);
  } else if constexpr (Eigen::internal::packet_traits<T>::HasLog) {
    // Eigen takes subnormal numbers for the smallest one that is not
    const wide_mask<T> small = x < splat(std::numeric_limits<T>::min());
    if (!Eigen::internal::predux_any(small.p)) return {Eigen::internal::plog(x.p)};
    constexpr int digits = std::numeric_limits<T>::digits;
    const wide<T> normal = choose(small, x * splat(static_cast<T>(std::uint64_t{1} << digits)), x);
    const wide<T> lost = choose(small, splat(static_cast<T>(digits * std::numbers::ln2)), splat(T(0)));
    return wide<T>{Eigen::internal::plog(normal.p)} - lost;
  } else {
    return one_by_one(x, [](T t) { return std::log(t); });
  }
}
template <class T>
[[gnu::always_inline]] inline wide<T> tanh(wide<T> x) {
  if constexpr (has_integers<T>) {
    return tanh_by_power(x);
  } else if constexpr (Eigen::internal::packet_traits<T>::HasTanh) {
    return {Eigen::internal::ptanh(x.p)};
  } else {
    return one_by_one(x, [](T t) { return std::tanh(t); });
  }
}
template <class T>
wide<T> sin(wide<T> x) {
  if constexpr (Eigen::internal::packet_traits<T>::HasSin) {
    return {Eigen::internal::psin(x.p)};
  } else {
    return one_by_one(x, [](T t) { return std::sin(t); });
  }
}
template <class T>
wide<T> cos(wide<T> x) {
  if constexpr (Eigen::internal::packet_traits<T>::HasCos) {
    return {Eigen::internal::pcos(x.p)};
  } else {
    return one_by_one(x, [](T t) { return std::cos(t); });
  }
}
template <class T>
wide<T> log1p(wide<T> x) {
  return one_by_one(x, [](T t) { return std::log1p(t); });
}
template <class T>
wide<T> expm1(wide<T> x) {
  return one_by_one(x, [](T t) { return std::expm1(t); });
}
template <class T>
wide<T> tan(wide<T> x) {
  return one_by_one(x, [](T t) { return std::tan(t); });
}
template <class T>
wide<T> erf(wide<T> x) {
  return one_by_one(x, [](T t) { return std::erf(t); });
}
template <class T>
wide<T> erfc(wide<T> x) {
  return one_by_one(x, [](T t) { return std::erfc(t); });
}
template <class T>
wide<T> floor(wide<T> x) {
  return one_by_one(x, [](T t) { return std::floor(t); });
}
template <class T>
wide<T> ceil(wide<T> x) {
  return one_by_one(x, [](T t) { return std::ceil(t); });
}
template <class T>
wide<T> pow(wide<T> x, wide<T> y) {
  return one_by_one(x, y, [](T t, T u) { return std::pow(t, u); });
}
template <class T>
wide<T> exp2(wide<T> x) {
  return one_by_one(x, [](T t) { return std::exp2(t); });
}
template <class T>
wide<T> log2(wide<T> x) {
  return one_by_one(x, [](T t) { return std::log2(t); });
}
template <class T>
wide<T> asin(wide<T> x) {
  return one_by_one(x, [](T t) { return std::asin(t); });
}
template <class T>
wide<T> acos(wide<T> x) {
  return one_by_one(x, [](T t) { return std::acos(t); });
}
template <class T>
wide<T> atan(wide<T> x) {
  return one_by_one(x, [](T t) { return std::atan(t); });
}
template <class T>
wide<T> sinh(wide<T> x) {
  return one_by_one(x, [](T t) { return std::sinh(t); });
}
template <class T>
wide<T> cosh(wide<T> x) {
  return one_by_one(x, [](T t) { return std::cosh(t); });
}
template <class T>
wide<T> nearbyint(wide<T> x) {
  return one_by_one(x, [](T t) { return std::nearbyint(t); });
}
template <class T>
wide<T> trunc(wide<T> x) {
  return one_by_one(x, [](T t) { return std::trunc(t); });
}
template <class T>
wide<T> atan2(wide<T> x, wide<T> y) {
  return one_by_one(x, y, [](T t, T u) { return std::atan2(t, u); });
}
template <class T>
wide<T> remainder_of(wide<T> x, wide<T> y) {
  return one_by_one(x, y, [](T t, T u) { return std::fmod(t, u); });
}

}  // namespace tapeless::cpu_kernels
