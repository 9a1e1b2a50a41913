// SPDX-License-Identifier: BSL-1.0
// What recurrent networks over whole sequences share: x's products for all times at once, then a loop over
// time, whose body is a cell's step.
#pragma once

#include <algorithm>
#include <utility>

#include <tapeless/ops/control/scan.hpp>
#include <tapeless/ops/pointwise/tanh.hpp>
#include <tapeless/ops/recurrent/rnn_cell.hpp>
#include <tapeless/ops/recurrent/sequence_lengths.hpp>

namespace tapeless {

/// Options of rnn, lstm and gru, with PyTorch's defaults.
struct recurrent {
  int layers = 1;              ///< each of the others goes over the results of the one before it
  bool bidirectional = false;  ///< each layer has a second part, which goes from the last time to the first
  bool bias = true;
  double dropout = 0;                            ///< between two layers
  std::int64_t proj_size = 0;                    ///< lstm only: h's width, where it is not the hidden one
  nonlinearity activation = nonlinearity::tanh;  ///< rnn only
  friend constexpr bool operator==(const recurrent&, const recurrent&) = default;
};

namespace detail {

/// The results of a sequence: all h, then the last states.
template <class Operation>
using sequence_results = std::array<value, 1 + Operation::states>;

template <class Operation>
constexpr std::string_view sequence_name =
    Operation::name.substr(0, Operation::name.size() - 5);  // without _cell

/// The states after a step, which sequences that are not within keep as they are.
template <class Operation>
constexpr std::array<value, Operation::states> next_states(const recurrent_step& step, value within) {
  std::array<value, Operation::states> next = Operation::next(step);
  next[0] = x_within(within, next[0], step.h);
  if (Operation::states == 2)
    next[Operation::states - 1] = x_within(within, next[Operation::states - 1], step.c);
  return next;
}

template <class Operation>
constexpr sequence_results<Operation> sequence_failed(value x) {
  sequence_results<Operation> results;
  results.fill(x);
  return results;
}

/// The same in the body of a loop, for so many times: step by step.
template <class Operation>
constexpr sequence_results<Operation> unrolled_iterations_of(recurrent_step step, bool reversed, value within,
                                                             std::int64_t count) {
  graph& g = *step.x.builder;
  const value projected = step.projected;
  list<int> all;
  for (std::int64_t t = 0; t < count; ++t) {
    const std::int64_t i = reversed ? count - 1 - t : t;
    const int first = g.nodes.size();
    step.projected = element_of_iteration(projected, i);
    const value now = within.exists() ? element_of_iteration(within, i) : value{};
    const std::array<value, Operation::states> next = next_states<Operation>(step, now);
    step.h = next[0];
    if (Operation::states == 2) step.c = next[Operation::states - 1];
    all.push(zero_beyond(now, step.h).id);
    if (!can_be_so_many(g, step.name, first, t, count)) return sequence_failed<Operation>(step.x);
  }
  if (reversed) std::reverse(all.begin(), all.end());
  sequence_results<Operation> results;
  results[0] = stack_of(g, std::move(all));
  results[1] = step.h;
  if (Operation::states == 2) results[Operation::states] = step.c;
  return results;
}

/// The steps of a sequence, one after the other, from the last time to the first where `reversed` is set; of
/// times_within, where sequences are of several lengths.
template <class Operation>
constexpr sequence_results<Operation> iterations_of(recurrent_step step, bool reversed, value within = {}) {
  graph& g = *step.x.builder;
  step.projected = step.from_x();
  if (Operation::only_sum && step.bias_hh.exists()) {
    step.projected = step.projected + step.bias_hh;
    step.bias_hh = {};
  }
  if (const std::int64_t count = step.x.get().shape[0]; g.region != 0)
    return unrolled_iterations_of<Operation>(step, reversed, within, count);
  g.open_region({step.x.get().shape[0], reversed, false});
  step.projected = {&g, g.in_iteration(step.projected.id)};
  step.h = {&g, g.carry(step.h.id)};
  if (step.c.exists()) step.c = {&g, g.carry(step.c.id)};
  const value now = within.exists() ? value{&g, g.in_iteration(within.id)} : value{};
  const std::array<value, Operation::states> next = next_states<Operation>(step, now);
  g.set_next(step.h.id, next[0].id);
  if (Operation::states == 2) g.set_next(step.c.id, next[Operation::states - 1].id);
  sequence_results<Operation> results;
  results[0] = {&g, g.stack(zero_beyond(now, next[0]).id)};
  results[1] = {&g, g.last_value(step.h.id)};
  if (Operation::states == 2) results[Operation::states] = {&g, g.last_value(step.c.id)};
  g.region = 0;
  return results;
}

/// False where a sequence stands in the body of scan and cannot be unrolled; the graph has the error.
constexpr bool can_be_unrolled(std::string_view name, value x) {
  if (x.builder->region == 0 || x.rank() == 0) return true;
  const std::int64_t count = x.get().shape[0];
  if (extent_table::is_literal(count) && count > 0) return true;
  text t;
  t << name
    << " in the body of scan is unrolled, so its number of times is an integer of 1 or more, but here "
    << "it is \"";
  x.builder->extents.describe(t, count);
  x.fail(t << "\"; " << name << "_cell makes one step");
  return false;
}

/// A sequence of operands one after the other, as in step_of.
template <class Operation>
constexpr sequence_results<Operation> sequence_of(recurrent_step step) {
  step.is_sequence = true;
  if (!can_be_unrolled(step.name, step.x) || !step.check()) return sequence_failed<Operation>(step.x);
  return iterations_of<Operation>(step, false);
}

template <recurrent Options>
constexpr bool is_one_layer =
    Options.layers == 1 && !Options.bidirectional && Options.dropout == 0 && Options.proj_size == 0;

}  // namespace detail

/// The statement of a sequence with its weights and biases given; its values are all h, then the last states.
template <class Operation>
struct sequence_statement {
  static constexpr bool built_once = true;
  static constexpr std::string_view name = detail::sequence_name<Operation>;
  static constexpr int arity = -1;
  static constexpr node_list build_all(graph& g, const node_list& x) {
    return detail::listed(detail::sequence_of<Operation>(detail::step_of<Operation>(name, g, x)));
  }
};

namespace detail {

/// All results of a sequence of values, or of expressions as a std::tuple.
template <class Operation, is_value... X>
constexpr sequence_results<Operation> sequence(X... x) {
  const value v[] = {x...};
  return sequence_of<Operation>(
      step_of<Operation>(sequence_name<Operation>, v, static_cast<int>(sizeof...(X))));
}
template <class Operation, expression_operand... X>
TAPELESS_FACTORY auto sequence(X... x) {
  return unpacked(make<sequence_statement<Operation>>(x...),
                  std::make_index_sequence<1 + Operation::states>{});
}

}  // namespace detail

}  // namespace tapeless
