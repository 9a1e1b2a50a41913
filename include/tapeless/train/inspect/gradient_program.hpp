// SPDX-License-Identifier: BSL-1.0
// The program that computes the loss and its gradients as outputs, and changes nothing.
#pragma once

#include <tapeless/train/program/graph_builders.hpp>

namespace tapeless {

/// The loss of a training step, then the gradients of the parameters that are trained, each with its
/// parameter's name. A parameter that the loss does not reach has none. All in the model's own types, as it
/// was written: without loss scale, and without what a rule would store in 16 bits.
template <class Model>
struct loss_and_gradients_builder {
  using model = Model;
  static constexpr void build(graph& g) {
    load_graph(g, constant_graph_of<lower<Model>>);
    const int loss = g.outputs[0].node;
    list<int> parameters, gradients;
    detail::parameters_of(g, parameters);
    detail::gradients_of({&g, loss}, {}, parameters, gradients);
    if (g.failed()) return;
    g.effects.clear();
    g.outputs.clear();
    g.outputs.push({loss, nullptr});
    for (int i = 0; i < parameters.size(); ++i) {
      if (gradients[i] < 0) continue;
      const value parameter{&g, parameters[i]};
      const value gradient = expand(value{&g, gradients[i]}, shape_of(parameter));
      g.outputs.push({gradient.id, parameter.get().label});
    }
  }
};

}  // namespace tapeless
