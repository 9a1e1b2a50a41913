// SPDX-License-Identifier: BSL-1.0
// trainer: a model, the rule that changes its parameters, and the memory of both.
#pragma once

#include <optional>

#include <tapeless/optim/chain.hpp>
#include <tapeless/run/cpu/cpu.hpp>
#include <tapeless/train/call.hpp>
#include <tapeless/train/parameters.hpp>

namespace tapeless {

template <class Model, class Rule, class Policy = cpu>
class trainer {
  using program = bound_program<typename Policy::program>;
  static constexpr const auto& parameters = parameters_of_model<Model>;

 public:
  using step_program = ready<step_stage<Model, Rule>>;
  using evaluate_program = ready<forward_stage<Model>>;
  using predict_program = ready<predict_stage<Model>>;

  explicit trainer(Model, Rule rule, Policy = {}, std::uint64_t seed = 0)
      : rule_(std::move(rule)),
        parameters_(parameters, 1, arena_alignment),
        states_(parameters, Rule::states, arena_alignment) {
    initialize(parameters, parameters_.pointers(), seed);
  }
  trainer(const trainer&) = delete;
  trainer& operator=(const trainer&) = delete;

  /// One step: forward, backward, update. The result is a view of the outputs, as they were before the
  /// update.
  template <name... Names>
  auto step(const binding<Names>&... bindings) {
    rule_.write(steps_, std::span(hypers_).subspan(1));
    hypers_[0] = static_cast<double>(steps_ + 1);
    auto r = run<step_program>(step_, bindings...);
    ++steps_;
    return r;
  }

  /// All outputs, without a step.
  template <name... Names>
  auto evaluate(const binding<Names>&... bindings) {
    return run<evaluate_program>(evaluate_, bindings...);
  }

  /// The named outputs, for which what only the loss needs is not bound.
  template <name... Names>
  auto predict(const binding<Names>&... bindings) {
    return run<predict_program>(predict_, bindings...);
  }

  /// A view of a parameter's elements, which can be written to.
  template <name Name>
  auto parameter() {
    constexpr int index = parameter_index(&interned<Name>);
    if constexpr (index < 0) {
      constexpr text message = detail::unknown_name("parameter", Name.view(), parameter_labels());
      static_assert(compile_error<sentence_of<message.size>(message)>::reported);
    } else {
      using value_type = storage_of<parameters[index].type>;
      return tensor_view<value_type>(reinterpret_cast<value_type*>(parameters_[index]),
                                     parameters[index].extents());
    }
  }

  /// From the next step on, all hyperparameters of that name have this value (a number or a schedule).
  template <name Name>
  void set(const hyperparameter& value) {
    constexpr auto names = Rule::hyper_names();
    constexpr bool known = std::find(names.begin(), names.end(), Name) != names.end();
    if constexpr (known) {
      for (std::size_t i = 0; i < names.size(); ++i)
        if (names[i] == Name) rule_.hyper(static_cast<int>(i)) = value;
    } else {
      constexpr text message = detail::unknown_name("hyperparameter", Name.view(), hyper_labels());
      static_assert(compile_error<sentence_of<message.size>(message)>::reported);
    }
  }

  /// The number of steps taken.
  std::int64_t steps() const { return steps_; }

 private:
  Rule rule_;
  parameter_memory<typename Policy::memory> parameters_, states_;
  std::array<double, 1 + static_cast<std::size_t>(Rule::hyper_count)> hypers_{};
  std::int64_t steps_ = 0;
  std::optional<program> step_, evaluate_, predict_;

  static constexpr int parameter_index(const name* label) {
    for (std::size_t i = 0; i < parameters.size(); ++i)
      if (parameters[i].label == label) return static_cast<int>(i);
    return -1;
  }
  static constexpr auto parameter_labels() {
    std::array<const name*, parameters.size()> labels{};
    for (std::size_t i = 0; i < parameters.size(); ++i) labels[i] = parameters[i].label;
    return labels;
  }
  static constexpr auto names_of_hypers = Rule::hyper_names();
  static constexpr auto hyper_labels() {
    std::array<const name*, names_of_hypers.size()> labels{};
    for (std::size_t i = 0; i < labels.size(); ++i) labels[i] = &names_of_hypers[i];
    return labels;
  }

  template <class Stage, name... Names>
  auto run(std::optional<program>& p, const binding<Names>&... bindings) {
    if (!p)
      p.emplace(view_of_plan<Stage>(), Policy::template kernels<Stage>,
                typename Policy::program_memory{parameters_.pointers(), states_.pointers(),
                                                reinterpret_cast<std::byte*>(hypers_.data())});
    detail::call_program<Model, Stage>(*p, bindings...);
    return result<Stage, typename Policy::program>(*p);
  }
};

}  // namespace tapeless
