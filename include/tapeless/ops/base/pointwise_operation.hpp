// SPDX-License-Identifier: BSL-1.0
// What all element-by-element operations share: types meet, shapes broadcast.
#pragma once

#include <concepts>
#include <utility>

#include <tapeless/expr/contract.hpp>
#include <tapeless/graph/core/maybe.hpp>
#include <tapeless/graph/structural/leaf.hpp>
#include <tapeless/ops/base/element_kind.hpp>
#include <tapeless/ops/base/scalar.hpp>

namespace tapeless {

/// The operand in another element type. A constant stays a constant.
constexpr value cast(value x, element type);

namespace detail {

/// The number that a constant is, or one with a minus, as -2_c is. A template, for headers below neg.hpp,
/// which has it.
template <std::same_as<value> Value>
constexpr maybe<double> known_number(Value x);

template <class Operation, class... Values>
concept can_simplify = requires(Values... operands) { Operation::simplify(operands...); };

/// The element type that operands first..count-1 have in common; a number takes the others' type.
constexpr bool common_type(const value* x, int first, int count, element& type) {
  type = element::number;
  for (int i = first; i < count; ++i) {
    if (x[i].type() == element::number) continue;
    if (type != element::number && type != x[i].type()) return false;
    type = x[i].type();
  }
  return true;
}

constexpr value types_differ(std::string_view op, const value* x, int first, int count) {
  text t;
  t << op << " got operands of the element types ";
  for (int i = first; i < count; ++i)
    t << (i == first ? "" : i + 1 == count ? " and " : ", ") << name_of(x[i].type());
  return x[0].fail(t << ", which do not mix: tl::cast<T>(x) converts");
}

/// A constant among elements of the type; absent where these would wrap, or a double has no such number.
constexpr value constant_if_it_fits(graph& g, double number, element type) {
  if (is_integer(type)) {
    const whole_range range = range_of(type);
    const bool is_exact = number >= -0x1p53 && number <= 0x1p53;
    if (!is_exact || number < static_cast<double>(range.lowest) ||
        number > static_cast<double>(range.largest))
      return {};
  }
  return make_constant(g, number, type);
}

/// Whether the operands are of the kind, and a constant among whole numbers is one of theirs; an error
/// otherwise.
constexpr bool require_operands(std::string_view op, const value* x, int first, int count, element type,
                                element_kind kind) {
  const bool takes_fractions = is_floating(type);
  for (int i = 0; i < count; ++i) {
    if (i < first) {
      if (!require_kind(op, x[i], element_kind::booleans, "a condition")) return false;
      continue;
    }
    if (x[i].type() == type && !require_kind(op, x[i], kind)) return false;
    if (takes_fractions || !is_constant(x[i])) continue;
    const double number = x[i].get().number;
    const whole_range range = range_of(type);
    if (!is_whole(number)) {
      x[i].fail(text() << op << " got a constant that is no whole number next to elements of the type "
                       << name_of(type) << ": tl::cast<float>(x) converts these");
      return false;
    }
    const auto whole = static_cast<std::int64_t>(number);
    if (whole >= range.lowest && whole <= range.largest) continue;
    x[i].fail(text() << op << " got the constant " << whole << " next to elements of the type "
                     << name_of(type) << ", which are from " << range.lowest << " to " << range.largest
                     << ": tl::cast<std::int64_t>(x) converts these");
    return false;
  }
  return true;
}

/// Whether operands first..count-1 have one element type, of the kind; an error otherwise. Mostly all have,
/// which one look at each shows.
constexpr bool require_common_type(std::string_view op, const value* x, int first, int count,
                                   element_kind kind, element& type) {
  type = x[0].type();
  bool alike = first == 0 && is_of(type, kind);
  for (int i = 1; i < count; ++i) alike = alike && x[i].type() == type;
  if (alike) return true;
  if (common_type(x, first, count, type)) return require_operands(op, x, first, count, type, kind);
  types_differ(op, x, first, count);
  return false;
}

constexpr value shapes_do_not_fit(std::string_view op, const value* x, int count) {
  text t;
  t << op << " got operands of the shapes ";
  for (int i = 0; i < count; ++i) {
    t << (i == 0 ? "" : i + 1 == count ? " and " : ", ");
    x[i].builder->describe_shape(t, x[i].get());
  }
  return x[0].fail(
      t << ", which do not fit: seen from the last axis, two extents must be equal or one of them 1");
}

// An operation may say so, see operation.
template <class Operation>
concept is_brief = requires { Operation::is_brief; };

}  // namespace detail

/// What nodes refer to: the address is the operation's identity.
template <class Operation>
inline constexpr operation operation_of{
    Operation::name,          family::pointwise, jacobian::diagonal,
    &Operation::cotangent_of, nullptr,           detail::is_brief<Operation>};

/// The contract of an element-by-element operation. It derives from pointwise_operation and has
///   name
///   apply(x...)                 what it computes, on scalars and on a policy's vectors of them
///   cotangent(g, x, y)          its derivative; of several operands cotangent(k, g, x..., y), for number k
/// and may have
///   takes                       the kind of elements it takes, where it is not any numbers
///   result                      the result's element type, where it is not the operands' (boolean)
///   first_typed                 the first operand that has the common type: those before are conditions
///   simplify(x...)              a cheaper value that is the same, or {}
/// Laws:
///   apply depends on its arguments alone, and computes the same on a vector as on its scalars;
///   the cotangent is linear in g: the derivative at x times g, or {} where it is zero everywhere;
///   a simplified value has the same elements, but for the sign of a zero, and the same derivative.
template <class Op>
struct pointwise_contract {
  using subject = Op;
  static constexpr std::string_view noun = "element-by-element operation";
  static constexpr int arity = [] {
    if constexpr (requires { Op::arity + Op::first_typed + int(Op::takes); }) return Op::arity;
    return 0;
  }();

  /// Operand number I as apply sees it: a condition or a number.
  template <int I>
  static auto operand() {
    if constexpr (I < Op::first_typed || Op::takes == element_kind::booleans) {
      return bool();
    } else {
      return double();
    }
  }
  template <int... I>
  static constexpr bool applies(std::integer_sequence<int, I...>) {
    return requires {
      { Op::apply(operand<I>()...) } -> std::convertible_to<double>;
    };
  }
  template <int... I>
  static constexpr bool differentiates(std::integer_sequence<int, I...>) {
    if constexpr (sizeof...(I) == 1) {
      return requires(value v) {
        { Op::cotangent(v, v, v) } -> std::convertible_to<value>;
      };
    } else {
      return requires(value v) {
        { Op::cotangent(0, v, (void(I), v)..., v) } -> std::convertible_to<value>;
      };
    }
  }

  static constexpr bool has_name = requires { std::string_view(Op::name); };
  using operands = std::make_integer_sequence<int, arity>;
  static constexpr demand demands[4] = {
      {has_name, "name"},
      {arity >= 1 && arity <= 3, "the base pointwise_operation with one, two or three operands"},
      {applies(operands()), "apply(x...), static, which returns a number"},
      {differentiates(operands()),
       "cotangent(g, x, y), with several operands cotangent(k, g, x..., y), static, which returns a value"},
  };
};
template <class Op>
concept is_pointwise_operation = is_kept<pointwise_contract<Op>>();

/// Base of the element-by-element operations.
template <class Operation, int Arity>
struct pointwise_operation {
  using contract = pointwise_contract<Operation>;
  static constexpr int arity = Arity;
  static constexpr int first_typed = 0;
  static constexpr element_kind takes = element_kind::numbers;

  static constexpr value cotangent_of(int k, value g, const value* x, value y) {
    if constexpr (Arity == 1) return Operation::cotangent(g, x[0], y);
    if constexpr (Arity == 2) return Operation::cotangent(k, g, x[0], x[1], y);
    if constexpr (Arity == 3) return Operation::cotangent(k, g, x[0], x[1], x[2], y);
  }

  template <class... Values>
  static constexpr value build(Values... operands) {
    value x[] = {operands...};
    element type{};
    if (!detail::require_common_type(Operation::name, x, Operation::first_typed, Arity, Operation::takes,
                                     type))
      return x[0];
    for (int i = Operation::first_typed; i < Arity; ++i)
      if (x[i].type() != type) x[i] = cast(x[i], type);
    shape_list shape = shape_of(x[0]);
    for (int i = 1; i < Arity; ++i)
      if (!broadcast(shape, x[i].get())) return detail::shapes_do_not_fit(Operation::name, x, Arity);
    if constexpr (detail::can_simplify<Operation, Values...>) {
      const value simpler = simplified(x);
      if (simpler.exists())
        if (shape_of(simpler) == shape) return simpler;
    }
    node n;
    n.op = &operation_of<Operation>;
    n.type = type;
    if constexpr (requires { Operation::result; }) n.type = Operation::result;
    set_shape(n, shape);
    n.operand_count = Arity;
    for (int i = 0; i < Arity; ++i) n.operands[i] = x[i].id;
    return x[0].insert(n);
  }

 private:
  static constexpr value simplified(const value* x) {
    if constexpr (Arity == 1) return Operation::simplify(x[0]);
    if constexpr (Arity == 2) return Operation::simplify(x[0], x[1]);
    if constexpr (Arity == 3) return Operation::simplify(x[0], x[1], x[2]);
  }
};

}  // namespace tapeless
