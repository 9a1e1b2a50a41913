// SPDX-License-Identifier: BSL-1.0
// Shifts of integers by the operator BitShift, which takes those without a sign.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/element.hpp>
#include <tapeless/onnx/value_writer.hpp>

namespace tapeless::onnx {

enum class shift_direction : std::uint8_t { left, right };

/// a moved by b bits, of integers of that type. Where b is negative, or as many as there are bits, no bit of
/// a is left. A negative a that is moved to the right is -1 - (-1 - a) / 2^b.
TAPELESS_COLD inline std::string write_shift(value_writer& to, shift_direction direction, std::string a,
                                             std::string b, element type, std::string_view result) {
  const bool is_long = type == element::i64 || type == element::u32;
  const element wide = is_long ? element::i64 : element::i32;  // runtimes compare and choose these
  const int without_sign = is_long ? 13 : 12;                  // UINT64 and UINT32
  const bool is_left = direction == shift_direction::left, casts = wide != type;
  const auto cast = [&](const std::string& x, int number, std::string_view name = {}) {
    return to.add("Cast", {x}, attributes().set("to", number), name);
  };
  if (casts) a = cast(a, type_number(wide)), b = cast(b, type_number(wide));
  const std::string zero = to.number(0, wide),
                    bits = to.number(8.0 * static_cast<double>(size_of(type)), wide);
  const std::string negative = is_left ? std::string() : to.add("Less", {a, zero});
  const auto turned = [&](const std::string& x, std::string_view name) {
    return is_left ? x : to.add("Where", {negative, to.add("BitwiseNot", {x}), x}, name);
  };
  const std::string stays = to.add("And", {to.add("GreaterOrEqual", {b, zero}), to.add("Less", {b, bits})});
  const std::string by = cast(to.add("Where", {stays, b, zero}), without_sign);
  const std::string moved = to.add("BitShift", {cast(turned(a, {}), without_sign), by},
                                   attributes().set("direction", is_left ? "LEFT" : "RIGHT"));
  const std::string_view last = casts ? std::string_view() : result;
  const std::string kept =
      to.add("Where", {stays, cast(moved, type_number(wide)), zero}, is_left ? last : std::string_view());
  const std::string y = turned(kept, last);
  return casts ? cast(y, type_number(type), result) : y;
}

}  // namespace tapeless::onnx
