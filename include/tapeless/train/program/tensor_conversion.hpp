// SPDX-License-Identifier: BSL-1.0
// Elements of one type, in another.
#pragma once

#include <cstdint>
#include <cstring>

#include <tapeless/graph/core/cmath.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/element.hpp>
#include <tapeless/train/program/parameters.hpp>

namespace tapeless::detail {

/// An element as a number. Integers above 2^53 are rounded.
inline double read_number(element type, const std::byte* from) {
  const auto read = [from](auto number) {
    std::memcpy(&number, from, sizeof number);
    return static_cast<double>(number);
  };
  switch (type) {
    case element::f32:
      return read(float());
    case element::f64:
    case element::number:
      return read(double());
    case element::f16: {
      f16 x;
      std::memcpy(&x, from, sizeof x);
      return static_cast<double>(static_cast<float>(x));
    }
    case element::bf16: {
      bf16 x;
      std::memcpy(&x, from, sizeof x);
      return static_cast<double>(static_cast<float>(x));
    }
    case element::i32:
      return read(std::int32_t());
    case element::i64:
      return read(std::int64_t());
    case element::i8:
      return read(std::int8_t());
    case element::i16:
      return read(std::int16_t());
    case element::u32:
      return read(std::uint32_t());
    case element::u8:
    case element::boolean:
      return read(std::uint8_t());
  }
  return 0;
}

/// Where element number i is, of elements of that type.
inline std::byte* element_at(std::byte* data, element type, std::int64_t i) {
  return data + static_cast<std::size_t>(i) * size_of(type);
}

/// The place of the first finite element that is infinite in another type; `count` where there is none.
TAPELESS_COLD inline std::int64_t first_too_large(element from_type, const std::byte* from, element to_type,
                                                  std::int64_t count) {
  const bool all_fit = from_type == to_type || to_type == element::f64 ||
                       (to_type == element::f32 && from_type != element::f64);
  if (all_fit || !is_floating(to_type)) return count;
  std::byte converted[sizeof(double)] = {};
  for (std::int64_t i = 0; i < count; ++i, from += size_of(from_type)) {
    const double x = read_number(from_type, from);
    store_number(x, to_type, converted);
    if (std::isfinite(x) && !std::isfinite(read_number(to_type, converted))) return i;
  }
  return count;
}

/// Writes elements of one type as another; floating ones are rounded to the nearest, those of 16 bits by way
/// of float.
TAPELESS_COLD inline void convert_elements(element from_type, const std::byte* from, element to_type,
                                           std::byte* to, std::int64_t count) {
  if (from_type == to_type) {
    std::memmove(to, from, static_cast<std::size_t>(count) * size_of(to_type));
    return;
  }
  const std::size_t from_size = size_of(from_type), to_size = size_of(to_type);
  for (std::int64_t i = 0; i < count; ++i, from += from_size, to += to_size)
    store_number(read_number(from_type, from), to_type, to);
}

}  // namespace tapeless::detail
