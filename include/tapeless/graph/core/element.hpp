// SPDX-License-Identifier: BSL-1.0
// Element types as values: what a tensor's elements are, by name, size and kind.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include <tapeless/graph/core/half.hpp>

namespace tapeless {

/// The type of a tensor's elements. `number` is a scalar without a type of its own (a constant, a
/// hyperparameter): it is computed in double and takes the type of the tensor that it meets. The number of a
/// model in checkpoints is made of these numbers: new types come last.
enum class element : std::uint8_t { f32, f64, f16, bf16, i32, i64, u8, boolean, number, i8, i16, u32 };

/// The C++ type's element, e.g. element_of<float> == element::f32; ill-formed for types that have none.
template <class T>
inline constexpr element element_of = [] {
  if constexpr (std::is_same_v<T, float>) return element::f32;
  if constexpr (std::is_same_v<T, double>) return element::f64;
  if constexpr (std::is_same_v<T, f16>) return element::f16;
  if constexpr (std::is_same_v<T, bf16>) return element::bf16;
  if constexpr (std::is_same_v<T, bool>) return element::boolean;
  if constexpr (std::is_same_v<T, unsigned char>) return element::u8;
  if constexpr (std::is_same_v<T, std::uint32_t>) return element::u32;
  if constexpr (std::is_same_v<T, std::int8_t>) return element::i8;
  if constexpr (std::is_same_v<T, std::int16_t>) return element::i16;
  if constexpr (std::is_integral_v<T> && std::is_signed_v<T> && sizeof(T) == 4) return element::i32;
  if constexpr (std::is_integral_v<T> && std::is_signed_v<T> && sizeof(T) == 8) return element::i64;
}();

/// Whether T is a C++ type that a tensor's elements can have.
template <class T>
concept element_type =
    std::is_same_v<T, float> || std::is_same_v<T, double> || is_16_bit<T> || std::is_same_v<T, bool> ||
    std::is_same_v<T, unsigned char> || std::is_same_v<T, std::uint32_t> || std::is_same_v<T, std::int8_t> ||
    std::is_same_v<T, std::int16_t> ||
    (std::is_integral_v<T> && std::is_signed_v<T> && (sizeof(T) == 4 || sizeof(T) == 8));

/// Bytes of one element.
constexpr std::size_t size_of(element type) {
  switch (type) {
    case element::f32:
    case element::i32:
    case element::u32:
      return 4;
    case element::f16:
    case element::bf16:
    case element::i16:
      return 2;
    case element::i8:
    case element::u8:
    case element::boolean:
      return 1;
    case element::f64:
    case element::i64:
    case element::number:
      return 8;
  }
  return 0;
}

/// The C++ spelling, as it appears in messages.
constexpr std::string_view name_of(element type) {
  constexpr std::string_view names[] = {"float",        "double",       "f16",          "bf16",
                                        "std::int32_t", "std::int64_t", "std::uint8_t", "bool",
                                        "number",       "std::int8_t",  "std::int16_t", "std::uint32_t"};
  return names[static_cast<int>(type)];
}

/// Whether derivatives flow through elements of this type.
constexpr bool is_floating(element type) {
  return type == element::f32 || type == element::f64 || type == element::f16 || type == element::bf16 ||
         type == element::number;
}

/// Whether elements of this type are whole numbers.
constexpr bool is_integer(element type) { return !is_floating(type) && type != element::boolean; }

/// Whether elements of this type are stored in 16 bits and computed in float.
constexpr bool is_half(element type) { return type == element::f16 || type == element::bf16; }
constexpr element computed_in(element type) { return is_half(type) ? element::f32 : type; }

namespace detail {

constexpr bool is_whole(double number) {
  return number > -9e18 && number < 9e18 && static_cast<double>(static_cast<std::int64_t>(number)) == number;
}

/// The smallest and the largest number of a type of whole numbers.
struct whole_range {
  std::int64_t lowest, largest;
};
constexpr whole_range range_of(element type) {
  if (type == element::boolean) return {0, 1};
  const bool is_signed = type != element::u8 && type != element::u32;
  const int bits = static_cast<int>(8 * size_of(type)) - (is_signed ? 1 : 0);
  const auto largest = static_cast<std::int64_t>((std::uint64_t{1} << bits) - 1);
  return {is_signed ? -largest - 1 : 0, largest};
}

}  // namespace detail

}  // namespace tapeless
