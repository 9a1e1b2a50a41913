// SPDX-License-Identifier: BSL-1.0
// trainer: a model, the rule that changes its parameters, and the memory of both.
#pragma once

#include <cstdint>
#include <memory>

#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/cmath.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/random_seed.hpp>
#include <tapeless/graph/core/sole_owner.hpp>
#include <tapeless/run/default_policy.hpp>
#include <tapeless/train/program/memory_plan.hpp>
#include <tapeless/train/program/plain_inputs.hpp>
#include <tapeless/train/trainer/averaged_weights.hpp>
#include <tapeless/train/trainer/error_stub.hpp>
#include <tapeless/train/trainer/one_thread.hpp>
#include <tapeless/train/trainer/rule_states.hpp>
#include <tapeless/train/trainer/trainer_arguments.hpp>
#include <tapeless/train/trainer/trainer_gradients.hpp>
#include <tapeless/train/trainer/trainer_interface.hpp>
#include <tapeless/train/trainer/trainer_rule_states.hpp>
#include <tapeless/train/trainer/training_programs.hpp>

namespace tapeless {

/// Trains a model by a rule: trainer net{model, adam({.learning_rate = 1e-3f})}. A trainer belongs to one
/// thread at a time, which may be another one each time: where two call it at once, the second gets an error.
/// Any number of threads may have trainers of their own. What calls return, and parameters, are read before
/// another thread's turn. A trainer can be moved, not copied: views, results and functions on its weights go
/// on with the one that it was moved to. Any use of the one that it was moved from is an error.
template <class Model, class Rule, class Policy = default_policy, class Timing = deferred_updates_t>
class trainer : public trainer_interface<trainer<Model, Rule, Policy, Timing>, Model, Rule, Policy>,
                public trainer_gradients<trainer<Model, Rule, Policy, Timing>>,
                public trainer_rule_states<trainer<Model, Rule, Policy, Timing>> {
  static constexpr bool accumulates = detail::accumulates<Rule>;
  static_assert(
      accumulates || !(Timing::eager && Rule::waits_for_all_gradients),
      "tapeless: eager updates change each parameter as soon as its own gradient is there, but a "
      "transformation of this rule (clip_by_global_norm, ...) needs the gradients of all parameters "
      "first: leave eager_updates out");
  using base = trainer_interface<trainer, Model, Rule, Policy>;
  using waiting_gradients = trainer_gradients<trainer>;
  using typename base::own_gradients, typename base::own_memory, typename base::own_parameters;
  using waiting_gradients::hold_gradients;
  using own_states =
      rule_states<detail::update_program_of<Model, Rule, Policy, Timing::eager>, own_parameters>;

 public:
  using step_program = typename detail::step_program_of<Model, Rule, Policy, Timing::eager>::type;
  using accumulate_program =
      ready_for<accumulate_graph_builder<Model, Rule, detail::collects_early<Timing>>, Policy>;
  using apply_program =
      ready_for<apply_graph_builder<Model, Rule, detail::updates_last_first<Timing>>, Policy>;

  using waiting_gradients::collected_gradients, waiting_gradients::discard_gradients,
      waiting_gradients::require_gradients;

  /// Parameters start from the seed, each by its own initializer.
  explicit trainer(Model its_model, Rule rule, Policy policy = {}, random_seed seed = 0)
      : trainer(its_model, std::move(rule), policy, Timing{}, seed) {}
  TAPELESS_WARM trainer(Model, Rule rule, Policy policy, std::type_identity_t<Timing>, random_seed seed = 0)
      : own_(new members(std::move(rule), policy, seed)) {}
  trainer(const trainer&) = delete;  // move it, or copy_parameters(from, to) into one of its own
  trainer(trainer&&) = default;
  trainer& operator=(trainer&&) = default;

  /// One step: forward, backward, update. The result shows the outputs, computed before the update.
  template <class... Bindings>
  [[gnu::always_inline]] auto step(const Bindings&... bindings) {
    if constexpr (accumulates) {
      return step_on(base::template sorted<step_program>(bindings...));
    } else {
      return detail::with_inputs<Policy, Model, step_program>(
          [this](const auto& in) TAPELESS_INLINED { return this->step_alone(in); }, bindings...);
    }
  }

  error_stub_result step(inputs_in_braces) { return {}; }
  template <class... X>
  error_stub_result step(const X&...) const {
    return refuse_const<X...>();
  }

  /// Forward and backward: adds weight times the gradients to those that wait for apply(). Throws an error
  /// where the weight is not finite.
  template <class... Bindings>
  auto accumulate(double weight, const Bindings&... bindings) {
    return accumulate_on(weight, base::template sorted<accumulate_program>(bindings...));
  }

  /// Forward and backward alone: the gradients replace those that waited for apply(). They can be read and
  /// changed in between: net.gradients("x"_t = x); net.gradient<"w">()[0] = 0; net.apply().
  template <class... Bindings>
  auto gradients(const Bindings&... bindings) {
    auto inputs = base::template sorted<accumulate_program>(bindings...);
    const auto stay = begin_step();
    hold_gradients();
    own().programs_.accumulate.make_ready(own().memory_, inputs);
    discard_gradients();
    return accumulate_on(1, inputs);
  }

  /// One update from the gradients that were accumulated, which start again at zero. Throws an error where
  /// there are none, unless a view of gradient() can have been written to.
  void apply() {
    const auto stay = begin_step();
    require_gradients();
    hold_gradients();
    update();
  }
  // The same whatever was accumulated: other ranks may have gradients. An observer is told of the program's
  // commands, see program_core.
  template <class... Observer>
  void apply_collected(Observer&... observer) {
    const auto stay = begin_step();
    hold_gradients();
    update(observer...);
  }

  // The same on bindings that are sorted already, for loops over data sets.
  auto step_on(const bindings_of<step_program>& inputs) {
    if constexpr (accumulates) {
      const auto stay = enter_to_change();
      const bool updates = own().collected_ + 1 >= own().hyperparameters_.rule().steps();
      if (updates) {  // whatever throws does so before the gradients are added
        hold_gradients();
        auto none = base::template sorted<apply_program>();
        own().programs_.apply.make_ready(own().memory_, none);
      }
      auto r = accumulate_on(own().hyperparameters_.rule().weight(), inputs);
      if (updates) update();
      return r;
    } else {
      return step_alone(inputs);
    }
  }
  /// An observer is told of the program's commands, see program_core.
  template <class... Observer>
  auto accumulate_on(double weight, const bindings_of<accumulate_program>& inputs, Observer&... observer) {
    const auto stay = begin_step();
    if (!std::isfinite(weight)) throw_error({"accumulate: the weight is ", weight, "; it must be finite"});
    hold_gradients();
    own().hyperparameters_.write_gradient_weight(weight);
    base::template write_random_key<accumulate_program>(own().progress_.random_key());
    auto r = own().programs_.accumulate.run(own().memory_, inputs, observer...);
    own().progress_.use_up_random_key();
    ++own().collected_;
    return r;
  }

  /// The memory that a step needs, for run-time extents of these values: net_type::plan("batch"_t = 32). A
  /// constant expression.
  template <class... Bindings>
  static constexpr memory_plan plan(const Bindings&... extents) {
    const std::array<bound_extent, sizeof...(Bindings)> known{
        bound_extent{Bindings::label, extents.extent()}...};
    const memory_plan m = plan_memory_on<step_program, Policy>(known, own_parameters::descriptions);
    if constexpr (accumulates) {
      return collected_and_applied(m,
                                   plan_memory<apply_program, Policy>(known, own_parameters::descriptions));
    } else {
      return m;
    }
  }

  /// The averages that the rule keeps stand in for the parameters as long as what this returns lives:
  /// { auto averages = net.averaged_weights(); net.evaluate(...); save(net, path); }.
  /// What writes or copies float copies (mixed_precision) then takes copies of the averages.
  [[nodiscard]] auto averaged_weights() {
    const auto stay = enter_to_change();
    return weights_in_use(own().weights_, own_parameters::descriptions, [this] {
      own().hyperparameters_.write_step(own().progress_.steps() - 1);  // the last one
      own().programs_.average.run(own().memory_, base::template sorted<average_program>());
    });
  }

  /// What is known of the rule's states while compiling, and where their elements are.
  static constexpr array_view<const state_description> state_descriptions() {
    return own_states::descriptions;
  }
  array_view<std::byte* const> state_data() const { return own().rule_states_.pointers(); }

  // The program that adds gradients, which throws nothing because of these inputs.
  const auto& ready_to_accumulate(bindings_of<accumulate_program> inputs) {
    const auto stay = begin_step();
    hold_gradients();
    own().programs_.accumulate.make_ready(own().memory_, inputs);
    return own().programs_.accumulate.bound().program();
  }

  // The program that updates parameters from gradients that were added up, which has no inputs.
  auto& ready_to_apply() {
    const auto stay = begin_step();
    hold_gradients();
    auto none = base::template sorted<apply_program>();
    own().programs_.apply.make_ready(own().memory_, none);
    return own().programs_.apply.bound().program();
  }
  // It has run as a part of another one.
  void count_update() {
    const auto stay = enter();
    own().collected_ = 0;
    own().progress_.count_step();
  }

  trainer_state position() const { return own().progress_.position(own().collected_); }
  /// Goes there. Where no step waits for its update there, gradients that wait here are forgotten; where some
  /// do, they are expected in collected_gradients(). Throws an error where no trainer can be there.
  void set_position(const trainer_state& p) {
    const auto stay = enter();
    detail::check_trainer_state(p, "set_position");
    if (p.collected > 0) hold_gradients();
    if (p.collected == 0) discard_gradients();
    own().collected_ = static_cast<int>(p.collected);
    own().progress_.set_position(p);
  }

 private:
  friend trainer_access;
  using average_program = ready_for<average_graph_builder<Model, Rule>, Policy>;

  // What stays in its place when the trainer moves: programs, views and functions know where it is.
  struct members {
    TAPELESS_COLD members(Rule rule, const Policy& policy, std::uint64_t seed)
        : hyperparameters_(std::move(rule)),
          weights_(std::make_shared<typename base::own_weights>(policy, seed)),
          rule_states_(weights_->resources, addresses_, seed, detail::others_of(hyperparameters_.rule())),
          progress_(seed, own_parameters::count),
          memory_{weights_->parameters.memory().program_pointers(), addresses_.all(),
                  hyperparameters_.numbers(), &weights_->resources,
                  detail::others_of(hyperparameters_.rule())} {}

    one_thread one_thread_;
    hyperparameters<Rule> hyperparameters_;
    std::shared_ptr<typename base::own_weights> weights_;
    state_addresses addresses_{state_numbers{own_parameters::count}, own_states::count};
    own_states rule_states_;
    own_gradients gradients_;
    int collected_ = 0;             // steps whose gradients wait for their update
    bool gives_gradients_ = false;  // views of them, which can be written to
    training_progress progress_;
    own_memory memory_;
    struct {
      typename base::lazy_evaluate evaluate;
      typename base::lazy_predict predict;
      lazy_program<step_program, Policy, empty_inputs::refused> step;
      lazy_program<accumulate_program, Policy, empty_inputs::refused> accumulate;
      lazy_program<apply_program, Policy, empty_inputs::taken> apply;
      lazy_program<average_program, Policy, empty_inputs::taken> average;
      typename base::lazy_loss_weight loss_weight;
    } programs_;

    // As long as what this returns lives, other threads are kept out.
    [[nodiscard]] one_thread::stay enter() { return one_thread_.enter("trainer"); }
  };
  sole_owner<members> own_;

  members& own() const { return detail::unless_moved_from(own_, "trainer"); }
  [[nodiscard]] one_thread::stay enter() { return own().enter(); }
  [[nodiscard]] weights_change enter_to_change() { return {enter(), own().weights_}; }
  [[nodiscard]] weights_change begin_step() {
    weights_change stay = enter_to_change();
    base::require_own_weights();
    own().hyperparameters_.write_step(own().progress_.steps());
    return stay;
  }

  // A step whose gradients wait for nothing.
  auto step_alone(const bindings_of<step_program>& inputs) { return step_in_turn(inputs); }
  template <class Lines>
  [[gnu::always_inline]] auto step_alone(const detail::plain_inputs<step_program, Lines>& inputs) {
    return step_in_turn(inputs);
  }
  template <class Inputs>
  [[gnu::always_inline]] auto step_in_turn(const Inputs& inputs) {
    const auto stay = begin_step();
    base::template write_random_key<step_program>(own().progress_.random_key());
    auto r = own().programs_.step.run(own().memory_, inputs);
    own().progress_.use_up_random_key();
    own().progress_.count_step();
    return r;
  }

  // Precondition: this step's numbers are written, and there is memory for gradients.
  template <class... Observer>
  void update(Observer&... observer) {
    base::template write_random_key<apply_program>(own().progress_.update_key());
    own().programs_.apply.run(own().memory_, base::template sorted<apply_program>(), observer...);
    own().collected_ = 0;
    own().progress_.count_step();
  }
};

}  // namespace tapeless
