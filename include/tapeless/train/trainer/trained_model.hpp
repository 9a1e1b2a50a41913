// SPDX-License-Identifier: BSL-1.0
// What all trainers have, however they train: the parameters, the rule's numbers, and programs that run on
// both.
#pragma once

#include <algorithm>
#include <optional>
#include <type_traits>

#include <tapeless/error.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/list.hpp>
#include <tapeless/run/common/program_core.hpp>
#include <tapeless/train/program/call.hpp>
#include <tapeless/train/program/memory_plan.hpp>
#include <tapeless/train/program/parameters.hpp>
#include <tapeless/train/trainer/error_stub.hpp>
#include <tapeless/train/trainer/one_thread.hpp>
#include <tapeless/train/trainer/trainer_state.hpp>

namespace tapeless {

/// A model with the memory of its parameters, and the programs that leave them as they are. It belongs to
/// one thread at a time: a call that meets another thread's throws an error.
template <class Model, class Rule, class Policy>
class trained_model {
  static constexpr element stored_as = compute_type_of<Rule>();

 public:
  using model_type = Model;
  using evaluate_program = ready_for<forward_graph_builder<Model, stored_as>, Policy>;
  using predict_program = ready_for<predict_graph_builder<Model, stored_as>, Policy>;
  template <class GraphBuilder>
  using result_of = result<GraphBuilder, typename Policy::program>;

  trained_model(const trained_model&) = delete;
  trained_model& operator=(const trained_model&) = delete;

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

  // The same on bindings that are sorted already, for loops over data sets.
  auto evaluate_on(const bindings_of<evaluate_program>& inputs) {
    return run<evaluate_program>(evaluate_, inputs, true);
  }

  /// A view of a parameter's elements, which can be written to.
  template <name Name>
  auto parameter() {
    if constexpr (constexpr int index = index_of<Name>(); index >= 0) {
      return values_.template view<parameters_[index].type>(parameters_[index], index);
    } else {
      return error_stub_result();
    }
  }

  /// All parameters with their names, as a Boost.Hana tuple of named_view:
  /// hana::for_each(net.parameters(), [](auto p) { std::cout << p.label() << p.values.size(); }).
  auto parameters() { return all_parameters(std::make_index_sequence<parameters_.size()>{}); }

  /// From the next step on, all hyperparameters of that name have this value: a number, a schedule or any
  /// callable of the step. Throws an error, and changes nothing, where they cannot be that number; a
  /// callable's numbers are looked at when a step asks for them.
  template <name Name>
  void set(const hyperparameter& value) {
    if constexpr (std::find(hyper_names.begin(), hyper_names.end(), Name) == hyper_names.end()) {
      constexpr text message = detail::unknown_name("hyperparameter", Name.view(), hyper_labels());
      static_assert(compile_error<sentence_of<message.size>(message)>::reported);
    } else {
      for (std::size_t i = 0; i < ranges_.size(); ++i)
        if (hyper_names[i] == Name && value.is_number() && !ranges_[i].holds(value.at(0)))
          describe().check_number(Name.view(), value);  // throws
      rule_.set(Name.view(), value);
    }
  }

  /// What the rule is made of, such as chain(scale_by_adam, scale_by_learning_rate), without its numbers.
  [[gnu::cold]] std::string rule_text() const {
    std::array<described_parameter, parameters_.size()> parameters;
    for (std::size_t i = 0; i < parameters.size(); ++i)
      parameters[i] = {parameters_[i].label->view(), parameters_[i].extents()};
    return describe(parameters).text();
  }

  /// The number of updates so far.
  std::int64_t steps() const { return steps_; }

  // How far fit is with this trainer: it says so after each step, and goes on from there.
  fit_position position_in_fit() const { return fit_; }
  void set_position_in_fit(const fit_position& p) { fit_ = p; }

  /// What is known of the parameters while compiling, in the order in which the model mentions them.
  static constexpr array_view<const parameter_description> parameter_descriptions() { return parameters_; }
  /// The same of their gradients, where these are held.
  static constexpr array_view<const parameter_description> gradient_descriptions() { return gradients_of_; }
  /// Where the parameters' elements are.
  array_view<std::byte* const> parameter_data() {
    const auto stay = enter();
    return values_.pointers();
  }
  /// Whether the programs work there, so that to ask for it costs no copy.
  bool parameters_are_shared() const { return values_.is_shared(); }

 protected:
  using program = bound_program<typename Policy::program>;
  static constexpr const auto& parameters_ = parameters_of_model<Model, stored_as>;
  static constexpr auto gradients_of_ = detail::gradients_of(parameters_);
  static constexpr auto hyper_names = Rule::hyper_names();

  Rule rule_;
  typename Policy::resources resources_;
  parameter_memory<typename Policy::memory> values_;
  list<std::byte*> state_pointers_;  // one for each parameter, for its gradient; more of the rule's own
  // The step, the random key, the rule's numbers, and one more.
  std::array<double, first_rule_entry + static_cast<std::size_t>(Rule::hyper_count) + 1> hypers_{};
  std::array<hyperparameter_range, static_cast<std::size_t>(Rule::hyper_count)> ranges_{};
  random_stream random_keys_;
  std::int64_t steps_ = 0;
  fit_position fit_;
  bool uses_averages_ = false;  // in place of the parameters

  /// Parameters start from the seed, each by its own initializer.
  trained_model(Rule rule, const Policy& policy, std::uint64_t seed)
      : rule_(std::move(rule)),
        resources_(policy),
        values_(parameters_, resources_),
        state_pointers_(parameters_.size()),
        random_keys_(seed, parameters_.size()) {
    describe().check_numbers(ranges_);
    initialize(parameters_, values_.pointers(), seed);
  }
  ~trained_model() = default;

  /// The parameter's place among all; where there is none of the name, the compiler is stopped.
  template <name Name>
  static constexpr int index_of() {
    constexpr int index = [] {
      for (std::size_t i = 0; i < parameters_.size(); ++i)
        if (parameters_[i].label == &interned<Name>) return static_cast<int>(i);
      return -1;
    }();
    if constexpr (index < 0) {
      constexpr text message = detail::unknown_name("parameter", Name.view(), parameter_labels());
      static_assert(compile_error<sentence_of<message.size>(message)>::reported);
    }
    return index;
  }
  static constexpr auto parameter_labels() {
    std::array<const name*, parameters_.size()> labels{};
    for (std::size_t i = 0; i < parameters_.size(); ++i) labels[i] = parameters_[i].label;
    return labels;
  }

  // As long as what these return lives, other threads are kept out.
  [[nodiscard]] one_thread::stay enter() { return one_thread_.enter("trainer"); }
  [[nodiscard]] one_thread::stay begin_step() {
    one_thread::stay stay = enter();
    if (uses_averages_)
      throw error(
          "a step is asked for while averaged_weights() stand in for the parameters: let them go first");
    write_numbers(steps_);
    return stay;
  }

  // The numbers of a step, counted from 0. Throws an error where one is none that it may be.
  void write_numbers(std::int64_t step) {
    hypers_[step_entry] = static_cast<double>(step + 1);
    const auto values = array_view<double>(hypers_).subspan(first_rule_entry);
    rule_.write(step < 0 ? 0 : step, values);
    bool all_hold = true;
    for (std::size_t i = 0; i < ranges_.size(); ++i) all_hold = all_hold && ranges_[i].holds(values[i]);
    if (!all_hold) describe().check_values(values, step);
  }

  // The random key of the run to come, below 2^52, so that streams can be told apart by adding to it. It is
  // used up once the run has gone well: one that throws leaves no trace.
  void write_random_key() {
    random_stream keys = random_keys_;
    hypers_[random_key_entry] = static_cast<double>(keys.next() >> 12);
  }
  void use_up_random_key() { random_keys_.next(); }

  template <class GraphBuilder, class... Bindings>
  static auto sorted(const Bindings&... bindings) {
    return detail::sort_bindings<Model, GraphBuilder>(bindings...);
  }

  // Post-condition: the program is there, and a run on these inputs will not throw because of them.
  template <class GraphBuilder>
  void make_ready(std::optional<program>& p, bindings_of<GraphBuilder>& inputs, bool has_loss = false) {
    make<GraphBuilder>(p);
    if (has_loss) p->refuse_empty(inputs.inputs);
    p->check(inputs.inputs, inputs.known_extents());
    p->keep(inputs.inputs);
  }

  template <class GraphBuilder>
  result_of<GraphBuilder> run(std::optional<program>& p, const bindings_of<GraphBuilder>& inputs,
                              bool has_loss = false) {
    const auto stay = enter();
    make<GraphBuilder>(p);
    if (has_loss) p->refuse_empty(inputs.inputs);
    p->run(inputs.inputs, inputs.known_extents());
    return result_of<GraphBuilder>(*p);
  }

 private:
  one_thread one_thread_;
  std::optional<program> evaluate_, predict_;

  template <class GraphBuilder>
  void make(std::optional<program>& p) {
    if (!p)
      p.emplace(checked_plan_of<GraphBuilder>(), Policy::template kernels<GraphBuilder>,
                program_memory<typename Policy::program::resources>{values_.program_pointers(),
                                                                    state_pointers_, hypers_, &resources_});
  }

  [[gnu::cold, gnu::noinline]] rule_description describe(
      array_view<const described_parameter> parameters = {}) const {
    rule_description d(parameters);
    describe_rule(rule_, d);
    return d;
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
};

}  // namespace tapeless
