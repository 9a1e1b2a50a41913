// SPDX-License-Identifier: BSL-1.0
// cast<T>(x): the same numbers in another element type.
#pragma once

#include <concepts>

#include <tapeless/expr/make.hpp>
#include <tapeless/graph/core/infinity.hpp>
#include <tapeless/graph/structural/copy.hpp>
#include <tapeless/ops/base/pointwise_operation.hpp>

namespace tapeless {

struct cast_operation {
  static constexpr std::string_view name = "cast";
  static constexpr int arity = 1;
  static constexpr value cotangent_of(int, value g, const value* x, value) {
    return is_floating(x[0].type()) ? cast(g, x[0].type()) : value{};
  }
};

namespace detail {

/// The number as elements of the type have it: whole numbers have no fraction, conditions are 0 or 1.
constexpr double number_as(double number, element type) {
  if (type == element::boolean) return number != 0 ? 1 : 0;
  if (type == element::i32) return whole_part<std::int32_t>(number);
  if (type == element::u8) return whole_part<std::uint8_t>(number);
  if (type == element::i8) return whole_part<std::int8_t>(number);
  if (type == element::i16) return whole_part<std::int16_t>(number);
  if (type == element::u32) return whole_part<std::uint32_t>(number);
  return type == element::i64 ? static_cast<double>(whole_part<std::int64_t>(number)) : number;
}

}  // namespace detail

constexpr value cast(value x, element type) {
  if (x.type() == type) return x;
  if (is_constant(x)) return make_constant(*x.builder, detail::number_as(x.get().number, type), type);
  node n;
  n.op = &operation_of<cast_operation>;
  n.type = type;
  set_shape(n, shape_of(x));
  n.operand_count = 1;
  n.operands[0] = x.id;
  return x.insert(n);
}

namespace detail {

/// The number as elements of 16 bits have it.
constexpr double number_in_16_bits(double number, element type) {
  constexpr double most = largest_finite(element::f32);
  const float x = number > most    ? above_all<float>
                  : number < -most ? below_all<float>
                                   : static_cast<float>(number);
  return static_cast<double>(type == element::f16 ? float(f16(x)) : float(bf16(x)));
}

/// The cast that a model asks for: a constant has the digits of its type. One that takes the type of the
/// tensor it meets keeps its own, as an epsilon does that 16 bits cannot hold.
template <std::same_as<value> Value>
constexpr Value cast_as_asked(Value x, element type) {
  const maybe<double> number = known_number(x);
  return number && is_half(type) ? make_constant(*x.builder, number_in_16_bits(*number, type), type)
                                 : cast(x, type);
}

/// f(x), computed in float for x of 16 bits, and rounded once.
template <class F>
constexpr value at_least_float(value x, const F& f) {
  return is_half(x.type()) ? cast(f(value(cast(x, element::f32))), x.type()) : f(x);
}

/// x at least in float, also under mixed_precision: for coordinates, of which 16 bits tell few apart.
constexpr value always_float(value x) {
  x = cast(x, computed_in(x.type()));
  if (x.type() != element::f32 || x.is(family::input)) return x;
  node n = copy_of(*x.builder, x.id, 0);
  n.op = &float_operation;
  return x.insert(n);
}

}  // namespace detail

/// The statement of a cast to a given element type.
template <element Type>
struct cast_to_operation {
  static constexpr int arity = 1;
  static constexpr value build(std::same_as<value> auto x) { return detail::cast_as_asked(x, Type); }
};

/// x with elements of type T: floating to integer truncates, a condition becomes 0 or 1. What is beyond an
/// integer type's range becomes its end there, NaN its lowest number. A number is rounded to 16 bits; what
/// a pass over memory computes keeps float's digits until it is stored, see bf16. The gradient is cast back;
/// none flows to or through integers and conditions.
/// @formula y = x as elements of type T; the gradient is cast back
/// @shapes any type [..] -> T [..]
/// @torch x.to(dtype)
/// @jax x.astype(dtype)
/// @given x = [-1.7, 0, 2.7]
/// @gives tl::cast<std::int32_t>(x) = [-1, 0, 2]
template <element_type T>
constexpr value cast(is_value auto x) {
  return cast(x, element_of<T>);
}
template <element_type T>
TAPELESS_FACTORY auto cast(expression_operand auto x) {
  return make<cast_to_operation<element_of<T>>>(x);
}

}  // namespace tapeless
