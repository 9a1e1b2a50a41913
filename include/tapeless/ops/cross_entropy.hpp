// SPDX-License-Identifier: BSL-1.0
// cross_entropy(logits, labels): the negative log-likelihood of the right classes.
#pragma once

#include <tapeless/ops/index.hpp>
#include <tapeless/ops/logsumexp.hpp>
#include <tapeless/ops/mean.hpp>

namespace tapeless {

namespace detail {

constexpr value labels_do_not_fit(std::string_view op, value logits, value labels) {
  text t;
  t << op << " got logits of the shape ";
  logits.owner->describe_shape(t, logits.get());
  t << " and labels " << name_of(labels.type());
  labels.owner->describe_shape(t, labels.get());
  return logits.fail(t << ": it takes floating logits [..., classes] and integer labels [...]");
}

}  // namespace detail

struct cross_entropy_cell {
  static constexpr int arity = 2;
  static constexpr value build(value logits, value labels) {
    shape_list rows = shape_of(logits);
    --rows.rank;
    const bool integers = labels.type() == element::i32 || labels.type() == element::i64;
    if (logits.rank() < 1 || !is_floating(logits.type()) || !integers || !(shape_of(labels) == rows))
      return detail::labels_do_not_fit("cross_entropy", logits, labels);
    const int last = logits.rank() - 1;
    const unsigned axis = 1u << last;
    detail::check_indices(labels, logits.get().shape[last]);
    const value classes = make_iota(*logits.owner, shape_of(logits), last, labels.type());
    const value column = reshape(labels, reduction_rule<sum_rule>::kept_shape(logits, axis));
    const value right = sum_rule::build(where(classes == column, logits, 0.0), axis, false);
    const value losses = logsumexp_rule::build(logits, axis, false) - right;
    return mean_rule::build(losses, (1u << losses.rank()) - 1, false);
  }
};

/// The mean over all rows of log(sum(e^logits)) - logits[label]: logits [..., classes], labels [...] of an
/// integer type -> []. Labels that are an input are checked when they are bound: 0 <= label < classes.
template <expression_operand X, expression_operand Y>
constexpr auto cross_entropy(X logits, Y labels) {
  return make<cross_entropy_cell>(logits, labels);
}

}  // namespace tapeless
