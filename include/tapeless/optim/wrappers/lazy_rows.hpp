// SPDX-License-Identifier: BSL-1.0
// lazy_rows(rule): of tables in which a step looks some rows up, the rule changes those alone.
#pragma once

#include <algorithm>

#include <tapeless/optim/base/gradient_by_rows.hpp>
#include <tapeless/optim/wrappers/wrapped_rule.hpp>

namespace tapeless {

namespace detail {

/// Whether the operation makes each row of its result from the same rows of its operands.
constexpr bool goes_by_rows(const node& n) {
  const family kind = n.op->kind;
  return kind == family::pointwise || kind == family::reduction || kind == family::view ||
         kind == family::gather || n.op == &replace_rows_operation::op;
}

/// Whether what a rule has built, from node number `first` on, combines no rows of the parameter or of its
/// states, of which it sees some alone, and rows of the gradient to one number at most.
constexpr bool keeps_rows_apart(const rule_context& c, int first) {
  enum : char { nothing, rows_of_gradient, rows_of_table };
  const list<node>& nodes = c.owned().builder->nodes;
  list<char> holds;  // by node
  holds.assign(nodes.size(), nothing);
  holds[c.gradient().id] = rows_of_gradient;
  holds[c.parameter().id] = rows_of_table;
  for (int i = first; i < nodes.size(); ++i) {
    const node& n = nodes[i];
    for (int k = 0; k < n.operand_count; ++k) holds[i] = std::max(holds[i], holds[n.operands[k]]);
    if (n.op->kind == family::gather) holds[i] = rows_of_table;
    if (holds[i] == nothing) continue;
    if (!goes_by_rows(n)) return false;
    if (n.op->kind != family::reduction || (axes_of(n) & 1u) == 0) continue;
    if (holds[i] == rows_of_table || n.rank != 0) return false;
    holds[i] = nothing;
  }
  return true;
}

}  // namespace detail

/// A rule that changes those rows of a table that a step looks up. It wraps gradient transformations.
template <class Rule>
class lazy_rows_rule : public wrapped_rule<Rule> {
 public:
  static constexpr std::string_view label = "lazy_rows";
  using wrapped_rule<Rule>::wrapped_rule;

  static constexpr void update(list<rule_context>& parameters) {
    graph& g = *parameters[0].owned().builder;
    list<rule_context> contexts;
    bool any = false;
    for (const rule_context& c : parameters) {
      const detail::gradient_by_rows gradient(c.gradient());
      any = any || gradient.rows().exists();
      contexts.push(gradient.rows().exists() ? c.of_rows(gradient.rows(), gradient.of_rows()) : c);
    }
    if (parameters[0].source().is(family::state))
      return void(g.fail(
          text()
          << "lazy_rows does not go with net.apply(), nor in accumulate: sums of gradients are of whole "
             "tables; use net.step(...), or leave lazy_rows out"));
    if (!any)
      return void(
          g.fail(text() << "lazy_rows: no parameter is a table in which the loss only looks rows up, as "
                           "embedding(table, index) does; where whole gradients are added up (accumulate, "
                           "data_parallel, apply) none is: leave lazy_rows out"));
    const int first = g.nodes.size(), first_state = g.states;
    Rule::update(contexts);
    for (const rule_context& c : contexts)
      if (c.has_rows() && !detail::keeps_rows_apart(c, first))
        g.fail(text() << "lazy_rows: the rule combines rows of \"" << c.owned().get().label->view()
                      << "\", of which it sees those alone that a step looks up; rules that go element by "
                         "element do not (sgd, adam, adagrad, rmsprop, ...)");
    for (const rule_context& c : contexts)
      if (c.has_average()) return set_averages(parameters, contexts, first_state);
  }

 private:
  // Averages of rows are no use: the rule is built once more, of all rows and the same states, and nothing of
  // it is kept but the averages. A row that no step has named is its own.
  static constexpr void set_averages(list<rule_context>& parameters, list<rule_context>& contexts,
                                     int first_state) {
    graph& g = *parameters[0].owned().builder;
    list<rule_context> whole;
    for (int i = 0; i < contexts.size(); ++i) {
      const rule_context& c = parameters[i];
      const bool has_rows = contexts[i].has_rows();
      whole.push(has_rows ? c.of_rows(chosen_rows::all(c.owned().get().shape[0]), c.gradient()) : c);
      if (has_rows && contexts[i].has_average()) contexts[i].is_first_step();  // remembers it
    }
    const int effects = g.effects.size();
    g.states = first_state;
    Rule::update(whole);
    for (int i = 0; i < whole.size(); ++i) {
      rule_context& c = whole[i];
      if (!c.has_average()) continue;
      const value average = c.averaged();
      parameters[i].set_averaged(c.has_rows() ? where(c.is_first_step(), c.parameter(), average) : average);
    }
    g.effects.resize(effects, {});
  }
};

/// The rule; but of a table in which the loss looks rows up (embedding, gather along the first axis with one
/// number for each row, index_select), it changes those rows alone that a step names, and their states. The
/// others stay as they are: no momentum goes on, no moment fades, no weight decays. Rules for which a
/// gradient of zero changes nothing (sgd and adagrad without weight decay) come to the same bits as without.
/// adam becomes LazyAdam, or PyTorch's SparseAdam. A row's states start with the first step that names it, as
/// from initial_accumulator; the number of the step (corrections of bias, schedules) is that of all.
///
/// A step then takes time for the rows that it names, and for one integer per row of the table, not for the
/// whole table. Parameters that the loss reads otherwise, such as a table that is also the last layer's
/// weight, change as without. It wraps a rule that goes element by element; norms of whole gradients
/// (clip_by_global_norm) may be in it. Where it keeps averages (asgd, schedule_free_step), that of a row
/// which no step has named is the row as it is. What stands around it and looks at whole parameters (average,
/// lookahead, mixed_precision, skip_nonfinite) reads the whole table in each step.
/// @states those of the rule, of the same shapes; a number for each row where the first step is another than
///   the next (adagrad, adan, asgd, rprop, yogi, trace, schedule_free_step)
/// @errors lazy_rows_without_tables lazy_rows_of_whole_tables lazy_rows_around_wrapper lazy_rows_of_apply
/// @torch torch.optim.SparseAdam, torch.nn.Embedding(sparse=True)
template <class Rule>
auto lazy_rows(Rule rule) {
  return detail::wrap(std::move(rule), []<class Inner>(Inner inner) {
    constexpr bool wraps = is_optimizer_transformation<Inner>;
    static_assert(!wraps,
                  "tapeless: lazy_rows is the innermost of the optimizer transformations: it wraps a rule or "
                  "a chain, and others stand outside, as in average(lazy_rows(adam({})))");
    if constexpr (wraps) {
      return erroneous{};
    } else {
      return lazy_rows_rule<Inner>(std::move(inner));
    }
  });
}

}  // namespace tapeless
