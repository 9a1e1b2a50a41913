// SPDX-License-Identifier: BSL-1.0
// function: a model's outputs from its inputs, without any training.
#pragma once

#include <array>

#include <tapeless/run/common/policy.hpp>
#include <tapeless/run/default_policy.hpp>
#include <tapeless/train/program/call.hpp>
#include <tapeless/train/program/initial_values.hpp>
#include <tapeless/train/program/parameters.hpp>
#include <tapeless/train/trainer/error_stub.hpp>
#include <tapeless/train/trainer/one_thread.hpp>
#include <tapeless/train/trainer/training_progress.hpp>

namespace tapeless {

/// A compiled model: f("x"_t = x).get<"y">(). Parameters, if the model has some, keep their initial values
/// unless they are written to. A function belongs to one thread at a time: where two call it at once, the
/// second gets an error.
template <class Model, class Policy = default_policy>
class function {
 public:
  using graph_builder = ready_for<forward_graph_builder<Model>, Policy>;

  explicit function(Model, Policy policy = {}, std::uint64_t seed = 0)
      : resources_(policy),
        parameters_(parameters_of_model<Model>, resources_),
        program_(checked_plan_of<graph_builder>(), Policy::template kernels<graph_builder>,
                 program_memory<typename Policy::program::resources>{
                     parameters_.program_pointers(), {}, numbers_, &resources_}) {
    initialize_parameters(parameters_of_model<Model>, parameters_.pointers(), seed);
    this->seed(seed);
  }

  /// From the next call on, random numbers are those of this seed; parameters stay as they are. Calls draw
  /// the same numbers until then.
  void seed(std::uint64_t number) {
    const auto stay = one_thread_.enter("function");
    numbers_[random_key_entry] =
        training_progress(number, parameters_of_model<Model>.size()).next_evaluation_key();
  }

  /// Computes the outputs. The result can be read until the next call; get<"y">().copy() keeps an output.
  template <bindable... Bindings>
  result<graph_builder, typename Policy::program> operator()(const Bindings&... bindings) {
    const auto stay = one_thread_.enter("function");
    const bindings_of<graph_builder> sorted = detail::sort_bindings<Model, graph_builder>(bindings...);
    program_.run(sorted.inputs, sorted.known_extents());
    return result<graph_builder, typename Policy::program>(program_);
  }

 private:
  one_thread one_thread_;
  typename Policy::resources resources_;
  parameter_memory<typename Policy::memory> parameters_;
  std::array<double, first_rule_entry> numbers_{};
  bound_program<typename Policy::program> program_;
};

template <class Model, class Policy>
  requires(!can_run_on<Policy>() || !is_sound_model<Model>())
class function<Model, Policy> : public error_stub, model_report<Model>, policy_report<Policy> {
 public:
  explicit function(Model, Policy = {}, std::uint64_t = 0) {}
};

template <class Model, class Policy = default_policy>
function(Model, Policy = {}, std::uint64_t = 0) -> function<Model, Policy>;

}  // namespace tapeless
