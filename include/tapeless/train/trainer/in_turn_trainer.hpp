// SPDX-License-Identifier: BSL-1.0
// trainer net{model, in_turn(objective<"a">(...), objective<"b">(...))}: a trainer of its own kind, each of
// whose steps is one of an objective.
#pragma once

#include <array>
#include <memory>
#include <tuple>

#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/random_seed.hpp>
#include <tapeless/graph/core/sole_owner.hpp>
#include <tapeless/train/program/memory_plan.hpp>
#include <tapeless/train/trainer/objectives.hpp>
#include <tapeless/train/trainer/trainer.hpp>

namespace tapeless {

/// Trains a model by several losses in turn, see in_turn: net.step<"generator">("noise"_t = z). Whose turn it
/// is says the caller. evaluate gives all outputs, the losses among them; predict those that are no
/// objective's loss. set<"learning_rate">(1e-4) means all objectives' hyperparameters of that name,
/// set<"generator.learning_rate">(1e-4) one's; schedules go by their own objective's steps. In a checkpoint,
/// states have the objective's name before theirs: generator.adam.mu.fc.weight. It belongs to one thread at a
/// time, and moves, as every trainer.
template <class Model, class... O, class Policy, class Timing>
  requires(detail::is_trainable<Model, in_turn_rule<O...>, Policy, Timing>())
class trainer<Model, in_turn_rule<O...>, Policy, Timing>
    : public trainer_interface<trainer<Model, in_turn_rule<O...>, Policy, Timing>, Model, in_turn_rule<O...>,
                               Policy> {
  using base = trainer_interface<trainer, Model, in_turn_rule<O...>, Policy>;
  using typename base::own_memory, typename base::own_parameters;
  using rule = in_turn_rule<O...>;
  template <class Objective>
  using own_objective = detail::trained_objective<Model, Objective, Policy, Timing::eager, own_parameters>;
  using own_objectives = detail::trained_objectives<rule, own_objective<O>...>;
  static constexpr const auto& states = detail::objective_states<own_objective<O>...>;

 public:
  /// Parameters start from the seed, each by its own initializer.
  explicit trainer(Model its_model, rule its_rule, Policy policy = {}, random_seed seed = 0)
      : trainer(its_model, std::move(its_rule), policy, Timing{}, seed) {}
  TAPELESS_WARM trainer(Model, rule its_rule, Policy policy, std::type_identity_t<Timing>,
                        random_seed seed = 0)
      : own_(new members(std::move(its_rule), policy, seed)) {}

  /// One step of an objective: its loss, backward, update. The result shows the loss and the named outputs
  /// that it is computed from, before the update: nothing is computed for them, but they are stored. What
  /// only other outputs need may be bound, or left out.
  template <name Objective, class... Bindings>
  auto step(const Bindings&... bindings) {
    if constexpr (constexpr int index = index_of<Objective>(); index >= 0) {
      auto& o = own().objectives_.template part<index>();
      const auto inputs =
          base::template sorted<typename std::remove_cvref_t<decltype(o)>::program>(bindings...);
      const weights_change stay(own().enter(), own().weights_);
      base::require_own_weights();
      o.numbers.write_step(o.steps);
      o.numbers.write_random_key(own().progress_.random_key());
      auto r = o.step.run(o.memory, inputs);
      own().progress_.use_up_random_key();
      own().progress_.count_step();
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

  /// Refuses the parts of a step: only whole ones can be made.
  template <name... Objective, class... X>
  error_stub_result gradients(const X&...) {
    return refuse_part<X...>();
  }
  template <name... Objective, class... X>
  error_stub_result accumulate(const X&...) {
    return refuse_part<X...>();
  }
  template <name... Objective, class... X>
  void apply(const X&...) {
    refuse_part<X...>();
  }

  /// The averages that objectives' rules keep stand in for their parameters as long as what this returns
  /// lives: { auto averages = net.averaged_weights(); save(net, path); }. Other parameters stay as they are.
  [[nodiscard]] auto averaged_weights() {
    static_assert((own_objective<O>::has_averages() || ...),
                  "tapeless: averaged_weights: no objective's rule keeps an average of the weights; one that "
                  "does is average(rule), average_equally(rule), lookahead(rule) or a schedule_free one");
    const weights_change stay(own().enter(), own().weights_);
    return weights_in_use(own().weights_, own_parameters::descriptions, [this] {
      own().objectives_.for_each([](auto& o) {
        using one = std::remove_cvref_t<decltype(o)>;
        if constexpr (one::has_averages()) {
          o.numbers.write_step(o.steps - 1);  // the last one
          o.average.run(o.memory, base::template sorted<typename one::average_program>());
        }
      });
    });
  }

  /// A view of a state of an objective's rule: net.state<"generator", "adam.mu", "fc.weight">().
  template <name Objective, name Label, name Parameter = name{}>
  auto state() {
    if constexpr (constexpr int index = index_of<Objective>(); index >= 0) {
      return own().objectives_.template part<index>().of_rule.template view<Label, Parameter>();
    } else {
      return error_stub_result();
    }
  }

  /// Holds fast the parameters whose names fit the pattern in an objective's steps, with their states, until
  /// thaw: freeze<"generator", "generator.body.*">(). The objective's rule must be freezable.
  template <name Objective, name Pattern>
  void freeze() {
    set_frozen<Objective, Pattern>(true);
  }
  template <name Objective, name Pattern>
  void thaw() {
    set_frozen<Objective, Pattern>(false);
  }

  using base::steps;
  /// The number of updates of one objective; without a name, of all.
  template <name Objective>
  std::int64_t steps() const {
    if constexpr (constexpr int index = index_of<Objective>(); index >= 0) {
      return own().objectives_.template part<index>().steps;
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
    memory_plan m = plan_memory_on<typename one::program, Policy>(known, own_parameters::descriptions);
    std::int64_t all = 0;  // other objectives' states are there, too
    for (const state_description& s : states) all += detail::aligned(s.bytes());
    m.peak += all - m.optimizer;
    m.optimizer = all;
    return m;
  }

  /// What is known of the states of all objectives' rules, and where their elements are. The last of each
  /// objective is the number of its steps.
  static constexpr array_view<const state_description> state_descriptions() { return states; }
  array_view<std::byte* const> state_data() const {
    const auto stay = own().enter();
    auto& data = own().state_data_;
    std::size_t n = 0;
    own().objectives_.for_each([&](auto& o) {
      for (std::byte* one : o.of_rule.pointers()) data[n++] = one;
      data[n++] = reinterpret_cast<std::byte*>(&o.steps);
    });
    return data;
  }

 private:
  friend trainer_access;

  // What stays in its place when the trainer moves: programs, views and functions know where it is.
  struct members {
    TAPELESS_COLD members(rule its_rule, const Policy& policy, std::uint64_t seed)
        : weights_(std::make_shared<typename base::own_weights>(policy, seed)),
          progress_(seed, own_parameters::count),
          objectives_(std::move(its_rule), weights_->resources, weights_->parameters, seed),
          memory_(objectives_.template part<0>().memory) {}

    one_thread one_thread_;
    std::shared_ptr<typename base::own_weights> weights_;
    training_progress progress_;
    own_objectives objectives_;
    own_objectives& hyperparameters_ = objectives_;
    std::array<std::byte*, states.size()> state_data_{};
    own_memory memory_;  // of the first objective, whose random key evaluate and predict read
    struct {
      typename base::lazy_evaluate evaluate;
      typename base::lazy_predict predict;
      typename base::lazy_loss_weight loss_weight;
    } programs_;

    // As long as what this returns lives, other threads are kept out.
    [[nodiscard]] one_thread::stay enter() { return one_thread_.enter("trainer"); }
  };
  sole_owner<members> own_;

  template <name Objective, name Pattern>
  void set_frozen([[maybe_unused]] bool frozen) {
    if constexpr (constexpr int index = index_of<Objective>(); index >= 0) {
      const auto stay = own().enter();
      own().objectives_.template part<index>().of_rule.template set_frozen<Pattern>(frozen);
    }
  }

  template <class... X>
  static error_stub_result refuse_part() {
    static_assert(
        sizeof...(X) != sizeof...(X),
        "tapeless: a trainer with several objectives has no gradients, accumulate or apply, only whole "
        "steps: net.step<\"loss\">(...); a trainer of one loss and one rule has them");
    return {};
  }

  members& own() const { return detail::unless_moved_from(own_, "trainer"); }

  template <name Objective>
  static constexpr int index_of() {
    return own_objectives::template index_of<Objective>();
  }
};

}  // namespace tapeless
