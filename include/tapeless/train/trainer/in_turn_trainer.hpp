// SPDX-License-Identifier: BSL-1.0
// trainer net{model, in_turn(objective<"a">(...), objective<"b">(...))}: a trainer of its own kind, each of
// whose steps is one of an objective.
#pragma once

#include <array>
#include <memory>
#include <tuple>

#include <tapeless/train/program/memory_plan.hpp>
#include <tapeless/train/trainer/gradient_sums.hpp>
#include <tapeless/train/trainer/objective.hpp>
#include <tapeless/train/trainer/trainer.hpp>

namespace tapeless {

/// Trains a model by several losses in turn, see in_turn: net.step<"generator">("noise"_t = z). Whose turn it
/// is says the caller. In a checkpoint, states have the objective's name before theirs:
/// generator.adam.mu.fc.weight. It belongs to one thread at a time, as every trainer.
template <class Model, class... O, class Policy, class Timing>
  requires(detail::is_trainable<Model, in_turn_rule<O...>, Policy, Timing>())
class trainer<Model, in_turn_rule<O...>, Policy, Timing> {
  using own_parameters = model_parameters<Model, element::number, typename Policy::memory>;
  template <class Objective>
  using own_objective = detail::trained_objective<Model, Objective, Policy, Timing::eager, own_parameters>;

 public:
  using rule_type = in_turn_rule<O...>;

 private:
  static constexpr const auto& descriptions = own_parameters::descriptions;
  static constexpr const auto& states = detail::objective_states<own_objective<O>...>;
  static constexpr std::array<name, sizeof...(O)> labels{O::label...};
  static constexpr auto hyper_names = rule_type::hyper_names();

 public:
  using model_type = Model;
  using evaluate_program = ready_for<forward_graph_builder<Model>, Policy>;
  using predict_program = ready_for<beside_objectives_graph_builder<Model, O...>, Policy>;

  /// Parameters start from the seed, each by its own initializer.
  explicit trainer(Model model, rule_type rule, Policy policy = {}, std::uint64_t seed = 0)
      : trainer(model, std::move(rule), policy, Timing{}, seed) {}
  trainer(Model, rule_type rule, Policy policy, std::type_identity_t<Timing>, std::uint64_t seed = 0)
      : own_(std::make_unique<members>(rule, policy, seed)) {}

  /// One step of an objective: its loss, backward, update. The result shows the loss, computed before the
  /// update; what only other losses need may be bound, or left out.
  template <name Objective, bindable... Bindings>
  auto step(const Bindings&... bindings) {
    if constexpr (constexpr int index = index_of<Objective>(); index >= 0) {
      auto& o = part<index>();
      const auto inputs =
          detail::sort_bindings<Model, typename std::remove_cvref_t<decltype(o)>::program>(bindings...);
      const auto stay = enter();
      o.numbers.write_step(o.steps);
      o.numbers.write_random_key(own_->progress.random_key());
      auto r = o.step.run(o.memory, inputs);
      own_->progress.use_up_random_key();
      own_->progress.count_step();
      ++o.steps;
      return r;
    } else {
      return error_stub_result();
    }
  }
  template <class... Bindings>
  error_stub_result step(const Bindings&...) {
    static_assert(sizeof...(Bindings) != sizeof...(Bindings),
                  "tapeless: a trainer with several objectives makes a step of one: net.step<\"loss\">(...)");
    return {};
  }

  /// All outputs, the losses among them, without a step.
  template <bindable... Bindings>
  auto evaluate(const Bindings&... bindings) {
    const auto inputs = detail::sort_bindings<Model, evaluate_program>(bindings...);
    const auto stay = enter();
    return own_->evaluate.run(own_->memory, inputs);
  }
  /// The named outputs that are no objective's loss; what only losses need is not bound.
  template <bindable... Bindings>
  auto predict(const Bindings&... bindings) {
    const auto inputs = detail::sort_bindings<Model, predict_program>(bindings...);
    const auto stay = enter();
    return own_->predict.run(own_->memory, inputs);
  }

  /// A view of a parameter's elements, which can be written to.
  template <name Name>
  auto parameter() {
    return own().parameters.template view<Name>();
  }
  /// All parameters with their names, as a Boost.Hana tuple of named_view.
  auto parameters() { return own().parameters.views(); }

  /// A view of a state of an objective's rule: net.state<"generator", "adam.mu", "fc.weight">().
  template <name Objective, name Label, name Parameter = name{}>
  auto state() {
    if constexpr (constexpr int index = index_of<Objective>(); index >= 0) {
      return part<index>().of_rule.template view<Label, Parameter>();
    } else {
      return error_stub_result();
    }
  }

  /// From the next step on, all hyperparameters of that name have this value: set<"learning_rate">(1e-4)
  /// means all objectives', set<"generator.learning_rate">(1e-4) one's. Throws an error, and changes nothing,
  /// where they cannot be that number.
  template <name Name>
  void set(const hyperparameter& value) {
    for_each_meant<Name>([&]<name Own>(auto& o) { o.numbers.template check<Own>(value); });
    for_each_meant<Name>([&]<name Own>(auto& o) { o.numbers.template set<Own>(value); });
  }
  /// The number that the hyperparameters of that name are in the step to come of their objective. Throws an
  /// error where they differ.
  template <name Name>
  double get() const {
    double value = 0;
    bool any = false;
    for_each_meant<Name>([&]<name Own>(const auto& o) {
      const double one = o.numbers.template get<Own>(o.steps);
      if (any && one != value)
        throw_error({"get<\"", Name.view(), "\">: there is not one number of that name: an objective has ",
                     detail::number_text(value).digits, ", \"", o.label.view(), "\" has ",
                     detail::number_text(one).digits});
      value = one;
      any = true;
    });
    return value;
  }

  /// What the objectives' rules are made of, without their numbers.
  [[gnu::cold]] std::string rule_text() const {
    std::array<described_parameter, own_parameters::count> all;
    for (std::size_t i = 0; i < all.size(); ++i)
      all[i] = {descriptions[i].label->view(), descriptions[i].extents()};
    rule_description d(all);
    describe_rule(own().rule, d);
    return d.text();
  }

  /// The number of updates so far, of all objectives or of one.
  std::int64_t steps() const { return own().progress.steps(); }
  template <name Objective>
  std::int64_t steps() const {
    if constexpr (constexpr int index = index_of<Objective>(); index >= 0) {
      return part<index>().steps;
    } else {
      return 0;
    }
  }

  /// The memory that a step of an objective needs, for run-time extents of these values.
  template <name Objective, class... Bindings>
  static constexpr memory_plan plan(const Bindings&... extents) {
    const std::array<bound_extent, sizeof...(Bindings)> known{
        bound_extent{Bindings::label, extents.extent()}...};
    using one = std::tuple_element_t<index_of<Objective>(), std::tuple<own_objective<O>...>>;
    memory_plan m = plan_memory<typename one::program>(known, descriptions);
    std::int64_t all = 0;  // other objectives' states are there, too
    for (const state_description& s : states) all += detail::aligned(s.bytes());
    m.peak += all - m.optimizer;
    m.optimizer = all;
    return m;
  }

  /// What is known of the parameters while compiling, in the order in which the model mentions them.
  static constexpr array_view<const parameter_description> parameter_descriptions() { return descriptions; }
  static constexpr array_view<const parameter_description> gradient_descriptions() {
    return gradient_sums<own_parameters>::descriptions;
  }
  /// Where the parameters' elements are.
  array_view<std::byte* const> parameter_data() {
    const auto stay = enter();
    return own_->parameters.memory().pointers();
  }
  /// Whether the programs work there, so that to ask for it costs no copy.
  bool parameters_are_shared() const { return own().parameters.memory().is_shared(); }

  /// What is known of the states of all objectives' rules, and where their elements are. The last of each
  /// objective is the number of its steps.
  static constexpr array_view<const state_description> state_descriptions() { return states; }
  array_view<std::byte* const> state_data() {
    const auto stay = enter();
    std::size_t n = 0;
    for_each([&](auto& o) {
      for (std::byte* data : o.of_rule.pointers()) own_->state_data[n++] = data;
      own_->state_data[n++] = reinterpret_cast<std::byte*>(&o.steps);
    });
    return own_->state_data;
  }
  array_view<std::byte* const> collected_gradients() { return {}; }

  trainer_state position() const { return own().progress.position(0); }
  /// Goes there. Throws an error where no trainer of this kind can be there.
  void set_position(const trainer_state& p) {
    detail::check_trainer_state(p, "set_position");
    detail::check_number("set_position", "trainer.collected", p.collected, 0);
    own().progress.set_position(p);
  }

  // What a checkpoint has of the hyperparameters, see hyperparameters.
  auto changed_hyperparameters() const {
    std::array<double, rule_type::hyper_count> all{};
    std::size_t n = 0;
    for_each([&](const auto& o) {
      for (double x : o.numbers.changed()) all[n++] = x;
    });
    return all;
  }
  void check_changed_hyperparameters(array_view<const double> numbers, std::string_view where) const {
    std::size_t n = 0;
    for_each([&](const auto& o) {
      o.numbers.check_changed(numbers.subspan(n, o.numbers.changed().size()), where);
      n += o.numbers.changed().size();
    });
  }
  void set_changed_hyperparameters(array_view<const double> numbers) {
    std::size_t n = 0;
    for_each([&](auto& o) {
      o.numbers.set_changed(numbers.subspan(n, o.numbers.changed().size()));
      n += o.numbers.changed().size();
    });
  }

 private:
  // What stays in its place when the trainer moves: programs know where it is.
  struct members {
    members(const rule_type& r, const Policy& policy, std::uint64_t seed)
        : rule(r),
          resources(policy),
          parameters(resources, seed),
          progress(seed, own_parameters::count),
          objectives(std::apply(
              [&](const auto&... o) {
                return std::tuple{std::make_unique<own_objective<O>>(o, resources, parameters, seed)...};
              },
              r.objectives())),
          memory(std::get<0>(objectives)->memory) {}

    one_thread one_at_a_time;
    rule_type rule;  // as it was given
    typename Policy::resources resources;
    own_parameters parameters;
    training_progress progress;
    std::tuple<std::unique_ptr<own_objective<O>>...> objectives;
    program_memory<typename Policy::program::resources> memory;
    std::array<std::byte*, states.size()> state_data{};
    lazy_program<evaluate_program, Policy, empty_inputs::refused> evaluate;
    lazy_program<predict_program, Policy, empty_inputs::taken> predict;
  };
  std::unique_ptr<members> own_;

  members& own() const {
    if (own_ == nullptr) [[unlikely]]
      throw_error("this trainer was moved from: what it had is in the one that it was moved to");
    return *own_;
  }
  // As long as what this returns lives, other threads are kept out.
  [[nodiscard]] one_thread::stay enter() const { return own().one_at_a_time.enter("trainer"); }

  template <int Index>
  auto& part() const {
    return *std::get<Index>(own().objectives);
  }
  template <class F>
  void for_each(F f) const {
    std::apply([&](const auto&... o) { (f(*o), ...); }, own().objectives);
  }

  template <name Objective>
  static constexpr int index_of() {
    constexpr int index = [] {
      for (std::size_t i = 0; i < labels.size(); ++i)
        if (labels[i] == Objective) return static_cast<int>(i);
      return -1;
    }();
    if constexpr (index < 0) {
      constexpr text message = detail::unknown_name("objective", Objective.view(), pointers_to(labels));
      static_assert(compile_error<sentence_of<message.size>(message)>::reported);
    }
    return index;
  }

  // Calls f.operator()<Own>(objective) for those that have a hyperparameter which the name means; Own is its
  // name there. The compiler is stopped where none has one.
  template <name Name, class F>
  void for_each_meant(F f) const {
    constexpr auto& found = detail::hyperparameter_in_objectives<Name, O...>;
    if constexpr (found.any()) {
      constexpr name own_name = found.rest;
      const auto call = [&]<int Index>(std::integral_constant<int, Index>) {
        if constexpr (found.is_meant[Index]) f.template operator()<own_name>(part<Index>());
      };
      [&]<int... Index>(std::integer_sequence<int, Index...>) {
        (call(std::integral_constant<int, Index>()), ...);
      }(std::make_integer_sequence<int, static_cast<int>(sizeof...(O))>());
    } else {
      constexpr text message = detail::unknown_name("hyperparameter", Name.view(), pointers_to(hyper_names));
      static_assert(compile_error<sentence_of<message.size>(message)>::reported);
    }
  }

  template <std::size_t N>
  static constexpr auto pointers_to(const std::array<name, N>& names) {
    std::array<const name*, N> all{};
    for (std::size_t i = 0; i < N; ++i) all[i] = &names[i];
    return all;
  }
};

}  // namespace tapeless
