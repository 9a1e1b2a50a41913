// SPDX-License-Identifier: BSL-1.0
// Vectors of numbers for fused kernels, and functions of them. What a number gives does not depend on its
// place in a vector, nor on the other numbers there.
#pragma once

#include <tapeless/graph/core/cmath.hpp>
#include <tapeless/run/cpu/vectors/error_function.hpp>
#include <tapeless/run/cpu/vectors/exponential.hpp>
#include <tapeless/run/cpu/vectors/logarithm.hpp>
#include <tapeless/run/cpu/vectors/powers.hpp>
#include <tapeless/run/cpu/vectors/rounding.hpp>
#include <tapeless/run/cpu/vectors/trigonometric.hpp>
#include <tapeless/run/cpu/vectors/vector_arithmetic.hpp>
#include <tapeless/run/cpu/vectors/vector_square_root.hpp>

namespace tapeless::cpu_kernels {

// The functions where vectors are short. Those of longer ones are more constrained.
template <class T>
wide<T> exp(wide<T> x) {
  return one_by_one(x, [](T t) { return std::exp(t); });
}
template <class T>
wide<T> exp2(wide<T> x) {
  return one_by_one(x, [](T t) { return std::exp2(t); });
}
template <class T>
wide<T> expm1(wide<T> x) {
  return one_by_one(x, [](T t) { return std::expm1(t); });
}
template <class T>
wide<T> log(wide<T> x) {
  return one_by_one(x, [](T t) { return std::log(t); });
}
template <class T>
wide<T> log2(wide<T> x) {
  return one_by_one(x, [](T t) { return std::log2(t); });
}
template <class T>
wide<T> log1p(wide<T> x) {
  return one_by_one(x, [](T t) { return std::log1p(t); });
}
template <class T>
wide<T> sin(wide<T> x) {
  return one_by_one(x, [](T t) { return std::sin(t); });
}
template <class T>
wide<T> cos(wide<T> x) {
  return one_by_one(x, [](T t) { return std::cos(t); });
}
template <class T>
wide<T> tan(wide<T> x) {
  return one_by_one(x, [](T t) { return std::tan(t); });
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
wide<T> tanh(wide<T> x) {
  return one_by_one(x, [](T t) { return std::tanh(t); });
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
wide<T> pow(wide<T> x, wide<T> y) {
  return one_by_one(x, y, [](T t, T u) { return std::pow(t, u); });
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
