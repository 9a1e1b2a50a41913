// SPDX-License-Identifier: BSL-1.0
// The arithmetic of straight-line code: that of tables of kernels, with the same bits.
#pragma once

#include <type_traits>

#include <tapeless/run/cpu/straight_line/packet_functions.hpp>

namespace tapeless::cpu_kernels {

namespace detail {

template <class T, int Width>
struct lanes_in_packets {
  static constexpr bool are_there = Width <= packet_size<T>;
  using type = std::conditional_t<are_there, packet_lanes<T, Width>,
                                  typename bare_kernels::lanes_with<T, Width>::type>;
};
template <class T>
struct lanes_in_packets<T, 1> {
  using type = bare_kernels::one_lane<T>;
};

}  // namespace detail

/// As tables have it: functions of packets where a kernel's numbers are of one type, those of the standard
/// library where they are not; and the order of their sums. What is wider than packets has functions of its
/// own.
struct arithmetic_of_tables {
  static constexpr bool sums_as_tables = true, has_multiply_add = cpu_kernels::has_multiply_add;
  /// The numbers of a vector of tables, on which the order of sums depends.
  template <class T>
  static constexpr int width = packet_size<T>;
  template <class T, int Width>
  using lanes = typename detail::lanes_in_packets<T, Width>::type;
  /// a b + c of numbers or vectors.
  template <class Held>
  [[gnu::always_inline]] static Held multiply_add(Held a, Held b, Held c) {
    if constexpr (requires { a.x; }) {
      return Held{multiply_add_as_packets(a.x, b.x, c.x)};
    } else {
      return multiply_add_as_packets(a, b, c);
    }
  }
  template <class Result, class X>
  [[gnu::always_inline]] static Result as_result(X x) {
    return tapeless::as_result<Result>(x);
  }

  template <bool OfOneType, class T>
  static constexpr auto operand(T value) {
    if constexpr (OfOneType && std::is_floating_point_v<T>) {
      return straight_number<T>(value);
    } else {
      return value;
    }
  }
};

}  // namespace tapeless::cpu_kernels
