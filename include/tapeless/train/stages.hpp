// SPDX-License-Identifier: BSL-1.0
// The programs of one model: each is a graph that is cut down to what it needs and made ready for planning.
#pragma once

#include <tapeless/expr/lower.hpp>
#include <tapeless/graph/prune.hpp>
#include <tapeless/graph/reverse.hpp>
#include <tapeless/ops/sum_to.hpp>
#include <tapeless/optim/transform.hpp>
#include <tapeless/plan/materialize.hpp>
#include <tapeless/plan/view.hpp>

namespace tapeless {

/// The graph of a stage, cut down to its outputs and effects and made ready for planning. The stage itself is
/// built along the way, in the same constant evaluation: a table of its own would be one more to compile.
template <class Stage>
struct ready {
  static constexpr bool eager = detail::is_eager<Stage>();
  static constexpr void build(graph& g) {
    graph whole, pruned;
    Stage::build(whole);
    if (whole.failed()) {
      g.fail(whole.error);
      return;
    }
    prune(whole, pruned);
    materialize(pruned, g);
  }
};

/// The plan of a stage; where there is none, the compiler is stopped with the sentence that says why.
template <class Stage>
constexpr plan_view checked_plan_of() {
  constexpr const text& error = detail::plan_sizes_of<Stage>.error;
  if constexpr (!error.empty()) static_assert(compile_error<sentence_of<error.size>(error)>::reported);
  return view_of_plan<Stage>();
}

/// All outputs of a model, without any change to its parameters.
template <class Model>
struct forward_stage {
  static constexpr void build(graph& g) { thaw(g, frozen<lower_for_evaluation<Model>>); }
};

/// The named outputs, without the loss; of a model that has none, its only value.
template <class Model>
struct predict_stage {
  static constexpr void build(graph& g) {
    thaw(g, frozen<lower_for_evaluation<Model>>);
    if (g.outputs.size() == 1) return;
    list<graph_output> named;
    for (int i = 1; i < g.outputs.size(); ++i) named.push(g.outputs[i]);
    g.outputs.clear();
    for (const graph_output& o : named) g.outputs.push(o);
  }
};

/// The gradients' names among the states.
inline constexpr name gradient_label = "gradient";

namespace detail {

/// The parameters that a rule changes.
constexpr void parameters_of(const graph& g, list<int>& parameters) {
  for (int i = 0; i < g.nodes.size(); ++i)
    if (g.nodes[i].op->kind == family::parameter && !is_buffer(g.nodes[i])) parameters.push(i);
}

/// The gradients of the loss, output 0, by all parameters: their numbers, in the order of the parameters.
constexpr void gradients_of_loss(graph& g, const list<int>& parameters, list<int>& gradients) {
  const value loss{&g, g.outputs[0].node};
  if (loss.rank() != 0 || !is_floating(loss.type())) {
    text t;
    t << "the loss, the model's first output, must be a floating scalar, but is " << name_of(loss.type());
    g.describe_shape(t, loss.get());
    g.fail(t << ": reduce it (mean, sum)");
    return;
  }
  reverse(loss, make_constant(g, 1, loss.type()), parameters, gradients);
  for (int i = 0; i < parameters.size() && !g.failed(); ++i)
    if (gradients[i] < 0)
      g.fail(text() << "the loss does not depend on the parameter \"" << g.nodes[parameters[i]].label->view()
                    << "\", or only through operations without a derivative");
}

/// The parameter's place among all parameters and buffers.
constexpr int number_of(value parameter) { return static_cast<int>(parameter.get().attributes[1]); }

/// Where a parameter's gradient is added up: the first states, one for each parameter and buffer.
constexpr value gradient_sum(value parameter) {
  const int number = number_of(parameter);
  return make_state(*parameter.owner, &interned<gradient_label>, parameter.type(), shape_of(parameter),
                    number, number, {});
}

/// The rule's states are numbered behind the sums of gradients, in the order in which the rule asks for them.
constexpr void begin_states(graph& g) {
  for (const node& n : g.nodes) g.states += n.op->kind == family::parameter ? 1 : 0;
}

}  // namespace detail

/// All outputs; the gradients, times a weight, are added up in states behind the rule's own. The weight is
/// the last entry of the run-time numbers.
template <class Model, class Rule, bool Eager = false>
struct accumulate_stage {
  static constexpr bool eager = Eager;
  static constexpr void build(graph& g) {
    thaw(g, frozen<lower<Model>>);
    list<int> parameters, gradients;
    detail::parameters_of(g, parameters);
    detail::gradients_of_loss(g, parameters, gradients);
    const value weight = make_hyperparameter(g, first_rule_entry + Rule::hyper_count);
    for (int i = 0; i < parameters.size() && !g.failed(); ++i) {
      const value sum = detail::gradient_sum({&g, parameters[i]});
      g.effects.push({sum.id, (sum + weight * value{&g, gradients[i]}).id});
    }
  }
};

/// Every parameter's update by the rule from the gradients that were added up, which start again at zero.
template <class Model, class Rule>
struct apply_stage {
  static constexpr void build(graph& g) {
    thaw(g, frozen<lower<Model>>);
    g.outputs.clear();
    g.effects.clear();
    list<int> parameters;
    detail::parameters_of(g, parameters);
    list<rule_context> contexts;
    for (int id : parameters) {
      const value parameter{&g, id}, sum = detail::gradient_sum(parameter);
      contexts.push({parameter, sum});
      g.effects.push({sum.id, expand(make_constant(g, 0, sum.type()), shape_of(sum)).id});
    }
    detail::begin_states(g);
    Rule::update(contexts);
  }
};

/// A training step: all outputs, and every parameter's update by the rule.
template <class Model, class Rule, bool Eager = false>
struct step_stage {
  static constexpr bool eager = Eager;
  static constexpr void build(graph& g) {
    thaw(g, frozen<lower<Model>>);
    list<int> parameters, gradients;
    detail::parameters_of(g, parameters);
    detail::gradients_of_loss(g, parameters, gradients);
    if (g.failed()) return;
    list<rule_context> contexts;
    for (int i = 0; i < parameters.size(); ++i) {
      const value parameter{&g, parameters[i]};
      const value gradient = expand({&g, gradients[i]}, shape_of(parameter));
      contexts.push({parameter, gradient});
    }
    detail::begin_states(g);
    Rule::update(contexts);
  }
};

}  // namespace tapeless
