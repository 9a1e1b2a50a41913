// SPDX-License-Identifier: BSL-1.0
// Operations element by element as ONNX's operators: each by its rule. An operation without one does not
// compile.
#pragma once

#include <array>
#include <limits>
#include <numbers>

#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/onnx/quotient_writer.hpp>
#include <tapeless/onnx/shift_writer.hpp>
#include <tapeless/onnx/symbol.hpp>
#include <tapeless/ops/kernel_operations.hpp>

namespace tapeless::onnx {

/// Writes one node of the graph as operators.
struct pointwise_writer {
  value_writer& to;
  const names& x;           // the operands
  const node& operand;      // the last one
  element type;             // of it
  std::string_view result;  // the name of the result; empty where it has any

  std::string operator()(std::string_view op, name_list inputs) const { return to.add(op, inputs); }
  std::string operator()(std::string_view op, const names& inputs) const { return to.add(op, inputs); }
  std::string last(std::string_view op, name_list inputs) const { return to.add(op, inputs, result); }
  std::string last(std::string_view op, const names& inputs) const { return to.add(op, inputs, result); }
  std::string last(std::string_view op, const names& inputs, const attributes& with) const {
    return to.add(op, inputs, with, result);
  }
  std::string number(double value) const { return to.number(value, type); }
  std::string cast(const std::string& value, element other) const { return to.cast(value, other); }
};

/// An operation that is one operator.
template <name Operator>
struct one_operator {
  TAPELESS_COLD static std::string write(const pointwise_writer& w) { return w.last(Operator.view(), w.x); }
};
/// One that is written as it is computed: elements of 16 bits in float, as its constants may exceed them.
template <class Operation>
struct as_applied {
  TAPELESS_COLD static std::string write(const pointwise_writer& w) {
    const element wide = computed_in(w.type);
    const bool casts = wide != w.type;
    const symbol y = Operation::apply(symbol{&w.to, wide, casts ? w.cast(w.x[0], wide) : w.x[0]});
    if (casts) return w.to.cast(y.name, w.type, w.result);
    return w.result.empty() ? y.name : w.last("Identity", {y.name});
  }
};
/// One that ONNX cannot say.
struct unsaid {
  TAPELESS_COLD static std::string write(const pointwise_writer&) { return {}; }
};

/// One that is written as the operations that recognize.hpp makes it of.
struct composed {
  TAPELESS_COLD static std::string write(const pointwise_writer&) { return {}; }
};

template <class Operation>
struct rule;  // how each operation is written

// clang-format off
template <> struct rule<add_operation> : one_operator<"Add"> {};
template <> struct rule<sub_operation> : one_operator<"Sub"> {};
template <> struct rule<mul_operation> : one_operator<"Mul"> {};
template <> struct rule<abs_operation> : one_operator<"Abs"> {};
template <> struct rule<sign_operation> : one_operator<"Sign"> {};
template <> struct rule<sqrt_operation> : one_operator<"Sqrt"> {};
template <> struct rule<exp_operation> : one_operator<"Exp"> {};
template <> struct rule<log_operation> : one_operator<"Log"> {};
template <> struct rule<sin_operation> : one_operator<"Sin"> {};
template <> struct rule<cos_operation> : one_operator<"Cos"> {};
template <> struct rule<tan_operation> : one_operator<"Tan"> {};
template <> struct rule<asin_operation> : one_operator<"Asin"> {};
template <> struct rule<acos_operation> : one_operator<"Acos"> {};
template <> struct rule<atan_operation> : one_operator<"Atan"> {};
template <> struct rule<sinh_operation> : one_operator<"Sinh"> {};
template <> struct rule<cosh_operation> : one_operator<"Cosh"> {};
template <> struct rule<tanh_operation> : one_operator<"Tanh"> {};
template <> struct rule<sigmoid_operation> : one_operator<"Sigmoid"> {};
template <> struct rule<relu_operation> : one_operator<"Relu"> {};
template <> struct rule<softplus_operation> : one_operator<"Softplus"> {};
template <> struct rule<mish_operation> : one_operator<"Mish"> {};
template <> struct rule<erf_operation> : one_operator<"Erf"> {};
template <> struct rule<floor_operation> : one_operator<"Floor"> {};
template <> struct rule<ceil_operation> : one_operator<"Ceil"> {};
template <> struct rule<round_operation> : one_operator<"Round"> {};
template <> struct rule<max_operation> : one_operator<"Max"> {};
template <> struct rule<min_operation> : one_operator<"Min"> {};
template <> struct rule<pow_operation> : one_operator<"Pow"> {};
template <> struct rule<less_operation> : one_operator<"Less"> {};
template <> struct rule<less_equal_operation> : one_operator<"LessOrEqual"> {};
template <> struct rule<greater_operation> : one_operator<"Greater"> {};
template <> struct rule<greater_equal_operation> : one_operator<"GreaterOrEqual"> {};
template <> struct rule<equal_operation> : one_operator<"Equal"> {};
template <> struct rule<logical_and_operation> : one_operator<"And"> {};
template <> struct rule<logical_or_operation> : one_operator<"Or"> {};
template <> struct rule<logical_not_operation> : one_operator<"Not"> {};
template <> struct rule<bitwise_and_operation> : one_operator<"BitwiseAnd"> {};
template <> struct rule<normal_cdf_operation> : composed {};
template <> struct rule<random_operation> : unsaid {};
template <> struct rule<random_double_operation> : unsaid {};
template <> struct rule<random_normal_operation> : unsaid {};
template <> struct rule<erfinv_operation> : as_applied<erfinv_operation> {};
template <> struct rule<gelu_tanh_slope_operation> : as_applied<gelu_tanh_slope_operation> {};
// clang-format on

/// ONNX has no Neg of integers without a sign.
template <>
struct rule<neg_operation> {
  TAPELESS_COLD static std::string write(const pointwise_writer& w) {
    const bool has_sign = w.type != element::u8 && w.type != element::u32;
    return has_sign ? w.last("Neg", w.x) : w.last("Sub", {w.number(0), w.x[0]});
  }
};

template <>
struct rule<not_equal_operation> {
  TAPELESS_COLD static std::string write(const pointwise_writer& w) {
    return w.last("Not", {w("Equal", w.x)});
  }
};

template <>
struct rule<square_operation> {
  TAPELESS_COLD static std::string write(const pointwise_writer& w) {
    return w.last("Mul", {w.x[0], w.x[0]});
  }
};

/// tanh(x/2) (e^x + 1) keeps its digits where e^x is near 1.
template <>
struct rule<expm1_operation> {
  TAPELESS_COLD static std::string write(const pointwise_writer& w) {
    const std::string half = w("Tanh", {w("Mul", {w.x[0], w.number(0.5)})});
    return w.last("Mul", {half, w("Add", {w("Exp", w.x), w.number(1)})});
  }
};

/// Near 0 log(u) x / (u - 1), where u is 1 + x as it is rounded: what that loses stands in both.
template <>
struct rule<log1p_operation> {
  TAPELESS_COLD static std::string write(const pointwise_writer& w) {
    const std::string one = w.number(1), u = w("Add", {w.x[0], one}), log = w("Log", {u});
    const std::string near = w("Less", {w("Abs", w.x), w.number(0.5)}), same = w("Equal", {u, one});
    const std::string more = w("Where", {same, one, w("Sub", {u, one})});
    const std::string small = w("Mul", {log, w("Div", {w.x[0], more})});
    return w.last("Where", {near, w("Where", {same, w.x[0], small}), log});
  }
};

template <>
struct rule<exp2_operation> {
  TAPELESS_COLD static std::string write(const pointwise_writer& w) {
    return w.last("Pow", {w.number(2), w.x[0]});
  }
};

template <>
struct rule<log2_operation> {
  TAPELESS_COLD static std::string write(const pointwise_writer& w) {
    return w.last("Mul", {w("Log", w.x), w.number(std::numbers::log2e)});
  }
};

template <>
struct rule<trunc_operation> {
  TAPELESS_COLD static std::string write(const pointwise_writer& w) {
    return w.last("Mul", {w("Sign", w.x), w("Floor", {w("Abs", w.x)})});
  }
};

/// atan(a/b), a half turn further where b is negative, be it -0.
template <>
struct rule<atan2_operation> {
  TAPELESS_COLD static std::string write(const pointwise_writer& w) {
    const std::string zero = w.number(0), one = w.number(1),
                      infinity = w.number(std::numeric_limits<double>::infinity());
    // two infinities, whose quotient is none, are 1 and -1
    const std::string least = w("Min", {w("Abs", {w.x[0]}), w("Abs", {w.x[1]})}),
                      both = w("Equal", {least, infinity});
    const std::string a = w("Where", {both, w("Sign", {w.x[0]}), w.x[0]}),
                      b = w("Where", {both, w("Sign", {w.x[1]}), w.x[1]});
    const auto is_zero = [&](const std::string& x) { return w("Equal", {x, zero}); };
    const auto is_negative = [&](const std::string& x) {
      return w("Or", {w("Less", {x, zero}), w("And", {is_zero(x), w("Less", {w("Div", {one, x}), zero})})});
    };
    const std::string none = is_zero(b), angle = w("Atan", {w("Div", {a, w("Where", {none, one, b})})});
    const std::string turn =
        w("Where", {is_negative(a), w.number(-std::numbers::pi), w.number(std::numbers::pi)});
    const std::string level = w("Where", {is_negative(b), w("Add", {angle, turn}), angle});
    const std::string upright = w("Mul", {w("Sign", {a}), w.number(0.5 * std::numbers::pi)});
    return w.last("Where", {w("And", {none, w("Not", {is_zero(a)})}), upright, level});
  }
};

template <>
struct rule<div_operation> {
  TAPELESS_COLD static std::string write(const pointwise_writer& w) {
    return may_stop(w.operand) ? write_quotient(w.to, w.x[0], w.x[1], w.type, w.result) : w.last("Div", w.x);
  }
};

template <>
struct rule<fmod_operation> {
  TAPELESS_COLD static std::string write(const pointwise_writer& w) {
    return may_stop(w.operand) ? write_remainder(w.to, w.x[0], w.x[1], w.type, w.result)
                               : w.last("Mod", w.x, attributes().set("fmod", 1));
  }
};

template <>
struct rule<left_shift_operation> {
  TAPELESS_COLD static std::string write(const pointwise_writer& w) {
    return write_shift(w.to, shift_direction::left, w.x[0], w.x[1], w.type, w.result);
  }
};

template <>
struct rule<right_shift_operation> {
  TAPELESS_COLD static std::string write(const pointwise_writer& w) {
    return write_shift(w.to, shift_direction::right, w.x[0], w.x[1], w.type, w.result);
  }
};

template <>
struct rule<silu_operation> {
  TAPELESS_COLD static std::string write(const pointwise_writer& w) {
    return w.last("Mul", {w.x[0], w("Sigmoid", w.x)});
  }
};

template <>
struct rule<gelu_erf_operation> {
  TAPELESS_COLD static std::string write(const pointwise_writer& w) { return w.last("Gelu", w.x); }
};

template <>
struct rule<gelu_tanh_operation> {
  TAPELESS_COLD static std::string write(const pointwise_writer& w) {
    return w.last("Gelu", w.x, attributes().set("approximate", "tanh"));
  }
};

/// Runtimes know no choice between booleans, nor between integers of 16 bits.
template <>
struct rule<where_operation> {
  TAPELESS_COLD static std::string write(const pointwise_writer& w) {
    if (w.type == element::i16) {
      const std::string a = w.cast(w.x[1], element::i32), b = w.cast(w.x[2], element::i32);
      return w.to.cast(w("Where", {w.x[0], a, b}), element::i16, w.result);
    }
    if (w.type != element::boolean) return w.last("Where", w.x);
    return w.last("Or", {w("And", {w.x[0], w.x[1]}), w("And", {w("Not", {w.x[0]}), w.x[2]})});
  }
};

template <class... Operations>
constexpr auto pointwise_rules(operation_list<Operations...>) {
  return std::array<std::string (*)(const pointwise_writer&), sizeof...(Operations)>{
      &rule<Operations>::write...};
}
template <class... Operations>
constexpr auto unsaid_operations(operation_list<Operations...>) {
  return std::array<bool, sizeof...(Operations)>{std::is_base_of_v<unsaid, rule<Operations>>...};
}

/// Whether ONNX cannot say the operation of a pointwise node.
constexpr bool is_unsaid(const operation* op) {
  constexpr auto all = unsaid_operations(pointwise_operations{});
  const int code = pointwise_code(op);
  return code >= 0 && all[static_cast<std::size_t>(code)];
}

/// Writes a pointwise node, whose operands have these names.
TAPELESS_COLD inline std::string write_pointwise(value_writer& to, const node& n, const names& x,
                                                 std::string_view result) {
  static constexpr auto rules = pointwise_rules(pointwise_operations{});
  const node& operand = to.at(n.operands[n.operand_count - 1]);
  const int code = pointwise_code(n.op);
  if (code == copy_code) return to.add("Identity", x, result);
  if (code == cast_code) return to.cast(x[0], n.type, result);
  return rules[static_cast<std::size_t>(code)]({to, x, operand, operand.type, result});
}

}  // namespace tapeless::onnx
