// SPDX-License-Identifier: BSL-1.0
// The programs of a model with several losses: a step of one of them, and what is computed beside them.
#pragma once

#include <string_view>

#include <tapeless/graph/structural/left_alone.hpp>
#include <tapeless/graph/structural/mark_needed.hpp>
#include <tapeless/optim/wrappers/in_turn.hpp>
#include <tapeless/train/program/graph_builders.hpp>
#include <tapeless/train/program/running_statistics.hpp>

namespace tapeless {

namespace detail {

/// Leaves the output of that name, which is the loss, in front; the named outputs that it is computed from,
/// which a step computes anyway; and what its applications of batch_norm do to running statistics. Fails
/// where there is no such output, or it is no loss.
constexpr void keep_objective(graph& g, const name& label) {
  int loss = -1;
  for (const graph_output& o : g.outputs)
    if (o.label != nullptr && *o.label == label) loss = o.node;
  if (loss < 0) {
    text t;
    t << "there is no output named \"" << label.view() << "\", which is the loss of an objective";
    bool any = false;
    for (const graph_output& o : g.outputs) {
      if (o.label == nullptr) continue;
      t << (any ? ", " : "; there is ") << "\"" << o.label->view() << "\"";
      any = true;
    }
    return void(
        g.fail(any ? t : t << "; there is none: write outputs(named<\"" << label.view() << "\">(loss))"));
  }
  const node& n = g.nodes[loss];
  if (n.rank != 0 || !is_floating(n.type)) {
    text t;
    t << "the loss of the objective \"" << label.view() << "\" must be a floating scalar, but is "
      << name_of(n.type);
    g.describe_shape(t, n);
    return void(g.fail(t << ": reduce it (mean, sum)"));
  }
  list<char> needed;
  needed.assign(g.nodes.size(), 0);
  mark_needed(g, loss, needed);
  list<graph_output> shown;
  shown.push({loss, nullptr});
  for (const graph_output& o : g.outputs)
    if (o.label != nullptr && needed[o.node] != 0) shown.push(o);
  g.outputs.clear();
  for (const graph_output& o : shown) g.outputs.push(o);
  running_statistics(g).keep(needed);
}

/// The parameters of the graph that an objective is for. Fails where there is none, or the loss does not
/// depend on one.
template <class Objective>
constexpr void parameters_of_objective(graph& g, list<int>& chosen) {
  list<int> all;
  parameters_of(g, all);
  for (int id : all)
    if (chooses<typename Objective::predicate>(g.nodes[id])) chosen.push(id);
  if (chosen.size() == 0) {
    text t;
    t << "the objective \"" << Objective::label.view() << "\" is for no parameter at all: of ";
    for (int i = 0; i < all.size(); ++i)
      t << (i == 0 ? "\"" : ", \"") << g.nodes[all[i]].label->view() << "\"";
    g.fail(t << ", none is chosen");
  }
  list<char> needed;
  needed.assign(g.nodes.size(), 0);
  mark_needed(g, g.outputs[0].node, needed);
  for (int id : chosen)
    if (needed[id] == 0)
      g.fail(text() << "the loss of the objective \"" << Objective::label.view()
                    << "\" does not depend on the parameter \"" << g.nodes[id].label->view()
                    << "\", which the objective is for");
}

/// The contexts of an objective's parameters with the gradients of its loss. False where the graph has
/// failed.
template <class Model, class Objective>
constexpr bool build_objective_contexts(graph& g, list<rule_context>& contexts) {
  using rule = typename Objective::rule_type;
  load_graph(g, constant_graph_of<lower<Model>>);
  keep_objective(g, Objective::label);
  if (g.failed()) return false;
  find_left_alone(g);  // of this loss
  begin_states<rule>(g);
  list<int> parameters, gradients;
  parameters_of_objective<Objective>(g, parameters);
  if (g.failed()) return false;
  gradients_for<rule>(g, loss_scale_of<rule>(g), parameters, gradients);
  return fill_contexts(g, parameters, gradients, contexts);
}

}  // namespace detail

/// A step of one objective: its loss, what is named on the way to it, and the update of its parameters by its
/// rule.
template <class Model, class Objective, bool Eager = false>
struct objective_graph_builder {
  using model = Model;
  template <class Other>
  using for_model = objective_graph_builder<Other, Objective, Eager>;
  using rule = typename Objective::rule_type;
  static constexpr bool eager = Eager;
  static constexpr std::string_view shows =
      "a step of an objective shows the named outputs that its loss is computed from, evaluate and predict "
      "show the others";
  static constexpr void build(graph& g) {
    list<rule_context> contexts;
    if (detail::build_objective_contexts<Model, Objective>(g, contexts)) rule::update(contexts);
  }
};

/// The parameters of an objective become what its rule says that they should be when the model is used;
/// nothing where the rule says nothing of it.
template <class Model, class Objective>
struct objective_average_graph_builder {
  using model = Model;
  static constexpr void build(graph& g) {
    list<rule_context> contexts;
    if (!detail::build_objective_contexts<Model, Objective>(g, contexts)) return;
    Objective::rule_type::update(contexts);
    if (!detail::leave_averages(g, contexts)) g.effects.clear();
  }
};

/// The named outputs that are no objective's loss.
template <class Model, class... Objectives>
struct beside_objectives_graph_builder {
  using model = Model;
  template <class Other>
  using for_model = beside_objectives_graph_builder<Other, Objectives...>;
  static constexpr void build(graph& g) {
    load_graph(g, constant_graph_of<lower_for_evaluation<Model>>);
    list<graph_output> others;
    for (const graph_output& o : g.outputs)
      if (o.label != nullptr && !((*o.label == Objectives::label) || ...)) others.push(o);
    g.outputs.clear();
    for (const graph_output& o : others) g.outputs.push(o);
    if (others.size() == 0)
      g.fail(text() << "predict: the model has no output beside the losses of its objectives");
  }
};

}  // namespace tapeless
