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
#include <tapeless/train/trainer/trainer_interface.hpp>
#include <tapeless/train/trainer/training_programs.hpp>

namespace tapeless {

/// Trains a model by a rule: trainer net{model, adam({.learning_rate = 1e-3f})}. A trainer belongs to one
/// thread at a time, which may be another one each time: where two call it at once, the second gets an error.
/// Any number of threads may have trainers of their own. What calls return, and parameters, are read before
/// another thread's turn. A trainer can be moved, not copied: views, results and functions on its weights go
/// on with the one that it was moved to. Any use of the one that it was moved from is an error.
template <class Model, class Rule, class Policy = default_policy, class Timing = deferred_updates_t>
class trainer : public trainer_interface<trainer<Model, Rule, Policy, Timing>, Model, Rule, Policy> {
  static constexpr bool accumulates = detail::accumulates<Rule>;
  static_assert(
      accumulates || !(Timing::eager && Rule::waits_for_all_gradients),
      "tapeless: eager updates change each parameter as soon as its own gradient is there, but a "
      "transformation of this rule (clip_by_global_norm, ...) needs the gradients of all parameters "
      "first: leave eager_updates out");
  using base = trainer_interface<trainer, Model, Rule, Policy>;
  using typename base::own_gradients, typename base::own_memory, typename base::own_parameters;
  using own_states =
      rule_states<detail::update_program_of<Model, Rule, Policy, Timing::eager>, own_parameters>;

 public:
  using step_program = typename detail::step_program_of<Model, Rule, Policy, Timing::eager>::type;
  using accumulate_program =
      ready_for<accumulate_graph_builder<Model, Rule, detail::collects_early<Timing>>, Policy>;
  using apply_program =
      ready_for<apply_graph_builder<Model, Rule, detail::updates_last_first<Timing>>, Policy>;

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

  /// Forgets the gradients that wait for apply().
  void discard_gradients() {
    const auto stay = enter();
    own().collected_ = 0;
    own().gradients_.set_to_zero();
  }

  /// A view of a parameter's gradient as apply() will use it, times the loss scale where there is one.
  template <name Name>
  auto gradient() {
    const auto stay = enter();
    return gradients_to_give().template view<Name>();
  }
  /// The same of all parameters, with their names, in the order of parameters():
  /// for (auto& g : net.all_gradients()) std::cout << g.name() << g[0]. Running statistics have zeros.
  auto all_gradients() {
    const auto stay = enter();
    return gradients_to_give().views();
  }

  /// One update from the gradients that were accumulated, which start again at zero. Throws an error where
  /// there are none, unless a view of gradient() can have been written to.
  void apply() {
    const auto stay = begin_step();
    require_gradients();
    hold_gradients();
    update();
  }
  // Throws that error.
  void require_gradients() const {
    if (own().collected_ == 0 && !own().gives_gradients_)
      throw_error(
          "apply: no gradients wait for it: call gradients(...) or accumulate(weight, ...) first, or write "
          "your own into gradient<\"NAME\">()");
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

  /// A view of one of the rule's states: net.state<"adam.mu", "fc1.weight">(), net.state<"loss_scale">().
  template <name Label, name Parameter = name{}>
  auto state() {
    return own().rule_states_.template view<Label, Parameter>();
  }

  /// A view of a parameter's float copy under mixed precision; assign changes both.
  template <name Name>
  auto master() {
    const auto view = state<master_label, Name>();
    if constexpr (std::is_same_v<decltype(view), const error_stub_result>) {
      return view;
    } else {
      return view.as_const();
    }
  }
  /// Where the float copy of parameter number i is; null where it has none.
  std::byte* master_data(std::size_t i) const { return own().rule_states_.master_data(i); }

  /// Holds fast the parameters whose names fit the pattern, with their states, until thaw:
  /// freeze<"body.*">(). The rule must be freezable. Running statistics, such as batch_norm's, still
  /// move in each step.
  template <name Pattern>
  void freeze() {
    const auto stay = enter();
    own().rule_states_.template set_frozen<Pattern>(true);
  }
  template <name Pattern>
  void thaw() {
    const auto stay = enter();
    own().rule_states_.template set_frozen<Pattern>(false);
  }

  /// What is known of the rule's states while compiling, and where their elements are.
  static constexpr array_view<const state_description> state_descriptions() {
    return own_states::descriptions;
  }
  array_view<std::byte* const> state_data() const { return own().rule_states_.pointers(); }

  /// Where the gradients are that wait for their update, by parameter; empty where none wait.
  array_view<std::byte* const> collected_gradients() const {
    if (own().collected_ == 0) return {};
    return own().gradients_.pointers();
  }
  /// Where they will be, whether any wait or not.
  array_view<std::byte* const> gradient_data() {
    hold_gradients();
    return own().gradients_.pointers();
  }
  // The same where programs find them, which may be on a device.
  array_view<std::byte* const> gradients_of_programs() {
    hold_gradients();
    return own().gradients_.program_pointers();
  }
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

  void hold_gradients() { own().gradients_.hold(own().weights_->resources, own().addresses_); }
  own_gradients& gradients_to_give() {
    hold_gradients();
    own().gives_gradients_ = true;
    return own().gradients_;
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

template <class Model, class Rule, class Policy, class Timing>
  requires(!detail::is_trainable<Model, Rule, Policy, Timing>())
class trainer<Model, Rule, Policy, Timing> : public error_stub {
 public:
  explicit trainer(Model, Rule, const auto&...) {
    static_cast<void>(sizeof(model_report<Model>) + sizeof(detail::parts_report<Rule, Policy>) +
                      sizeof(detail::step_report<Model, Rule, Policy, Timing>));
  }
};

template <class Model>
class trainer<Model, detail::no_rule> : public error_stub, detail::no_rule_report<Model> {
 public:
  explicit trainer(Model, ...) {}  // before what is passed for a rule is looked at
};

template <class Model>
trainer(Model, ...) -> trainer<Model, detail::no_rule>;
template <class Model, class Rule, class Policy = default_policy>
trainer(Model, Rule, Policy = {}, random_seed = 0) -> trainer<Model, Rule, Policy>;
// The rule first, or what no rule can be.
template <class Model, class Rule, class Policy = default_policy>
  requires(is_rule<Model> || !std::is_class_v<Rule>)
trainer(Model, Rule, Policy = {}, random_seed = 0) -> trainer<Model, detail::no_rule>;
template <class Model, class Rule, class Policy>
trainer(Model, Rule, Policy, deferred_updates_t, random_seed = 0) -> trainer<Model, Rule, Policy>;
template <class Model, class Rule, class Policy>
trainer(Model, Rule, Policy, eager_updates_t, random_seed = 0)
    -> trainer<Model, Rule, Policy, eager_updates_t>;

}  // namespace tapeless
