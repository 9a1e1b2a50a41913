// SPDX-License-Identifier: BSL-1.0
// Whether straight-line code gives the bits that tables of kernels give.
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

#include <tapeless/run/cpu/straight_line_at.hpp>
#include <tapeless/tapeless.hpp>

#include "catch.hpp"

namespace test {

template <class T>
auto bits_of(T x) {
  using bits = std::conditional_t<sizeof(T) == 2, std::uint16_t,
                                  std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>;
  return std::bit_cast<bits>(x);
}
/// Checks all elements of two views. All numbers that are none count as equal.
template <class View, class Other>
void check_bits(const View& given, const Other& wanted) {
  REQUIRE(given.size() == wanted.size());
  if (wanted.size() == 0) return;
  std::size_t different = 0, last = 0;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const bool are_none = given[i] != given[i] && wanted[i] != wanted[i];
    if (are_none || bits_of(given[i]) == bits_of(wanted[i])) continue;
    ++different;
    last = i;
  }
  INFO("of " << wanted.size() << " elements, element " << last << ": " << static_cast<double>(given[last])
             << ", not " << static_cast<double>(wanted[last]));
  CHECK(different == 0);
}

/// What operands are made of.
enum class operand_kind {
  usual,
  extreme,  ///< infinities, such that are none, zeros of both signs among them
  tiny      ///< whose products are denormal, or too small for a number
};
/// Numbers whose sums are rounded, other ones for each seed.
template <class T>
std::vector<T> some_numbers(std::size_t count, unsigned seed, operand_kind of) {
  std::vector<T> all(count);
  unsigned state = seed * 2654435761u + 12345u;
  for (T& x : all) {
    state = state * 1664525u + 1013904223u;
    const unsigned high = state >> 8;
    float number = static_cast<float>(high) / 8388608.0f - 1;
    if (of == operand_kind::tiny)
      number *= sizeof(T) == 8 ? 1 : high % 3 == 0 ? 1e-19f : high % 3 == 1 ? 3e-20f : 1e-23f;
    if (of == operand_kind::extreme) {
      if (high % 97 == 0) number = HUGE_VALF;
      if (high % 97 == 1) number = -HUGE_VALF;
      if (high % 97 == 2) number = NAN;
      if (high % 5 == 3) number = high % 2 == 0 ? 0.0f : -0.0f;
    }
    double wide = static_cast<double>(number);
    if (of == operand_kind::tiny && sizeof(T) == 8)
      wide *= high % 3 == 0 ? 1e-154 : high % 3 == 1 ? 3e-155 : 1e-160;
    x = static_cast<T>(wide);
  }
  return all;
}

/// A program of a static model as straight-line code, against tables of the same model, and of the same model
/// with run-time extents on tl::cpu by more threads. `Names` are those of its outputs.
template <tapeless::name... Names, class Static, class Dynamic, class... Bindings>
void check_same_bits(Static model, Dynamic dynamic, const Bindings&... bindings) {
  namespace tl = tapeless;
  const tl::function line{model, tl::straight_line{.threads = 1}};
  const tl::function tables{model, tl::cpu_by_tables{.threads = 1}};
  const tl::function others{dynamic, tl::cpu{.threads = 2}};
  using graph_builder = typename decltype(line)::graph_builder;
  STATIC_REQUIRE(tl::straight_line::in_line<graph_builder>::count > 0);
  const auto given = line(bindings...);
  const auto wanted = tables(bindings...);
  const auto again = others(bindings...);
  const auto check = [&]<tl::name Name>() {
    INFO("output " << Name.view());
    check_bits(given.template get<Name>(), wanted.template get<Name>());
    check_bits(again.template get<Name>(), wanted.template get<Name>());
  };
  (check.template operator()<Names>(), ...);
}

}  // namespace test
