// SPDX-License-Identifier: BSL-1.0
// All operations that have code of their own: the only place besides an operation's file that names it.
#pragma once

#include <tapeless/graph/copy.hpp>
#include <tapeless/ops/arithmetic.hpp>
#include <tapeless/ops/primitive/abs.hpp>
#include <tapeless/ops/primitive/acos.hpp>
#include <tapeless/ops/primitive/asin.hpp>
#include <tapeless/ops/primitive/atan.hpp>
#include <tapeless/ops/primitive/atan2.hpp>
#include <tapeless/ops/primitive/ceil.hpp>
#include <tapeless/ops/primitive/concat.hpp>
#include <tapeless/ops/primitive/cos.hpp>
#include <tapeless/ops/primitive/cosh.hpp>
#include <tapeless/ops/primitive/cumsum.hpp>
#include <tapeless/ops/primitive/erf.hpp>
#include <tapeless/ops/primitive/exp.hpp>
#include <tapeless/ops/primitive/exp2.hpp>
#include <tapeless/ops/primitive/expm1.hpp>
#include <tapeless/ops/primitive/flip.hpp>
#include <tapeless/ops/primitive/floor.hpp>
#include <tapeless/ops/primitive/fmod.hpp>
#include <tapeless/ops/primitive/gather.hpp>
#include <tapeless/ops/primitive/gelu_erf.hpp>
#include <tapeless/ops/primitive/gelu_tanh.hpp>
#include <tapeless/ops/primitive/log.hpp>
#include <tapeless/ops/primitive/log1p.hpp>
#include <tapeless/ops/primitive/log2.hpp>
#include <tapeless/ops/primitive/matmul.hpp>
#include <tapeless/ops/primitive/max.hpp>
#include <tapeless/ops/primitive/max_reduction.hpp>
#include <tapeless/ops/primitive/min.hpp>
#include <tapeless/ops/primitive/min_reduction.hpp>
#include <tapeless/ops/primitive/mish.hpp>
#include <tapeless/ops/primitive/normal_cdf.hpp>
#include <tapeless/ops/primitive/pad.hpp>
#include <tapeless/ops/primitive/pow.hpp>
#include <tapeless/ops/primitive/prod.hpp>
#include <tapeless/ops/primitive/random.hpp>
#include <tapeless/ops/primitive/relu.hpp>
#include <tapeless/ops/primitive/round.hpp>
#include <tapeless/ops/primitive/sigmoid.hpp>
#include <tapeless/ops/primitive/sign.hpp>
#include <tapeless/ops/primitive/silu.hpp>
#include <tapeless/ops/primitive/sin.hpp>
#include <tapeless/ops/primitive/sinh.hpp>
#include <tapeless/ops/primitive/slice.hpp>
#include <tapeless/ops/primitive/softplus.hpp>
#include <tapeless/ops/primitive/sqrt.hpp>
#include <tapeless/ops/primitive/square.hpp>
#include <tapeless/ops/primitive/sum.hpp>
#include <tapeless/ops/primitive/tan.hpp>
#include <tapeless/ops/primitive/tanh.hpp>
#include <tapeless/ops/primitive/trunc.hpp>
#include <tapeless/ops/primitive/where.hpp>
#include <tapeless/ops/primitive/windows.hpp>
#include <tapeless/ops/sum_to.hpp>

namespace tapeless {

template <class... Rules>
struct rule_list {
  static constexpr int size = sizeof...(Rules);
};

/// Rules whose operation is computed element by element: their apply() is what a policy compiles.
using pointwise_rules =
    rule_list<add_rule, sub_rule, mul_rule, div_rule, neg_rule, abs_rule, sign_rule, square_rule, sqrt_rule,
              exp_rule, expm1_rule, log_rule, log1p_rule, sin_rule, cos_rule, tan_rule, tanh_rule,
              sigmoid_rule, relu_rule, erf_rule, floor_rule, ceil_rule, max_rule, min_rule, pow_rule,
              less_rule, less_equal_rule, greater_rule, greater_equal_rule, equal_rule, not_equal_rule,
              logical_and_rule, logical_or_rule, logical_not_rule, where_rule, random_rule, exp2_rule,
              log2_rule, asin_rule, acos_rule, atan_rule, sinh_rule, cosh_rule, round_rule, trunc_rule,
              softplus_rule, atan2_rule, fmod_rule, gelu_tanh_rule, gelu_tanh_slope_rule, normal_cdf_rule,
              gelu_erf_rule, silu_rule, mish_rule>;

/// Rules whose operation combines elements along axes: their combine() is what a policy compiles.
using reduction_rules = rule_list<sum_rule, max_reduction_rule, min_reduction_rule, prod_rule>;

namespace detail {

// Arrays that are made once, not for every operation that is looked up.
template <class... Rules>
inline constexpr const operation* pointwise_operations[] = {&operation_of<Rules>...};
template <class... Rules>
inline constexpr const operation* reduction_operations[] = {&Rules::op...};

template <int Size>
constexpr int place_of(const operation* op, const operation* const (&all)[Size]) {
  for (int i = 0; i < Size; ++i)
    if (all[i] == op) return i;
  return -1;
}
template <class... Rules>
constexpr int pointwise_index(const operation* op, rule_list<Rules...>) {
  return place_of(op, pointwise_operations<Rules...>);
}
template <class... Rules>
constexpr int reduction_index(const operation* op, rule_list<Rules...>) {
  return place_of(op, reduction_operations<Rules...>);
}

template <int I, class Rule>
struct indexed_rule {
  using type = Rule;
};
template <class Indices, class List>
struct rule_index;
template <int... I, class... Rules>
struct rule_index<std::integer_sequence<int, I...>, rule_list<Rules...>> : indexed_rule<I, Rules>... {};
template <int I, class Rule>
indexed_rule<I, Rule> find_rule(const indexed_rule<I, Rule>*);

/// The rule at a place of a list, found by overload resolution rather than by counting.
template <int I, class List>
using rule_at = typename decltype(find_rule<I>(
    static_cast<rule_index<std::make_integer_sequence<int, List::size>, List>*>(nullptr)))::type;

}  // namespace detail

/// Codes of operations in a kernel's description: the rule's place in its list, or one of these.
inline constexpr int copy_code = -1;
inline constexpr int cast_code = -2;

constexpr int pointwise_code(const operation* op) {
  if (op == &copy_operation) return copy_code;
  if (op == &operation_of<cast_rule>) return cast_code;
  return detail::pointwise_index(op, pointwise_rules{});
}
constexpr int reduction_code(const operation* op) {
  return detail::reduction_index(op == &overlap_add_rule::op ? &sum_rule::op : op, reduction_rules{});
}

template <int Code>
using pointwise_rule_at = detail::rule_at<Code, pointwise_rules>;
template <int Code>
using reduction_rule_at = detail::rule_at<Code, reduction_rules>;

}  // namespace tapeless
