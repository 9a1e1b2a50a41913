// SPDX-License-Identifier: BSL-1.0
// A model's function whose fused kernels have one operation each.
#pragma once

#include <array>

#include "program.hpp"

#include <tapeless/run/cpu/cpu.hpp>

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
class unfused {
 public:
  using graph_builder = unfused_graph_builder<Model>;
  using program = typename Policy::program;

  unfused() {
    const auto& parameters = tl::parameters_of_model<Model>;
    tl::initialize_parameters(parameters, tl::value_computation_of(parameters), parameters_.pointers(), 0);
    numbers_[tl::random_key_entry] = tl::training_progress(0, parameters.size()).next_evaluation_key();
  }

  template <class... Bindings>
  auto operator()(const Bindings&... bindings) {
    const tl::bindings_of<graph_builder> sorted =
        tl::detail::sort_bindings<Model, graph_builder>(bindings...);
    program_.run(sorted.inputs, sorted.known_extents());
    return tl::result<graph_builder, program>(program_);
  }

  static constexpr tl::array_view<const tl::parameter_description> parameter_descriptions() {
    return tl::parameters_of_model<Model>;
  }
  tl::array_view<std::byte* const> parameter_data() const { return parameters_.pointers(); }

 private:
  typename Policy::resources resources_{Policy{}};
  tl::parameter_memory<typename Policy::memory> parameters_{tl::parameters_of_model<Model>, resources_};
  std::array<double, tl::first_rule_entry> numbers_{};
  tl::bound_program<program> program_{tl::checked_plan_of<graph_builder>(),
                                      Policy::template kernels<graph_builder>,
                                      tl::program_memory<typename program::resources>{
                                          parameters_.program_pointers(), {}, numbers_, &resources_}};
};

}  // namespace laws
