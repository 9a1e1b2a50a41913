// SPDX-License-Identifier: BSL-1.0
// trainer: a model, the rule that changes its parameters, and the memory of both.
#pragma once

#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/optim/transforms/chain.hpp>
#include <tapeless/run/default_policy.hpp>
#include <tapeless/run/common/policy.hpp>
#include <tapeless/train/trainer/averaged_weights.hpp>
#include <tapeless/train/trainer/error_stub.hpp>
#include <tapeless/train/trainer/timing.hpp>
#include <tapeless/train/trainer/trained_rule.hpp>

namespace tapeless {

namespace detail {

template <class Rule>
inline constexpr bool accumulates = requires { Rule::accumulates; };

/// The program of a training step: the whole step, or what collects gradients.
template <class Model, class Rule, class Policy, bool Eager>
struct step_program_of {
  using type = ready_for<std::conditional_t<accumulates<Rule>, accumulate_graph_builder<Model, Rule, Eager>,
                                            step_graph_builder<Model, Rule, Eager>>,
                         Policy>;
};

/// The program of an update, whose graph has all of the rule's states.
template <class Model, class Rule, class Policy, bool Eager>
using update_program_of = ready_for<std::conditional_t<accumulates<Rule>, apply_graph_builder<Model, Rule>,
                                                       step_graph_builder<Model, Rule, Eager>>,
                                    Policy>;

/// Whether a trainer can go by the rule on the policy, and why not where it can't; of a rule that has been
/// refused already nothing more is said.
template <class Rule, class Policy>
constexpr bool can_train = is_rule<Rule> && is_policy<Policy>;
template <class Rule, class Policy>
struct parts_report : contract_report<policy_contract<Policy>>,
                      contract_report<rule_contract<Rule>, is_rule<Rule> || is_erroneous<Rule>> {};

template <class Model, class Rule, class Policy, class Timing>
constexpr bool is_trainable() {
  if constexpr (!can_train<Rule, Policy>) {
    return false;
  } else if constexpr (is_sound_model<Model>()) {
    return is_sound_graph<typename step_program_of<Model, Rule, Policy, Timing::eager>::type>();
  } else {
    return false;
  }
}

template <class Model, class Rule, class Policy, class Timing,
          bool Lowered = is_sound_model<Model>() && can_train<Rule, Policy>>
struct step_report {};
template <class Model, class Rule, class Policy, class Timing>
struct step_report<Model, Rule, Policy, Timing, true>
    : graph_report<typename step_program_of<Model, Rule, Policy, Timing::eager>::type> {};

template <class Model, class Rule, class Policy, class Timing>
using trainer_base = trained_rule<Model, Rule, Policy, update_program_of<Model, Rule, Policy, Timing::eager>>;

}  // namespace detail

/// Trains a model by a rule: trainer net{model, adam({.learning_rate = 1e-3f})}. A trainer belongs to one
/// thread at a time, which may be another one each time: where two call it at once, the second gets an error.
/// Any number of threads may have trainers of their own. What calls return, and parameters, are read before
/// another thread's turn.
template <class Model, class Rule, class Policy = default_policy, class Timing = deferred_updates_t>
class trainer : public detail::trainer_base<Model, Rule, Policy, Timing> {
  static constexpr bool accumulates = detail::accumulates<Rule>;
  static_assert(
      accumulates || !(Timing::eager && Rule::waits_for_all_gradients),
      "tapeless: eager updates change each parameter as soon as its own gradient is there, but a "
      "transformation of this rule (clip_by_global_norm, ...) needs the gradients of all parameters "
      "first: leave eager_updates out");
  using base = detail::trainer_base<Model, Rule, Policy, Timing>;
  using base::parameters_, base::rule_, base::gradients_of_, base::state_pointers_, base::hypers_,
      base::random_keys_, base::steps_;
  using typename base::program;

 public:
  using step_program = typename detail::step_program_of<Model, Rule, Policy, Timing::eager>::type;
  using accumulate_program = ready_for<accumulate_graph_builder<Model, Rule, Timing::eager>, Policy>;
  using apply_program = ready_for<apply_graph_builder<Model, Rule>, Policy>;

  /// Parameters start from the seed, each by its own initializer.
  explicit trainer(Model model, Rule rule, Policy policy = {}, std::uint64_t seed = 0)
      : trainer(model, std::move(rule), policy, Timing{}, seed) {}
  trainer(Model, Rule rule, Policy policy, std::type_identity_t<Timing>, std::uint64_t seed = 0)
      : base(std::move(rule), policy, seed) {}

  /// One step: forward, backward, update. The result shows the outputs, computed before the update.
  template <bindable... Bindings>
  auto step(const Bindings&... bindings) {
    return step_on(this->template sorted<step_program>(bindings...));
  }

  /// Forward and backward: adds weight times the gradients to those that wait for apply(). Throws an error
  /// where the weight is not finite.
  template <bindable... Bindings>
  auto accumulate(double weight, const Bindings&... bindings) {
    return accumulate_on(weight, this->template sorted<accumulate_program>(bindings...));
  }

  /// Forward and backward alone: the gradients replace those that waited for apply(). They can be read and
  /// changed in between: net.gradients("x"_t = x); net.gradient<"w">()[0] = 0; net.apply().
  template <bindable... Bindings>
  auto gradients(const Bindings&... bindings) {
    auto inputs = this->template sorted<accumulate_program>(bindings...);
    const auto stay = this->begin_step();
    hold_gradients();
    this->template make_ready<accumulate_program>(accumulate_, inputs, true);
    discard_gradients();
    return accumulate_on(1, inputs);
  }

  /// Forgets the gradients that wait for apply().
  void discard_gradients() {
    const auto stay = this->enter();
    collected_ = 0;
    if (!gradients_.is_empty()) detail::set_to_zero(gradients_of_, gradients_.pointers());
  }

  /// A view of a parameter's gradient as apply() will use it, times the loss scale where there is one.
  template <name Name>
  auto gradient() {
    if constexpr (constexpr int index = base::template index_of<Name>(); index >= 0) {
      const auto stay = this->enter();
      hold_gradients();
      return gradients_.template view<gradients_of_[index].type>(gradients_of_[index], index);
    } else {
      return error_stub_result();
    }
  }

  /// One update from the gradients that were accumulated, which start again at zero.
  void apply() {
    const auto stay = this->begin_step();
    hold_gradients();
    update();
  }

  // The same on bindings that are sorted already, for loops over data sets.
  auto step_on(const bindings_of<step_program>& inputs) {
    if constexpr (accumulates) {
      const auto stay = this->enter();
      const bool updates = collected_ + 1 >= rule_.steps();
      if (updates) {  // whatever throws does so before the gradients are added
        hold_gradients();
        auto none = this->template sorted<apply_program>();
        this->template make_ready<apply_program>(apply_, none);
      }
      auto r = accumulate_on(rule_.weight(), inputs);
      if (updates) update();
      return r;
    } else {
      const auto stay = this->begin_step();
      this->write_random_key();
      auto r = this->template run<step_program>(step_, inputs, true);
      this->use_up_random_key();
      ++steps_;
      return r;
    }
  }
  auto accumulate_on(double weight, const bindings_of<accumulate_program>& inputs) {
    const auto stay = this->begin_step();
    hold_gradients();
    hypers_.back() = weight;
    if (!std::isfinite(weight)) throw error({"accumulate: the weight is ", weight, "; it must be finite"});
    this->write_random_key();
    auto r = this->template run<accumulate_program>(accumulate_, inputs, true);
    this->use_up_random_key();
    ++collected_;
    return r;
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

  /// The averages that the rule keeps stand in for the parameters as long as what this returns lives:
  /// { auto averages = net.averaged_weights(); net.evaluate(...); save(net, path); }.
  [[nodiscard]] auto averaged_weights() {
    const auto stay = this->enter();
    return weights_in_use(this->uses_averages_, parameters_, this->values_, [this] {
      this->write_numbers(steps_ - 1);  // of the last step
      this->template run<average_program>(average_, this->template sorted<average_program>());
    });
  }

  /// Where the gradients are that wait for their update, by parameter; empty where none wait.
  array_view<std::byte* const> collected_gradients() {
    if (collected_ == 0) return {};
    hold_gradients();
    return gradients_.pointers();
  }

  trainer_state position() const {
    return {steps_, collected_, static_cast<std::int64_t>(random_keys_.state()), this->fit_};
  }
  /// Goes there. Where no step waits for its update there, gradients that wait here are forgotten; where some
  /// do, they are expected in collected_gradients(). Throws an error where no trainer can be there.
  void set_position(const trainer_state& p) {
    detail::check_trainer_state(p, "set_position");
    if (p.collected > 0) hold_gradients();
    if (p.collected == 0) discard_gradients();
    steps_ = p.steps;
    collected_ = static_cast<int>(p.collected);
    random_keys_ = random_stream::at(static_cast<std::uint64_t>(p.random));
    this->fit_ = p.fit;
  }

 private:
  using average_program = ready_for<average_graph_builder<Model, Rule>, Policy>;

  parameter_memory<typename Policy::memory> gradients_;
  int collected_ = 0;  // steps that wait for their update
  std::optional<program> step_, accumulate_, apply_, average_;

  void hold_gradients() {
    if (!gradients_.is_empty()) return;
    gradients_ = {gradients_of_, this->resources_};
    const auto pointers = gradients_.program_pointers();
    for (std::size_t i = 0; i < pointers.size(); ++i) state_pointers_[i] = pointers[i];
  }
  // Precondition: this step's numbers are written, and there is memory for gradients.
  void update() {
    this->template run<apply_program>(apply_, this->template sorted<apply_program>());
    collected_ = 0;
    ++steps_;
  }
};

template <class Model, class Rule, class Policy, class Timing>
  requires(!detail::is_trainable<Model, Rule, Policy, Timing>())
class trainer<Model, Rule, Policy, Timing> : public error_stub,
                                             model_report<Model>,
                                             detail::parts_report<Rule, Policy>,
                                             detail::step_report<Model, Rule, Policy, Timing> {
 public:
  explicit trainer(Model, Rule, Policy = {}, std::uint64_t = 0) {}
  trainer(Model, Rule, Policy, Timing, std::uint64_t = 0) {}
};

template <class Model, class Rule, class Policy = default_policy>
trainer(Model, Rule, Policy = {}, std::uint64_t = 0) -> trainer<Model, Rule, Policy>;
template <class Model, class Rule, class Policy>
trainer(Model, Rule, Policy, deferred_updates_t, std::uint64_t = 0) -> trainer<Model, Rule, Policy>;
template <class Model, class Rule, class Policy>
trainer(Model, Rule, Policy, eager_updates_t, std::uint64_t = 0)
    -> trainer<Model, Rule, Policy, eager_updates_t>;

}  // namespace tapeless
