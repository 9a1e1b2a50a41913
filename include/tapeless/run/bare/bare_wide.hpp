// SPDX-License-Identifier: BSL-1.0
// Vectors as the values of a fused kernel's registers: what operations compute with, as bare_number is for
// one number, with the same bits.
#pragma once

#include <type_traits>

#include <tapeless/ops/base/scalar.hpp>
#include <tapeless/run/bare/bare_functions.hpp>
#include <tapeless/run/bare/bare_special_functions.hpp>
#include <tapeless/run/bare/bare_vectors.hpp>
#include <tapeless/run/common/registers.hpp>

namespace tapeless::bare_kernels {

/// Conditions on the numbers of a vector, each all ones or all zeros.
template <class Lanes>
struct bare_conditions {
  typename Lanes::integers x;

  friend bare_conditions operator&&(bare_conditions a, bare_conditions b) { return {a.x & b.x}; }
  friend bare_conditions operator||(bare_conditions a, bare_conditions b) { return {a.x | b.x}; }
  friend bare_conditions operator!(bare_conditions a) { return {~a.x}; }
  friend bare_conditions operator!=(bare_conditions a, bare_conditions b) { return {a.x ^ b.x}; }
  friend bare_conditions operator==(bare_conditions a, bare_conditions b) { return {~(a.x ^ b.x)}; }
};

/// A vector of numbers.
template <class Lanes>
struct bare_wide {
  using lanes = Lanes;
  using conditions = bare_conditions<Lanes>;
  typename Lanes::held x;

  friend bare_wide operator+(bare_wide a, bare_wide b) { return {a.x + b.x}; }
  friend bare_wide operator-(bare_wide a, bare_wide b) { return {a.x - b.x}; }
  friend bare_wide operator*(bare_wide a, bare_wide b) { return {Lanes::product(a.x, b.x)}; }
  friend bare_wide operator/(bare_wide a, bare_wide b) { return {a.x / b.x}; }
  friend bare_wide operator-(bare_wide a) { return {-a.x}; }
  friend conditions operator<(bare_wide a, bare_wide b) { return {a.x < b.x}; }
  friend conditions operator<=(bare_wide a, bare_wide b) { return {a.x <= b.x}; }
  friend conditions operator>(bare_wide a, bare_wide b) { return {a.x > b.x}; }
  friend conditions operator>=(bare_wide a, bare_wide b) { return {a.x >= b.x}; }
  friend conditions operator==(bare_wide a, bare_wide b) { return {a.x == b.x}; }
  friend conditions operator!=(bare_wide a, bare_wide b) { return {a.x != b.x}; }
};

/// Vectors that have the functions here. Others have functions beside their lanes.
template <class X>
inline constexpr bool is_own_wide = false;
template <class T, int Width>
inline constexpr bool is_own_wide<bare_wide<vector_lanes<T, Width>>> = true;
template <class X>
concept own_wide = is_own_wide<X>;

template <class Lanes>
typename Lanes::number element_number(bare_wide<Lanes>);
/// first, first + Step, first + 2 Step, ..., each rounded once.
template <class Lanes, std::int64_t Step, int... Lane>
typename Lanes::held counted(std::ptrdiff_t first, std::integer_sequence<int, Lane...>) {
  using number = typename Lanes::number;
  constexpr std::ptrdiff_t exact = sizeof(number) == sizeof(float) ? 1 << 24 : 1 << 30,
                           last = Step * static_cast<std::ptrdiff_t>(sizeof...(Lane));
  if (first >= 0 && first <= exact && first + last >= 0 && first + last <= exact)
    return Lanes::spread(static_cast<number>(first)) +
           typename Lanes::held{static_cast<number>(Lane * Step)...};
  return typename Lanes::held{static_cast<number>(first + Lane * Step)...};
}
template <class Lanes>
bare_wide<Lanes> spread(typename Lanes::number x) {
  return {Lanes::spread(x)};
}
template <class Lanes>
bare_wide<Lanes> number_like(bare_wide<Lanes>, double x) {
  return spread<Lanes>(static_cast<typename Lanes::number>(x));
}

template <class Lanes>
bare_wide<Lanes> choose(bare_conditions<Lanes> condition, bare_wide<Lanes> a, bare_wide<Lanes> b) {
  return {condition.x ? a.x : b.x};
}
template <class Lanes>
bare_conditions<Lanes> choose(bare_conditions<Lanes> condition, bare_conditions<Lanes> a,
                              bare_conditions<Lanes> b) {
  return (condition && a) || (!condition && b);
}
/// 1 where the condition holds, 0 elsewhere.
template <class Lanes>
bare_wide<Lanes> as_numbers(bare_conditions<Lanes> condition) {
  using number = typename Lanes::number;
  return {condition.x ? Lanes::spread(number(1)) : Lanes::spread(number(0))};
}
/// Where the number is not 0.
template <class Lanes>
bare_conditions<Lanes> as_conditions(bare_wide<Lanes> x) {
  return {x.x != typename Lanes::held{}};
}

template <class Lanes>
bare_wide<Lanes> larger(bare_wide<Lanes> a, bare_wide<Lanes> b) {
  return choose((a < b) || (b != b), b, a);
}
template <class Lanes>
bare_wide<Lanes> smaller(bare_wide<Lanes> a, bare_wide<Lanes> b) {
  return choose((b < a) || (b != b), b, a);
}
template <class Lanes>
bare_wide<Lanes> positive_part(bare_wide<Lanes> x) {
  return choose(x < bare_wide<Lanes>{}, bare_wide<Lanes>{}, x);
}
template <class Lanes>
bare_wide<Lanes> sign_of(bare_wide<Lanes> x) {
  using number = typename Lanes::number;
  const bare_wide<Lanes> one = spread<Lanes>(number(1)), minus_one = spread<Lanes>(number(-1));
  return choose(x > bare_wide<Lanes>{}, one, choose(x < bare_wide<Lanes>{}, minus_one, x));
}
template <class Lanes>
bare_wide<Lanes> limited_above(bare_wide<Lanes> x, bare_wide<Lanes> limit) {
  return choose(limit < x, limit, x);
}
template <class Lanes>
bare_wide<Lanes> limited_below(bare_wide<Lanes> x, bare_wide<Lanes> limit) {
  return choose(x < limit, limit, x);
}
template <own_wide X>
X product_error(X a, X b, X product) {
  return error_of_halves(a, b, product);
}

template <class Lanes>
[[gnu::always_inline]] inline bare_wide<Lanes> abs(bare_wide<Lanes> x) {
  return {detail::size_of_numbers<Lanes>(x.x)};
}
template <class Lanes>
[[gnu::always_inline]] inline bare_wide<Lanes> sqrt(bare_wide<Lanes> x) {
  return {Lanes::root(x.x)};
}
template <own_wide X>
[[gnu::always_inline]] inline X exp(X x) {
  return {detail::exponential_in<typename X::lanes>(x.x)};
}
template <own_wide X>
[[gnu::always_inline]] inline X log(X x) {
  return {detail::logarithm_in<typename X::lanes>(x.x)};
}
template <own_wide X>
[[gnu::always_inline]] inline X tanh(X x) {
  return {detail::hyperbolic_tangent_in<typename X::lanes>(x.x)};
}

// What has branches goes through the functions of one number.
template <own_wide X, class F, class... More>
X one_by_one(F f, X x, More... more) {
  using number = bare_number<typename X::lanes::number>;
  for (int i = 0; i < X::lanes::width; ++i) x.x[i] = f(number(x.x[i]), number(more.x[i])...).x;
  return x;
}
template <own_wide X>
X log1p(X x) {
  return one_by_one([](auto a) { return log1p(a); }, x);
}
template <own_wide X>
X expm1(X x) {
  return one_by_one([](auto a) { return expm1(a); }, x);
}
template <own_wide X>
X exp2(X x) {
  return one_by_one([](auto a) { return exp2(a); }, x);
}
template <own_wide X>
X log2(X x) {
  return one_by_one([](auto a) { return log2(a); }, x);
}
template <own_wide X>
X sin(X x) {
  return one_by_one([](auto a) { return sin(a); }, x);
}
template <own_wide X>
X cos(X x) {
  return one_by_one([](auto a) { return cos(a); }, x);
}
template <own_wide X>
X tan(X x) {
  return one_by_one([](auto a) { return tan(a); }, x);
}
template <own_wide X>
X asin(X x) {
  return one_by_one([](auto a) { return asin(a); }, x);
}
template <own_wide X>
X acos(X x) {
  return one_by_one([](auto a) { return acos(a); }, x);
}
template <own_wide X>
X atan(X x) {
  return one_by_one([](auto a) { return atan(a); }, x);
}
template <own_wide X>
X sinh(X x) {
  return one_by_one([](auto a) { return sinh(a); }, x);
}
template <own_wide X>
X cosh(X x) {
  return one_by_one([](auto a) { return cosh(a); }, x);
}
template <own_wide X>
X erf(X x) {
  return one_by_one([](auto a) { return erf(a); }, x);
}
template <own_wide X>
X erfc(X x) {
  return one_by_one([](auto a) { return erfc(a); }, x);
}
template <own_wide X>
X floor(X x) {
  return one_by_one([](auto a) { return floor(a); }, x);
}
template <own_wide X>
X ceil(X x) {
  return one_by_one([](auto a) { return ceil(a); }, x);
}
template <own_wide X>
X trunc(X x) {
  return one_by_one([](auto a) { return trunc(a); }, x);
}
template <own_wide X>
X nearbyint(X x) {
  return one_by_one([](auto a) { return nearbyint(a); }, x);
}
template <own_wide X>
X pow(X x, X y) {
  return one_by_one([](auto a, auto b) { return pow(a, b); }, x, y);
}
template <own_wide X>
X atan2(X x, X y) {
  return one_by_one([](auto a, auto b) { return atan2(a, b); }, x, y);
}
template <own_wide X>
X remainder_of(X x, X y) {
  return one_by_one([](auto a, auto b) { return remainder_of(a, b); }, x, y);
}

/// A register gets the vector itself.
template <class Lanes>
bare_wide<Lanes> from_operand(bare_wide<Lanes> x) {
  return x;
}
template <class Lanes>
bare_conditions<Lanes> from_operand(bare_conditions<Lanes> x) {
  return x;
}

/// The registers of a fused kernel: where Lanes are more than one all have their numbers, or conditions on
/// them.
template <class Lanes>
struct bare_lanes {
  static constexpr int width = Lanes::width;
  template <element Type>
  using value = std::conditional_t<Type == element::boolean, bare_conditions<Lanes>, bare_wide<Lanes>>;
};
template <class T>
struct bare_lanes<one_lane<T>> : narrow_lanes {};

/// The arithmetic of a program: the lanes of its vectors, which have its functions, what operations are given
/// of a register's value, and the order of sums. This one has the functions of run/bare/, and orders that
/// depend on extents alone.
struct own_arithmetic {
  static constexpr bool sums_as_tables = false, has_multiply_add = false;
  template <class T, int Width>
  using lanes = typename lanes_with<T, Width>::type;
  /// a b + c of numbers or vectors.
  template <class Held>
  [[gnu::always_inline]] static Held multiply_add(Held a, Held b, Held c) {
    return c + a * b;
  }
  template <class Result, class X>
  [[gnu::always_inline]] static Result as_result(X x) {
    return static_cast<Result>(x);
  }

  /// OfOneType: whether all numbers of the kernel are.
  template <bool OfOneType, class T>
  static constexpr auto operand(T value) {
    if constexpr (std::is_floating_point_v<T>) {
      return bare_number<T>(value);
    } else {
      return value;
    }
  }
};

}  // namespace tapeless::bare_kernels
