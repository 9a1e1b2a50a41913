// SPDX-License-Identifier: BSL-1.0
// The graphs of a model's programs: its outputs, a training step and the parts of one.
#pragma once

#include <tapeless/expr/lower.hpp>
#include <tapeless/graph/transform/autocast.hpp>
#include <tapeless/ops/pointwise/equal.hpp>
#include <tapeless/ops/pointwise/where.hpp>
#include <tapeless/optim/wrappers/gradients.hpp>
#include <tapeless/train/program/loss_over_samples.hpp>
#include <tapeless/train/program/number_entries.hpp>
#include <tapeless/train/program/ready.hpp>

namespace tapeless {

/// A model's graph, with its float values stored as another type where one is given.
template <class GraphBuilder, element StoredAs>
constexpr void build_stored(graph& g) {
  if constexpr (StoredAs == element::number) {
    load_graph(g, constant_graph_of<GraphBuilder>);
  } else {
    graph whole;
    list<int> number;
    load_graph(whole, constant_graph_of<GraphBuilder>);
    autocast(StoredAs, whole, g, number);
  }
}

/// All outputs of a model, without any change to its parameters.
template <class Model, element StoredAs = element::number>
struct forward_graph_builder {
  using model = Model;
  template <class Other>
  using for_model = forward_graph_builder<Other, StoredAs>;
  static constexpr bool adds_nothing = true;
  static constexpr void build(graph& g) { build_stored<lower_for_evaluation<Model>, StoredAs>(g); }
};

/// The named outputs, without the loss; of a model that has none, its only value.
template <class Model, element StoredAs = element::number>
struct predict_graph_builder {
  using model = Model;
  template <class Other>
  using for_model = predict_graph_builder<Other, StoredAs>;
  static constexpr bool adds_nothing = true;
  static constexpr void build(graph& g) {
    build_stored<lower_for_evaluation<Model>, StoredAs>(g);
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

/// The parameter's place among all parameters and buffers.
constexpr int number_of(value parameter) { return parameter_number(parameter.get()); }

/// Where a parameter's gradient is added up. Those of 16 bits are added up in float.
constexpr value gradient_sum(value parameter) {
  const int number = number_of(parameter);
  const element type = computed_in(parameter.type());
  const int state = state_numbers::gradient_of(number);
  return make_state(*parameter.builder, &interned<gradient_label>, type, shape_of(parameter), state, number,
                    {});
}

/// From here on the rule can ask for states.
template <class Rule>
constexpr void begin_states(graph& g) {
  const value scale = loss_scale_of<Rule>(g);
  g.states = numbers_of_states(g).first_free(scale.exists() && scale.is(family::state));
}

/// Post-condition: g holds the model's training graph with the gradients, by number, of the parameters that
/// the rule changes, or has failed.
template <class Model, class Rule>
constexpr void build_gradients(graph& g, list<int>& parameters, list<int>& gradients) {
  constexpr element type = compute_type_of<Rule>();
  const auto differentiate = [&](graph& whole) {
    load_graph(whole, constant_graph_of<lower<Model>>);
    begin_states<Rule>(whole);
    parameters_of(whole, parameters);
    gradients_for<Rule>(whole, loss_scale_of<Rule>(whole), parameters, gradients);
  };
  if constexpr (type == element::number) {
    differentiate(g);
  } else {
    graph whole;
    list<int> number;
    differentiate(whole);
    if (whole.failed()) return void(g.fail(whole.error));
    autocast(type, whole, g, number);
    for (int& id : parameters) id = number[id];
    for (int& id : gradients) id = number[id];
  }
}

/// The contexts of these parameters and their gradients. False where the graph has failed.
constexpr bool fill_contexts(graph& g, const list<int>& parameters, const list<int>& gradients,
                             list<rule_context>& contexts) {
  for (int i = 0; i < parameters.size() && !g.failed(); ++i) {
    const value parameter{&g, parameters[i]};
    contexts.push({parameter, expand({&g, gradients[i]}, shape_of(parameter))});
  }
  return !g.failed();
}

/// The rule's contexts of the parameters with the gradients of a step. False where the graph has failed.
template <class Model, class Rule>
constexpr bool build_contexts(graph& g, list<rule_context>& contexts) {
  list<int> parameters, gradients;
  build_gradients<Model, Rule>(g, parameters, gradients);
  return fill_contexts(g, parameters, gradients, contexts);
}

/// Leaves nothing but the averages that the rule keeps, as what the parameters become. False where it keeps
/// none. Precondition: it has updated the contexts.
constexpr bool leave_averages(graph& g, const list<rule_context>& contexts) {
  g.outputs.clear();
  g.effects.clear();
  bool any = false;
  for (const rule_context& c : contexts) any = any || c.has_average();
  for (const rule_context& c : contexts)
    g.effects.push({c.owned().id, expand(cast(c.averaged(), c.owned().type()), shape_of(c.owned())).id});
  return any;
}

/// The rule's contexts of the parameters, whose gradients were added up in states that start again at zero.
template <class Model, class Rule>
constexpr void build_collected(graph& g, list<rule_context>& contexts) {
  build_stored<lower<Model>, compute_type_of<Rule>()>(g);
  g.outputs.clear();
  g.effects.clear();
  list<int> parameters;
  parameters_of(g, parameters);
  for (int id : parameters) {
    const value parameter{&g, id}, sum = gradient_sum(parameter);
    contexts.push({parameter, sum});
    g.effects.push({sum.id, expand(make_constant(g, 0, sum.type()), shape_of(sum)).id});
  }
  begin_states<Rule>(g);
}

}  // namespace detail

/// All outputs; the gradients, times a weight that is one of the run-time numbers, are added up in states.
template <class Model, class Rule, bool Eager = false>
struct accumulate_graph_builder {
  using model = Model;
  static constexpr bool eager = Eager;
  static constexpr void build(graph& g) {
    list<int> parameters, gradients;
    detail::build_gradients<Model, Rule>(g, parameters, gradients);
    const value weight = make_hyperparameter(g, number_entries<Rule>::gradient_weight);
    // samples whose weights are all 0 have a loss of 0 / 0
    constexpr bool may_count_nothing = loss_over_samples_of<Model>.kind == over_samples::weighted;
    for (int i = 0; i < parameters.size() && !g.failed(); ++i) {
      const value sum = detail::gradient_sum({&g, parameters[i]});
      const value gradient = weight * cast(value{&g, gradients[i]}, sum.type());
      g.effects.push(
          {sum.id, (sum + (may_count_nothing ? where(weight == 0.0, 0.0, gradient) : gradient)).id});
    }
  }
};

/// Every parameter's update by the rule from the gradients that were added up, which start again at zero.
template <class Model, class Rule, bool LastFirst = false>
struct apply_graph_builder {
  using model = Model;
  static constexpr bool last_first = LastFirst;
  static constexpr void build(graph& g) {
    list<rule_context> contexts;
    detail::build_collected<Model, Rule>(g, contexts);
    Rule::update(contexts);
  }
};

/// A training step: all outputs, and every parameter's update by the rule.
template <class Model, class Rule, bool Eager = false>
struct step_graph_builder {
  using model = Model;
  template <class Other>
  using for_model = step_graph_builder<Other, Rule, Eager>;
  static constexpr bool eager = Eager;
  static constexpr void build(graph& g) {
    list<rule_context> contexts;
    if (!detail::build_contexts<Model, Rule>(g, contexts)) return;
    Rule::update(contexts);
  }
};

/// Every parameter becomes what the rule says that it should be when the model is used.
template <class Model, class Rule>
struct average_graph_builder {
  using model = Model;
  static constexpr void build(graph& g) {
    list<rule_context> contexts;
    if (!detail::build_contexts<Model, Rule>(g, contexts)) return;
    Rule::update(contexts);
    if (!detail::leave_averages(g, contexts))
      g.fail(text() << "averaged_weights: the rule keeps no average of the weights; one that does is "
                       "average(rule), average_equally(rule), lookahead(rule) or a schedule_free one");
  }
};

}  // namespace tapeless
