// SPDX-License-Identifier: BSL-1.0
// The program of what a weighted mean divides by.
#pragma once

#include <tapeless/train/program/graph_builders.hpp>
#include <tapeless/train/program/loss_over_samples.hpp>

namespace tapeless {

namespace detail {

/// The model's graph with the sum of the weights in the loss's place, and nothing else.
template <class Model>
struct lowered_loss_weight {
  static constexpr void build(graph& g) {
    load_graph(g, constant_graph_of<lower<Model>>);
    g.effects.clear();
    g.outputs.clear();
    constexpr loss_over_samples loss = loss_over_samples_of<Model>;  // nvcc loses a member's name in braces
    g.outputs.push({loss.weight, nullptr});
  }
};

}  // namespace detail

/// The number that a model's loss divides by, where it is a weighted mean.
template <class Model, element StoredAs = element::number>
struct loss_weight_graph_builder {
  using model = Model;
  template <class Other>
  using for_model = loss_weight_graph_builder<Other, StoredAs>;
  static constexpr bool adds_nothing = true;
  static constexpr void build(graph& g) { build_stored<detail::lowered_loss_weight<Model>, StoredAs>(g); }
};

}  // namespace tapeless
