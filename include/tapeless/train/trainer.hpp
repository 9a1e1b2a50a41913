// SPDX-License-Identifier: BSL-1.0
// trainer: a model, the rule that changes its parameters, and the memory of both.
#pragma once

#include <algorithm>
#include <optional>
#include <type_traits>

#include <tapeless/optim/chain.hpp>
#include <tapeless/run/cpu/cpu.hpp>
#include <tapeless/train/call.hpp>
#include <tapeless/train/memory_plan.hpp>
#include <tapeless/train/parameters.hpp>
#include <tapeless/train/position.hpp>
#include <tapeless/train/timing.hpp>
#include <tapeless/train/unsound.hpp>

namespace tapeless {

namespace detail {

/// The program of a training step: the whole step, or what collects gradients.
template <class Model, class Rule, bool Eager>
struct step_program_of {
  using type = ready<step_stage<Model, Rule, Eager>>;
};
template <class Model, class Rule, bool Eager>
  requires requires { Rule::accumulates; }
struct step_program_of<Model, Rule, Eager> {
  using type = ready<accumulate_stage<Model, Rule, Eager>>;
};

template <class Model, class Rule, class Timing>
constexpr bool is_trainable() {
  if constexpr (is_sound_model<Model>()) {
    return is_sound_stage<typename step_program_of<Model, Rule, Timing::eager>::type>();
  } else {
    return false;
  }
}

template <class Model, class Rule, class Timing, bool Lowered = is_sound_model<Model>()>
struct step_report {};
template <class Model, class Rule, class Timing>
struct step_report<Model, Rule, Timing, true>
    : stage_report<typename step_program_of<Model, Rule, Timing::eager>::type> {};

}  // namespace detail

/// Trains a model by a rule: trainer net{model, adam({.learning_rate = 1e-3f})}.
template <class Model, class Rule, class Policy = cpu, class Timing = deferred_updates_t>
class trainer {
  static constexpr bool accumulates = requires { Rule::accumulates; };
  static_assert(
      accumulates || !(Timing::eager && Rule::waits_for_all_gradients),
      "tapeless: eager updates change each parameter as soon as its own gradient is there, but a "
      "transformation of this rule (clip_by_global_norm, ...) needs the gradients of all parameters "
      "first: leave eager_updates out");
  using program = bound_program<typename Policy::program>;
  static constexpr const auto& parameters_ = parameters_of_model<Model>;
  static constexpr auto hyper_names = Rule::hyper_names();

 public:
  using model_type = Model;
  using step_program = typename detail::step_program_of<Model, Rule, Timing::eager>::type;
  using accumulate_program = ready<accumulate_stage<Model, Rule, Timing::eager>>;
  using apply_program = ready<apply_stage<Model, Rule>>;
  using evaluate_program = ready<forward_stage<Model>>;
  using predict_program = ready<predict_stage<Model>>;
  template <class Stage>
  using result_of = result<Stage, typename Policy::program>;

  /// Parameters start from the seed, each by its own initializer.
  explicit trainer(Model model, Rule rule, Policy policy = {}, std::uint64_t seed = 0)
      : trainer(model, std::move(rule), policy, Timing{}, seed) {}
  trainer(Model, Rule rule, Policy policy, std::type_identity_t<Timing>, std::uint64_t seed = 0)
      : resources_(policy),
        rule_(std::move(rule)),
        values_(parameters_, arena_alignment),
        states_(rule_states_, arena_alignment),
        state_pointers_(parameters_.size()),
        random_keys_(seed, parameters_.size()) {
    state_pointers_.insert(state_pointers_.end(), states_.pointers().begin(), states_.pointers().end());
    initialize(parameters_, values_.pointers(), seed);
    initialize(rule_states_, states_.pointers(), seed);
  }
  trainer(const trainer&) = delete;
  trainer& operator=(const trainer&) = delete;

  /// One step: forward, backward, update. The result shows the outputs, computed before the update.
  template <bindable... Bindings>
  auto step(const Bindings&... bindings) {
    return step_on(sorted<step_program>(bindings...));
  }

  /// All outputs, without a step.
  template <bindable... Bindings>
  auto evaluate(const Bindings&... bindings) {
    return evaluate_on(sorted<evaluate_program>(bindings...));
  }

  /// The named outputs; what only the loss needs is not bound.
  template <bindable... Bindings>
  auto predict(const Bindings&... bindings) {
    return run<predict_program>(predict_, sorted<predict_program>(bindings...));
  }

  /// Forward and backward: adds weight times the gradients to those that wait for apply().
  template <bindable... Bindings>
  auto accumulate(double weight, const Bindings&... bindings) {
    return accumulate_on(weight, sorted<accumulate_program>(bindings...));
  }

  /// One update from the gradients that were accumulated, which start again at zero.
  void apply() {
    hold_gradients();
    begin_step();
    run<apply_program>(apply_, sorted<apply_program>());
    collected_ = 0;
    ++steps_;
  }

  // The same on bindings that are sorted already, for loops over data sets.
  auto step_on(const bindings_of<step_program>& inputs) {
    if constexpr (accumulates) {
      auto r = accumulate_on(rule_.weight(), inputs);
      if (collected_ >= rule_.steps()) apply();
      return r;
    } else {
      begin_step();
      draw_random_key();
      auto r = run<step_program>(step_, inputs, true);
      ++steps_;
      return r;
    }
  }
  auto evaluate_on(const bindings_of<evaluate_program>& inputs) {
    return run<evaluate_program>(evaluate_, inputs);
  }
  auto accumulate_on(double weight, const bindings_of<accumulate_program>& inputs) {
    hold_gradients();
    hypers_.back() = weight;
    draw_random_key();
    auto r = run<accumulate_program>(accumulate_, inputs, true);
    ++collected_;
    return r;
  }

  /// A view of a parameter's elements, which can be written to.
  template <name Name>
  auto parameter() {
    constexpr int index = parameter_index(&interned<Name>);
    if constexpr (index < 0) {
      constexpr text message = detail::unknown_name("parameter", Name.view(), parameter_labels());
      static_assert(compile_error<sentence_of<message.size>(message)>::reported);
    } else {
      using value_type = storage_of<parameters_[index].type>;
      return tensor_view<value_type>(reinterpret_cast<value_type*>(values_[index]),
                                     parameters_[index].extents());
    }
  }

  /// All parameters with their names, as a Boost.Hana tuple of named_view:
  /// hana::for_each(net.parameters(), [](auto p) { std::cout << p.label() << p.values.size(); }).
  auto parameters() { return all_parameters(std::make_index_sequence<parameters_.size()>{}); }

  /// From the next step on, all hyperparameters of that name have this value: a number, a schedule or any
  /// callable of the step.
  template <name Name>
  void set(const hyperparameter& value) {
    if constexpr (std::find(hyper_names.begin(), hyper_names.end(), Name) == hyper_names.end()) {
      constexpr text message = detail::unknown_name("hyperparameter", Name.view(), hyper_labels());
      static_assert(compile_error<sentence_of<message.size>(message)>::reported);
    } else {
      rule_.set(Name.view(), value);
    }
  }

  /// The memory that a step needs, for run-time extents of these values: net_type::plan("batch"_t = 32). A
  /// constant expression.
  template <class... Bindings>
  static constexpr memory_plan plan(const Bindings&... extents) {
    const std::array<bound_extent, sizeof...(Bindings)> known{
        bound_extent{Bindings::label, extents.extent()}...};
    const memory_plan m = plan_memory<step_program>(known, parameters_);
    if constexpr (accumulates) {
      return collected_and_applied(m, plan_memory<apply_program>(known, parameters_));
    } else {
      return m;
    }
  }

  /// The number of updates so far.
  std::int64_t steps() const { return steps_; }

  /// What is known of the parameters while compiling, in the order in which the model mentions them.
  static constexpr std::span<const parameter_description> parameter_descriptions() { return parameters_; }
  /// Where their elements are.
  std::span<std::byte* const> parameter_data() { return values_.pointers(); }

  /// The same for the rule's states.
  static constexpr std::span<const state_description> state_descriptions() { return rule_states_; }
  std::span<std::byte* const> state_data() { return states_.pointers(); }
  /// Where the gradients are that wait for their update, by parameter; empty where none wait.
  std::span<std::byte* const> collected_gradients() {
    if (collected_ == 0) return {};
    hold_gradients();
    return gradients_.pointers();
  }

  trainer_position position() const {
    return {steps_, collected_, static_cast<std::int64_t>(random_keys_.state())};
  }
  void set_position(const trainer_position& p) {
    steps_ = p.steps;
    collected_ = static_cast<int>(p.collected);
    random_keys_ = random_stream::at(static_cast<std::uint64_t>(p.random));
  }

 private:
  static constexpr const auto& rule_states_ =
      states_of_rule<std::conditional_t<accumulates, apply_program, step_program>, parameters_.size()>;

  typename Policy::resources resources_;
  Rule rule_;
  parameter_memory<typename Policy::memory> values_, states_, gradients_;
  std::vector<std::byte*>
      state_pointers_;  // the sums of gradients, once they are held, then the rule's states
  // The step, the random key, the rule's numbers, the weight of accumulated gradients.
  std::array<double, first_rule_entry + static_cast<std::size_t>(Rule::hyper_count) + 1> hypers_{};
  random_stream random_keys_;
  std::int64_t steps_ = 0;
  int collected_ = 0;  // steps that wait for their update
  std::optional<program> step_, accumulate_, apply_, evaluate_, predict_;

  static constexpr int parameter_index(const name* label) {
    for (std::size_t i = 0; i < parameters_.size(); ++i)
      if (parameters_[i].label == label) return static_cast<int>(i);
    return -1;
  }
  static constexpr auto parameter_labels() {
    std::array<const name*, parameters_.size()> labels{};
    for (std::size_t i = 0; i < parameters_.size(); ++i) labels[i] = parameters_[i].label;
    return labels;
  }
  static constexpr auto hyper_labels() {
    std::array<const name*, hyper_names.size()> labels{};
    for (std::size_t i = 0; i < labels.size(); ++i) labels[i] = &hyper_names[i];
    return labels;
  }

  template <std::size_t... I>
  auto all_parameters(std::index_sequence<I...>) {
    return boost::hana::make_tuple(named_view<*parameters_[I].label, storage_of<parameters_[I].type>>{
        parameter<*parameters_[I].label>()}...);
  }

  void begin_step() {
    hypers_[step_entry] = static_cast<double>(steps_ + 1);
    rule_.write(steps_, std::span(hypers_).subspan(first_rule_entry));
  }

  // Below 2^52, so that streams can be told apart by adding to it.
  void draw_random_key() { hypers_[random_key_entry] = static_cast<double>(random_keys_.next() >> 12); }

  void hold_gradients() {
    if (!gradients_.pointers().empty()) return;
    gradients_ = {parameters_, arena_alignment};
    std::copy(gradients_.pointers().begin(), gradients_.pointers().end(), state_pointers_.begin());
  }

  template <class Stage, class... Bindings>
  static auto sorted(const Bindings&... bindings) {
    return detail::sort_bindings<Model, Stage>(bindings...);
  }

  template <class Stage>
  result_of<Stage> run(std::optional<program>& p, const bindings_of<Stage>& inputs, bool trains = false) {
    if (!p)
      p.emplace(
          checked_plan_of<Stage>(), Policy::template kernels<Stage>,
          typename Policy::program_memory{values_.pointers(), state_pointers_,
                                          reinterpret_cast<std::byte*>(hypers_.data()), resources_.team()});
    if (trains) p->refuse_empty(inputs.inputs);
    p->run(inputs.inputs, inputs.known_extents());
    return result_of<Stage>(*p);
  }
};

template <class Model, class Rule, class Policy, class Timing>
  requires(!detail::is_trainable<Model, Rule, Timing>())
class trainer<Model, Rule, Policy, Timing>
    : public unsound, model_report<Model>, detail::step_report<Model, Rule, Timing> {
 public:
  explicit trainer(Model, Rule, Policy = {}, std::uint64_t = 0) {}
  trainer(Model, Rule, Policy, Timing, std::uint64_t = 0) {}
};

template <class Model, class Rule, class Policy = cpu>
trainer(Model, Rule, Policy = {}, std::uint64_t = 0) -> trainer<Model, Rule, Policy>;
template <class Model, class Rule, class Policy>
trainer(Model, Rule, Policy, deferred_updates_t, std::uint64_t = 0) -> trainer<Model, Rule, Policy>;
template <class Model, class Rule, class Policy>
trainer(Model, Rule, Policy, eager_updates_t, std::uint64_t = 0)
    -> trainer<Model, Rule, Policy, eager_updates_t>;

}  // namespace tapeless
