// SPDX-License-Identifier: BSL-1.0
// A model's function whose fused kernels have one operation each.
#pragma once

#include <tapeless/run/cpu/cpu.hpp>

#include "lone_program.hpp"
#include "program.hpp"

namespace laws {

template <class Model>
struct unfused_graph_builder {
  using model = Model;
  static constexpr int largest_group = 1;
  using fused = tl::ready<tl::forward_graph_builder<Model>>;
  static constexpr int expected_nodes() { return fused::expected_nodes(); }
  static constexpr void build(tl::graph& g) { fused::build(g); }
};

template <class Model, class Policy = tl::cpu_by_tables>
using unfused = test::lone_program<unfused_graph_builder<Model>, Policy>;

}  // namespace laws
