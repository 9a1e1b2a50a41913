// SPDX-License-Identifier: BSL-1.0
// All operations that have code of their own: the only place besides an operation's file that names it.
#pragma once

#include <tapeless/graph/structural/copy.hpp>
#include <tapeless/ops/activation/gelu_erf.hpp>
#include <tapeless/ops/activation/gelu_tanh.hpp>
#include <tapeless/ops/activation/mish.hpp>
#include <tapeless/ops/activation/relu.hpp>
#include <tapeless/ops/activation/silu.hpp>
#include <tapeless/ops/activation/softplus_operation.hpp>
#include <tapeless/ops/indexing/gather.hpp>
#include <tapeless/ops/linalg/matmul.hpp>
#include <tapeless/ops/pointwise/abs.hpp>
#include <tapeless/ops/pointwise/acos.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/pointwise/asin.hpp>
#include <tapeless/ops/pointwise/atan.hpp>
#include <tapeless/ops/pointwise/atan2.hpp>
#include <tapeless/ops/pointwise/bitwise_and.hpp>
#include <tapeless/ops/pointwise/bitwise_shift.hpp>
#include <tapeless/ops/pointwise/ceil.hpp>
#include <tapeless/ops/pointwise/cos.hpp>
#include <tapeless/ops/pointwise/cosh.hpp>
#include <tapeless/ops/pointwise/erf.hpp>
#include <tapeless/ops/pointwise/erfinv.hpp>
#include <tapeless/ops/pointwise/exp.hpp>
#include <tapeless/ops/pointwise/exp2.hpp>
#include <tapeless/ops/pointwise/expm1.hpp>
#include <tapeless/ops/pointwise/floor.hpp>
#include <tapeless/ops/pointwise/fmod.hpp>
#include <tapeless/ops/pointwise/log.hpp>
#include <tapeless/ops/pointwise/log1p.hpp>
#include <tapeless/ops/pointwise/log2.hpp>
#include <tapeless/ops/pointwise/max.hpp>
#include <tapeless/ops/pointwise/min.hpp>
#include <tapeless/ops/pointwise/normal_cdf.hpp>
#include <tapeless/ops/pointwise/pow.hpp>
#include <tapeless/ops/pointwise/round.hpp>
#include <tapeless/ops/pointwise/sigmoid.hpp>
#include <tapeless/ops/pointwise/sign.hpp>
#include <tapeless/ops/pointwise/sin.hpp>
#include <tapeless/ops/pointwise/sinh.hpp>
#include <tapeless/ops/pointwise/sqrt.hpp>
#include <tapeless/ops/pointwise/square.hpp>
#include <tapeless/ops/pointwise/tan.hpp>
#include <tapeless/ops/pointwise/tanh.hpp>
#include <tapeless/ops/pointwise/trunc.hpp>
#include <tapeless/ops/pointwise/where.hpp>
#include <tapeless/ops/random/normal_operation.hpp>
#include <tapeless/ops/random/random_like.hpp>
#include <tapeless/ops/reduction/cumsum.hpp>
#include <tapeless/ops/reduction/max_reduction.hpp>
#include <tapeless/ops/reduction/min_reduction.hpp>
#include <tapeless/ops/reduction/prod.hpp>
#include <tapeless/ops/reduction/sum.hpp>
#include <tapeless/ops/reduction/sum_to.hpp>
#include <tapeless/ops/shape/concat.hpp>
#include <tapeless/ops/shape/flip.hpp>
#include <tapeless/ops/shape/pad.hpp>
#include <tapeless/ops/shape/slice.hpp>
#include <tapeless/ops/spatial/windows.hpp>

namespace tapeless {

template <class... Operations>
struct operation_list {
  static constexpr int size = sizeof...(Operations);
};

/// Operations that are computed element by element: their apply() is what a policy compiles.
using pointwise_operations = operation_list<
    add_operation, sub_operation, mul_operation, div_operation, neg_operation, abs_operation, sign_operation,
    square_operation, sqrt_operation, exp_operation, expm1_operation, log_operation, log1p_operation,
    sin_operation, cos_operation, tan_operation, tanh_operation, sigmoid_operation, relu_operation,
    erf_operation, floor_operation, ceil_operation, max_operation, min_operation, pow_operation,
    less_operation, less_equal_operation, greater_operation, greater_equal_operation, equal_operation,
    not_equal_operation, logical_and_operation, logical_or_operation, logical_not_operation, where_operation,
    random_operation, exp2_operation, log2_operation, asin_operation, acos_operation, atan_operation,
    sinh_operation, cosh_operation, round_operation, trunc_operation, softplus_operation, atan2_operation,
    fmod_operation, gelu_tanh_operation, gelu_tanh_slope_operation, normal_cdf_operation, gelu_erf_operation,
    silu_operation, mish_operation, erfinv_operation, random_double_operation, random_normal_operation,
    bitwise_and_operation, left_shift_operation, right_shift_operation>;

/// Operations that combine elements along axes: their combine() is what a policy compiles.
using reduction_operations =
    operation_list<sum_operation, max_reduction_operation, min_reduction_operation, prod_operation>;

namespace detail {

// Arrays that are made once, not for every operation that is looked up.
template <class... Operations>
inline constexpr const operation* pointwise_addresses[] = {&operation_of<Operations>...};
template <class... Operations>
inline constexpr const operation* reduction_addresses[] = {&Operations::op...};

template <int Size>
constexpr int place_of(const operation* op, const operation* const (&all)[Size]) {
  for (int i = 0; i < Size; ++i)
    if (all[i] == op) return i;
  return -1;
}
template <class... Operations>
constexpr int pointwise_index(const operation* op, operation_list<Operations...>) {
  return place_of(op, pointwise_addresses<Operations...>);
}
template <class... Operations>
constexpr int reduction_index(const operation* op, operation_list<Operations...>) {
  return place_of(op, reduction_addresses<Operations...>);
}

template <int I, class Operation>
struct indexed_operation {
  using type = Operation;
};
template <class Indices, class List>
struct operation_index;
template <int... I, class... Operations>
struct operation_index<std::integer_sequence<int, I...>, operation_list<Operations...>>
    : indexed_operation<I, Operations>... {};
template <int I, class Operation>
indexed_operation<I, Operation> find_operation(const indexed_operation<I, Operation>*);

/// The operation at a place of a list, found by overload resolution rather than by counting.
template <int I, class List>
using operation_at = typename decltype(find_operation<I>(
    static_cast<operation_index<std::make_integer_sequence<int, List::size>, List>*>(nullptr)))::type;

}  // namespace detail

/// Codes of operations in a kernel's key: the operation's place in its list, or one of these.
inline constexpr int copy_code = -1;
inline constexpr int cast_code = -2;

constexpr int pointwise_code(const operation* op) {
  if (op == &copy_operation || op == &float_operation) return copy_code;
  if (op == &operation_of<cast_operation>) return cast_code;
  return detail::pointwise_index(op, pointwise_operations{});
}
constexpr int reduction_code(const operation* op) {
  return detail::reduction_index(op == &overlap_add_operation::op ? &sum_operation::op : op,
                                 reduction_operations{});
}

template <int Code>
using pointwise_operation_at = detail::operation_at<Code, pointwise_operations>;
template <int Code>
using reduction_operation_at = detail::operation_at<Code, reduction_operations>;

}  // namespace tapeless
