// SPDX-License-Identifier: BSL-1.0
// A program without a trainer or function around it, so that its runs can be watched.
#pragma once

#include <array>
#include <cstddef>

#include <tapeless/train/program/lines_on.hpp>

#include "program.hpp"

namespace test {

/// The program of a graph builder without states, with parameters of its own.
template <class GraphBuilder, class Policy>
class lone_program {
 public:
  using graph_builder = GraphBuilder;
  using program = typename Policy::program;

  lone_program() {
    const auto& parameters = tl::parameters_of_model<model>;
    tl::initialize_parameters(parameters, tl::value_computation_of(parameters), parameters_.pointers(), 0);
    numbers_[tl::random_key_entry] = tl::training_progress(0, parameters.size()).next_evaluation_key();
  }

  template <class... Bindings>
  auto operator()(const Bindings&... bindings) {
    const tl::bindings_of<graph_builder> sorted =
        tl::detail::sort_bindings<model, graph_builder>(bindings...);
    program_.run(sorted.inputs, sorted.known_extents());
    return tl::result<graph_builder, program>(program_);
  }
  /// The same, watched by an observer as program_core has it.
  template <class Observer, class... Bindings>
  auto watched(Observer& observer, const Bindings&... bindings) {
    tl::detail::make_observable<Policy, graph_builder>(program_.program());
    const tl::bindings_of<graph_builder> sorted =
        tl::detail::sort_bindings<model, graph_builder>(bindings...);
    program_.run(sorted.inputs, sorted.known_extents(), observer);
    return tl::result<graph_builder, program>(program_);
  }

  static constexpr tl::array_view<const tl::parameter_description> parameter_descriptions() {
    return tl::parameters_of_model<model>;
  }
  tl::array_view<std::byte* const> parameter_data() const { return parameters_.pointers(); }

 private:
  using model = typename graph_builder::model;

  typename Policy::resources resources_{Policy{}};
  tl::parameter_memory<typename Policy::memory> parameters_{tl::parameters_of_model<model>, resources_};
  std::array<double, tl::first_rule_entry> numbers_{};
  tl::bound_program<program> program_{tl::checked_plan_of<graph_builder>(),
                                      Policy::template kernels<graph_builder>,
                                      tl::program_memory<typename program::resources>{
                                          parameters_.program_pointers(), {}, numbers_, &resources_}};
};

}  // namespace test
