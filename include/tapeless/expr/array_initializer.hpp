// SPDX-License-Identifier: BSL-1.0
// values<table>(): a parameter that starts as an array of the program: a filter bank, a window.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <tapeless/graph/core/graph_tables.hpp>

namespace tapeless {

namespace detail {

/// The numbers in a std::array, or in one of such arrays, counted in row-major order.
template <class T>
struct array_elements {
  static constexpr bool are_numbers = std::is_arithmetic_v<T>;
  static constexpr std::int64_t count = 1;
  static constexpr int rank = 0;
  static constexpr double at(const T& x, std::int64_t) { return static_cast<double>(x); }
  static constexpr void write_extents(std::int64_t*) {}
};
template <class T, std::size_t N>
struct array_elements<std::array<T, N>> {
  using inner = array_elements<T>;
  static constexpr bool are_numbers = inner::are_numbers && N > 0 && inner::rank < max_rank;
  static constexpr std::int64_t count = static_cast<std::int64_t>(N) * inner::count;
  static constexpr int rank = inner::rank + 1;
  static constexpr double at(const std::array<T, N>& x, std::int64_t i) {
    return inner::at(x[static_cast<std::size_t>(i / inner::count)], i % inner::count);
  }
  static constexpr void write_extents(std::int64_t* to) {
    *to = static_cast<std::int64_t>(N);
    inner::write_extents(to + 1);
  }
};

/// They stay in the array, in their own type.
template <auto Array>
struct values_of_array {
  using elements = array_elements<std::remove_const_t<decltype(Array)>>;
  static constexpr double at(std::int64_t i) { return elements::at(Array, i); }
  static constexpr given_values all = [] {
    given_values v{&at, elements::count, elements::rank};
    elements::write_extents(v.extents);
    return v;
  }();
};

}  // namespace detail

/// Elements start as those of a constexpr std::array of numbers, which are converted to double and then to
/// the parameter's type: param<"mel", float, 40, 257>(values<mel>()). An array of numbers has as many as the
/// parameter, in row-major order; one of arrays has its shape. Arrays of bf16 and f16 are refused, and so are
/// numbers that a parameter of integers cannot hold, or that double may round. In a loop whose iterations
/// have parameters of their own each of these starts so. Behind stop_gradient no rule changes them.
template <auto Array>
constexpr initializer values() {
  using elements = detail::array_elements<std::remove_const_t<decltype(Array)>>;
  constexpr bool is_array = elements::are_numbers && elements::rank > 0;
  static_assert(is_array,
                "tapeless: values takes a std::array of numbers, or of such arrays, with one element or "
                "more: constexpr std::array<float, 3> table{1, 2, 3}; tl::values<table>()");
  if constexpr (is_array) {
    return {.kind = initializer::kind::values, .given = &detail::values_of_array<Array>::all};
  } else {
    return {};
  }
}

}  // namespace tapeless
