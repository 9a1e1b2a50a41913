// SPDX-License-Identifier: BSL-1.0
// Scores as weights that sum to 1 along the last axis: a softmax with a scale and a mask, in few passes.
#pragma once

#include <limits>

#include <tapeless/ops/primitives.hpp>

namespace tapeless {

/// The node of the weights: an alias of the value p that is computed, which is operand 0, with the derivative
/// of the softmax of operand 1, times the scale, the node's number: scale * p (g - sum(g p)). A masked weight
/// is 0, so that this is exact and finite for masked scores, too.
struct attention_weights_rule {
  static constexpr value cotangent_of(int k, value g, const value*, value y) {
    if (k == 0) return {};
    const value expected = sum_rule::build(g * y, 1u << (y.rank() - 1), true);
    return y * (g - expected) * y.get().number;
  }
  // The Jacobian is symmetric.
  static constexpr operation op{"attention weights", family::alias, jacobian::diagonal, &cotangent_of};
};

namespace detail {

/// The softmax of scale * scores along the last axis, over the elements where `mask`, if it exists, is true;
/// the others get 0. In a row without any, or (`may_be_empty`) whose scores are all -infinity, all weights
/// are 0.
constexpr value attention_weights(value scores, value mask, double scale, bool may_be_empty) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const unsigned last = 1u << (scores.rank() - 1);
  const bool masked = mask.exists();
  value largest = max_reduction_rule::build(masked ? where(mask, scores, -infinity) : scores, last, true);
  if (may_be_empty) largest = max(largest, -1e30);
  value terms = exp((scores - largest) * scale);
  if (masked) terms = where(mask, terms, 0.0);
  value total = sum_rule::build(terms, last, true);
  if (may_be_empty) total = max(total, 1.0);  // the largest term is 1, where there is any
  const value weights = terms / total;
  node n = unary_node(attention_weights_rule::op, weights, shape_of(weights));
  n.operands[n.operand_count++] = scores.id;
  n.number = scale;
  return weights.insert(n);
}

}  // namespace detail

}  // namespace tapeless
