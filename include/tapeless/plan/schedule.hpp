// SPDX-License-Identifier: BSL-1.0
// The tables of a plan while it is being made: steps in order, and what they are made of.
#pragma once

#include <tapeless/plan/steps.hpp>

namespace tapeless {

/// The tables of a plan while it is being made.
struct schedule {
  list<planned_load> loads;
  list<planned_instruction> instructions;
  list<planned_store> stores;
  list<planned_pass> passes;
  list<planned_product> products;
  list<planned_convolution> convolutions;
  list<planned_pooling> poolings;
  list<planned_walk> walks;
  list<planned_loop> loops;
  list<int> stacked;  // the nodes that loops fill
  list<planned_step> steps;

  constexpr void clear() {
    loads.clear();
    instructions.clear();
    stores.clear();
    passes.clear();
    products.clear();
    convolutions.clear();
    poolings.clear();
    walks.clear();
    loops.clear();
    stacked.clear();
    steps.clear();
  }
};

}  // namespace tapeless
