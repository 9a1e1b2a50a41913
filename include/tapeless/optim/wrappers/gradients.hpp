// SPDX-License-Identifier: BSL-1.0
// The gradients that a rule gets: of the loss, by all parameters that it changes.
#pragma once

#include <tapeless/graph/structural/left_alone.hpp>
#include <tapeless/graph/transform/reverse.hpp>
#include <tapeless/ops/reduction/sum_to.hpp>
#include <tapeless/ops/shape/permute.hpp>
#include <tapeless/optim/base/state_numbers.hpp>
#include <tapeless/optim/wrappers/wrapped_rule.hpp>

namespace tapeless {

namespace detail {

/// The parameters that a rule changes.
constexpr void parameters_of(const graph& g, list<int>& parameters) {
  for (int i = 0; i < g.nodes.size(); ++i)
    if (is_trained(g.nodes[i])) parameters.push(i);
}

/// How the states of a program are numbered that trains the model of this graph.
constexpr state_numbers numbers_of_states(const graph& g) {
  state_numbers numbers;
  for (const node& n : g.nodes) numbers.parameters += n.op->kind == family::parameter ? 1 : 0;
  return numbers;
}

/// The gradients of the loss, times `scale` where there is one, by nodes: their numbers, in the same order.
constexpr void gradients_of(value loss, value scale, const list<int>& wrt, list<int>& gradients) {
  graph& g = *loss.builder;
  if (loss.rank() != 0 || !is_floating(loss.type())) {
    text t;
    t << "the loss, the model's first output, must be a floating scalar, but is " << name_of(loss.type());
    g.describe_shape(t, loss.get());
    g.fail(t << ": reduce it (mean, sum)");
    return;
  }
  reverse(loss, scale.exists() ? cast(scale, loss.type()) : make_constant(g, 1, loss.type()), wrt, gradients);
}

/// The same by the parameters. All must be reached but those that the rule leaves out, whose gradients are
/// zero.
constexpr void gradients_by_parameters(graph& g, value scale, const list<int>& parameters,
                                       list<int>& gradients, bool (*leaves_out)(const node&)) {
  gradients_of({&g, g.outputs[0].node}, scale, parameters, gradients);
  for (int i = 0; i < parameters.size() && !g.failed(); ++i) {
    const value p{&g, parameters[i]};
    if (gradients[i] < 0 && leaves_out(p.get()))
      gradients[i] = expand(make_constant(g, 0, p.type()), shape_of(p)).id;
    else if (gradients[i] < 0)
      g.fail(text() << "the loss does not depend on the parameter \"" << g.nodes[parameters[i]].label->view()
                    << "\", or only through operations without a derivative: leave it out of the model, a "
                       "layer's bias by linear<\"fc\", 10, false>, or out of the rule, by partition");
  }
}

template <class Rule>
concept scales_the_loss = requires(graph& g) { Rule::loss_scale(g); };
template <class Rule>
concept finds_gradients_itself = requires(graph& g, list<int>& l, value v) { Rule::gradients(g, v, l, l); };

}  // namespace detail

/// What the rule multiplies the loss by before the backward pass, or nothing.
template <class Rule>
constexpr value loss_scale_of(graph& g) {
  if constexpr (detail::scales_the_loss<Rule>) {
    return Rule::loss_scale(g);
  } else if constexpr (detail::wraps_another<Rule>) {
    return loss_scale_of<typename Rule::wrapped>(g);
  } else {
    return {};
  }
}

/// The values of the parameters beside which a rule looks for gradients: their own. A wrapper that keeps more
/// exact ones has a seen_values like this.
struct own_values {
  static constexpr value of(graph& g, const list<int>& parameters, int i) { return {&g, parameters[i]}; }
};

/// The gradients that the rule's updates start from: of the loss, unless the rule looks for them elsewhere.
template <class Rule, class Seen = own_values>
constexpr void gradients_for(graph& g, value scale, const list<int>& parameters, list<int>& gradients) {
  if constexpr (requires { Rule::template gradients<Seen>(g, scale, parameters, gradients); }) {
    Rule::template gradients<Seen>(g, scale, parameters, gradients);
  } else if constexpr (detail::finds_gradients_itself<Rule>) {
    Rule::gradients(g, scale, parameters, gradients);
  } else if constexpr (requires { typename Rule::seen_values; }) {
    gradients_for<typename Rule::wrapped, typename Rule::seen_values>(g, scale, parameters, gradients);
  } else if constexpr (detail::wraps_another<Rule>) {
    gradients_for<typename Rule::wrapped, Seen>(g, scale, parameters, gradients);
  } else {
    detail::gradients_by_parameters(g, scale, parameters, gradients, &detail::leaves_out<Rule>);
  }
}

}  // namespace tapeless
