// SPDX-License-Identifier: BSL-1.0
// Numbers and vectors of straight-line code have the functions of packets, whatever their width: the same
// bits in each lane.
#include <tapeless/run/cpu/straight_line/arithmetic_of_tables.hpp>

#include <type_traits>

#include "catch.hpp"

namespace {

namespace cpu = tapeless::cpu_kernels;

// Numbers from -3.4 to 3.9, so that each function has some outside of its domain.
template <class T>
T number_at(int i) {
  return static_cast<T>(0.7) * static_cast<T>(i % 11) - static_cast<T>(3.4) +
         static_cast<T>(0.01) * static_cast<T>(i);
}

template <class T>
void check_same(T given, T wanted) {
  CHECK((given == wanted || (given != given && wanted != wanted)));
}

template <int Width, class T, class F>
void check_width(const F& f) {
  if constexpr (Width <= cpu::packet_size<T> && Width >= tapeless::bare_kernels::least_vector_width<T>) {
    using lanes = cpu::arithmetic_of_tables::lanes<T, Width>;
    STATIC_REQUIRE(std::is_same_v<lanes, cpu::packet_lanes<T, Width>>);
    for (int begin = 0; begin < 22; begin += Width) {
      tapeless::bare_kernels::bare_wide<lanes> x, y;
      T all[cpu::packet_size<T>], others[cpu::packet_size<T>];
      for (int i = 0; i < cpu::packet_size<T>; ++i) {
        all[i] = number_at<T>(begin + i % Width);
        others[i] = number_at<T>(3 * (begin + i % Width) + 1);
      }
      for (int i = 0; i < Width; ++i) {
        x.x[i] = all[i];
        y.x[i] = others[i];
      }
      const auto given = f(x, y);
      T wanted[cpu::packet_size<T>];
      cpu::store(wanted, f(cpu::load(all), cpu::load(others)));
      for (int i = 0; i < Width; ++i) {
        INFO("width " << Width << ", of " << all[i] << " and " << others[i]);
        check_same<T>(given.x[i], wanted[i]);
      }
    }
  }
}
template <class T, class F>
void check_number(const F& f) {
  using arithmetic = cpu::arithmetic_of_tables;
  for (int i = 0; i < 22; ++i) {
    const T x = number_at<T>(i), y = number_at<T>(3 * i + 1);
    T wanted[cpu::packet_size<T>];
    cpu::store(wanted, f(cpu::splat(x), cpu::splat(y)));
    INFO("of " << x << " and " << y);
    check_same<T>(f(arithmetic::operand<true>(x), arithmetic::operand<true>(y)).x, wanted[0]);
  }
}
template <class F>
void check(const char* name, const F& f) {
  INFO(name);
  check_width<4, float>(f);
  check_width<8, float>(f);
  check_width<16, float>(f);
  check_width<2, double>(f);
  check_width<4, double>(f);
  check_width<8, double>(f);
  check_number<float>(f);
  check_number<double>(f);
}

}  // namespace

TEST_CASE("each function has the bits of a packet's") {
  check("exp", [](auto x, auto) { return exp(x); });
  check("log", [](auto x, auto) { return log(x); });
  check("tanh", [](auto x, auto) { return tanh(x); });
  check("sqrt", [](auto x, auto) { return sqrt(x); });
  check("abs", [](auto x, auto) { return abs(x); });
  check("log1p", [](auto x, auto) { return log1p(x); });
  check("expm1", [](auto x, auto) { return expm1(x); });
  check("exp2", [](auto x, auto) { return exp2(x); });
  check("log2", [](auto x, auto) { return log2(x); });
  check("sin", [](auto x, auto) { return sin(x); });
  check("cos", [](auto x, auto) { return cos(x); });
  check("tan", [](auto x, auto) { return tan(x); });
  check("asin", [](auto x, auto) { return asin(x); });
  check("acos", [](auto x, auto) { return acos(x); });
  check("atan", [](auto x, auto) { return atan(x); });
  check("sinh", [](auto x, auto) { return sinh(x); });
  check("cosh", [](auto x, auto) { return cosh(x); });
  check("erf", [](auto x, auto) { return erf(x); });
  check("erfc", [](auto x, auto) { return erfc(x); });
  check("floor", [](auto x, auto) { return floor(x); });
  check("ceil", [](auto x, auto) { return ceil(x); });
  check("trunc", [](auto x, auto) { return trunc(x); });
  check("nearbyint", [](auto x, auto) { return nearbyint(x); });
  check("pow", [](auto x, auto y) { return pow(x, y); });
  check("atan2", [](auto x, auto y) { return atan2(x, y); });
  check("remainder_of", [](auto x, auto y) { return remainder_of(x, y); });
  check("multiply_add", [](auto x, auto y) { return multiply_add(x, y, x); });
  check("product_error", [](auto x, auto y) { return product_error(x, y, x * y); });
  check("exponential_of", [](auto x, auto y) {
    const auto power = exponential_of(x);
    return power.scaled(y) * power.mantissa - power.value();
  });
}

TEST_CASE("numbers of several types in one kernel go through the standard library") {
  const auto x = cpu::arithmetic_of_tables::operand<false>(0.5f);
  STATIC_REQUIRE(std::is_same_v<decltype(x), const float>);
  STATIC_REQUIRE(std::is_same_v<decltype(cpu::arithmetic_of_tables::operand<true>(1)), int>);
}
