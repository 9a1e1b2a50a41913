// SPDX-License-Identifier: BSL-1.0
// The types of numbers that a column can have.
#pragma once

#include <cstdint>

#include <tapeless/graph/core/element.hpp>

namespace tapeless::data::detail {

/// Calls f(T*) with null of the type of numbers that the element is; false where it is none.
template <class F>
[[nodiscard]] bool with_number_type(element type, F f) {
  switch (type) {
    case element::f32:
      return f(static_cast<const float*>(nullptr)), true;
    case element::f64:
      return f(static_cast<const double*>(nullptr)), true;
    case element::i32:
      return f(static_cast<const std::int32_t*>(nullptr)), true;
    case element::i64:
      return f(static_cast<const std::int64_t*>(nullptr)), true;
    case element::u8:
      return f(static_cast<const std::uint8_t*>(nullptr)), true;
    case element::i8:
      return f(static_cast<const std::int8_t*>(nullptr)), true;
    case element::i16:
      return f(static_cast<const std::int16_t*>(nullptr)), true;
    case element::u32:
      return f(static_cast<const std::uint32_t*>(nullptr)), true;
    case element::f16:
    case element::bf16:
    case element::boolean:
    case element::number:
      break;
  }
  return false;
}

}  // namespace tapeless::data::detail
