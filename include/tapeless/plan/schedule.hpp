// SPDX-License-Identifier: BSL-1.0
// The tables of a plan while it is being made: commands in order, and what they are made of.
#pragma once

#include <tapeless/plan/commands.hpp>

namespace tapeless {

/// The tables of a plan while it is being made.
struct schedule {
  list<planned_load> loads;
  list<planned_instruction> instructions;
  list<planned_store> stores;
  list<planned_fused_kernel> fused_kernels;
  list<planned_product> products;
  list<planned_convolution> convolutions;
  list<planned_pooling> poolings;
  list<planned_walk> walks;
  list<planned_loop> loops;
  list<int> stacked;  // the nodes that loops fill
  list<planned_command> commands;

  constexpr void clear() {
    loads.clear();
    instructions.clear();
    stores.clear();
    fused_kernels.clear();
    products.clear();
    convolutions.clear();
    poolings.clear();
    walks.clear();
    loops.clear();
    stacked.clear();
    commands.clear();
  }
};

}  // namespace tapeless
