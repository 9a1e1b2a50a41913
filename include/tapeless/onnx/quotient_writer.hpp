// SPDX-License-Identifier: BSL-1.0
// Quotients and remainders of integers: where the library's wrap or are 0, runtimes stop, or end the program.
#pragma once

#include <string>
#include <string_view>

#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/element.hpp>
#include <tapeless/onnx/value_writer.hpp>

namespace tapeless::onnx {

/// Whether a runtime may stop at this divisor: an integer that is not known, or known to be 0 or -1.
constexpr bool may_stop(const node& divisor) {
  if (is_floating(divisor.type)) return false;
  return divisor.op->kind != family::constant || divisor.number == 0 || divisor.number == -1;
}

/// An integer divisor, with 1 in place of 0 and -1.
struct safe_divisor {
  std::string none;   // whether it is 0
  std::string minus;  // whether it is -1; empty where the type has no sign
  std::string value;

  TAPELESS_COLD safe_divisor(value_writer& to, const std::string& b, element type)
      : none(to.add("Equal", {b, to.number(0, type)})) {
    std::string either = none;
    if (type != element::u8 && type != element::u32) {
      minus = to.add("Equal", {b, to.number(-1, type)});
      either = to.add("Or", {none, minus});
    }
    value = to.add("Where", {either, to.number(1, type), b});
  }
};

/// a / b of integers, rounded towards zero; 0 where b is 0, -a where it is -1.
TAPELESS_COLD inline std::string write_quotient(value_writer& to, std::string a, std::string b, element type,
                                                std::string_view result) {
  const bool casts = type == element::i16;  // which runtimes do not choose
  const element wide = casts ? element::i32 : type;
  if (casts) a = to.cast(a, wide), b = to.cast(b, wide);
  const safe_divisor divisor(to, b, wide);
  std::string quotient = to.add("Div", {a, divisor.value});
  if (!divisor.minus.empty()) quotient = to.add("Where", {divisor.minus, to.add("Neg", {a}), quotient});
  const std::string y =
      to.add("Where", {divisor.none, to.number(0, wide), quotient}, casts ? std::string_view() : result);
  return casts ? to.cast(y, type, result) : y;
}

/// The remainder of a / b, with the sign of a; 0 where b is 0 or -1, as where it is 1.
TAPELESS_COLD inline std::string write_remainder(value_writer& to, std::string a, std::string b, element type,
                                                 std::string_view result) {
  const bool casts = type == element::i16;
  const element wide = casts ? element::i32 : type;
  if (casts) a = to.cast(a, wide), b = to.cast(b, wide);
  const safe_divisor divisor(to, b, wide);
  const std::string y =
      to.add("Mod", {a, divisor.value}, attributes().set("fmod", 1), casts ? std::string_view() : result);
  return casts ? to.cast(y, type, result) : y;
}

}  // namespace tapeless::onnx
