// SPDX-License-Identifier: BSL-1.0
// What all reductions share: which axes they take, and whether these stay with extent 1.
#pragma once

#include <tapeless/expr/make.hpp>
#include <tapeless/graph/structural/leaf.hpp>
#include <tapeless/ops/base/axes.hpp>
#include <tapeless/ops/base/element_kind.hpp>
#include <tapeless/ops/shape/reshape.hpp>

namespace tapeless {

/// Passed to a reduction so that reduced axes stay, with extent 1: sum<-1>(x, keep_dims).
struct keep_dims_t {};
inline constexpr keep_dims_t keep_dims{};

/// What a reduction takes: an expression in a model, a value while the graph is built.
template <class X>
concept reduction_operand = expression_operand<X> || is_value<X>;

/// The contract of a reduction. It derives from reduction_operation and has
///   name
///   identity<T>             what an empty reduction gives
///   combine(a, b)           the operation, on scalars and on a policy's vectors of them
///   cotangent(g, x, y)      its derivative; g and y have the reduced axes with extent 1
///   op                      its operation: {name, reduction_kind::..., jacobian::..., &cotangent_of}
/// Laws: combine is associative and commutative up to rounding, and combine(identity<T>, a) is a.
template <class Op>
struct reduction_contract {
  using subject = Op;
  static constexpr std::string_view noun = "reduction";
  static constexpr bool has_name = requires { std::string_view(Op::name); };
  static constexpr bool has_identity = requires {
    { Op::template identity<double> } -> std::convertible_to<double>;
  };
  static constexpr bool combines = requires(double a) {
    { Op::combine(a, a) } -> std::convertible_to<double>;
  };
  static constexpr bool differentiates = requires(value v) {
    { Op::cotangent(v, v, v) } -> std::convertible_to<value>;
  };
  static constexpr bool has_operation = requires {
    { Op::op } -> std::convertible_to<const operation&>;
  };
  static constexpr demand demands[5] = {
      {has_name, "name"},
      {has_identity, "identity<T>, a constant"},
      {combines, "combine(a, b), static, which returns a number"},
      {differentiates, "cotangent(g, x, y), static, which returns a value"},
      {has_operation, "op, a constant operation"},
  };
};
template <class Op>
concept is_reduction_operation = is_kept<reduction_contract<Op>>();

/// Base of the reductions.
template <class Operation>
struct reduction_operation {
  using contract = reduction_contract<Operation>;

  static constexpr value cotangent_of(int, value g, const value* x, value y) {
    const shape_list kept = keep_dims_shape(x[0], axes_of(y.get()));
    return Operation::cotangent(reshape(g, kept), x[0], reshape(y, kept));
  }

  /// Reduces the axes whose bits are set in `axes`.
  static constexpr value build(value x, unsigned axes, bool keep) {
    if (axes == 0) return x;
    node n;
    n.op = &Operation::op;
    n.type = x.type();
    set_axes(n, axes);
    n.operand_count = 1;
    n.operands[0] = x.id;
    for (int i = 0; i < x.rank(); ++i)
      if ((axes >> i & 1u) == 0) n.shape[n.rank++] = x.get().shape[i];
    const value y = x.insert(n);
    return keep ? reshape(y, keep_dims_shape(x, axes)) : y;
  }

  /// The axes along which y, which has kept them, is x reduced.
  static constexpr unsigned reduced_axes(value x, value y) {
    unsigned axes = 0;
    for (int i = 0; i < x.rank(); ++i)
      if (x.get().shape[i] != y.get().shape[i]) axes |= 1u << i;
    return axes;
  }

  static constexpr shape_list keep_dims_shape(value x, unsigned axes) {
    shape_list s = shape_of(x);
    for (int i = 0; i < s.rank; ++i)
      if ((axes >> i & 1u) != 0) s.extents[i] = 1;
    return s;
  }
};

namespace detail {

/// How many elements of x are reduced to one.
constexpr std::int64_t count_over(value x, unsigned axes) {
  std::int64_t count = 1;
  for (int i = 0; i < x.rank(); ++i)
    if ((axes >> i & 1u) != 0) count = x.builder->extents.multiply(count, x.get().shape[i]);
  return count;
}

}  // namespace detail

/// The statement of a reduction; Reduction::build(x, axes, keep) makes its nodes. It takes numbers where it
/// has no `takes` that says otherwise.
template <class Reduction, bool Keep, int... Axes>
struct reduction_statement {
  using operation_type = Reduction;
  static constexpr int arity = 1;
  static constexpr std::string_view name = Reduction::name;
  static constexpr text refusal()
    requires requires { Reduction::refusal(); }
  {
    return Reduction::refusal();
  }
  static constexpr value build(value x) {
    element_kind kind = element_kind::numbers;
    if constexpr (requires { Reduction::takes; }) kind = Reduction::takes;
    if (!detail::require_kind(name, x, kind)) return x;
    return Reduction::build(x, detail::axis_mask<Axes...>(name, x), Keep);
  }
};

}  // namespace tapeless
