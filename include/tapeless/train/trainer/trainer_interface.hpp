// SPDX-License-Identifier: BSL-1.0
// What every trainer can be asked, whatever its rule. It has no members of its own.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/train/binding/run_stamp.hpp>
#include <tapeless/train/binding/tag.hpp>
#include <tapeless/train/program/framework_calls.hpp>
#include <tapeless/train/program/graph_builders.hpp>
#include <tapeless/train/program/loss_weight.hpp>
#include <tapeless/train/program/plain_inputs.hpp>
#include <tapeless/train/trainer/error_stub.hpp>
#include <tapeless/train/trainer/gradient_sums.hpp>
#include <tapeless/train/trainer/hyperparameters.hpp>
#include <tapeless/train/trainer/lazy_program.hpp>
#include <tapeless/train/trainer/trained_weights.hpp>
#include <tapeless/train/trainer/trainer_access.hpp>
#include <tapeless/train/trainer/trainer_parameters.hpp>
#include <tapeless/train/trainer/trainer_position.hpp>
#include <tapeless/train/trainer/trainer_settings.hpp>
#include <tapeless/train/trainer/training_progress.hpp>

namespace tapeless {

namespace detail {

/// What predict computes with a trainer of that rule.
template <class Model, class Rule>
struct predict_builder_of {
  using type = predict_graph_builder<Model, compute_type_of<Rule>()>;
};

}  // namespace detail

/// The calls that all trainers have. A Trainer is a friend of trainer_access, and has a private function
/// own(): it throws where the trainer has been moved from, and gives what stays in its place when trainers
/// move. That has
///   weights_           which shares a trained_weights<own_parameters, Policy>
///   hyperparameters_   of the type hyperparameters<Rule>, or with the same calls
///   progress_          of the type training_progress
///   memory_            of the type own_memory: where its programs find all of that
///   programs_          among them evaluate, predict and loss_weight, of the types lazy_evaluate and so on
///   one_thread_        of that type
///   enter()            keeps other threads out as long as what it returns lives
template <class Trainer, class Model, class Rule, class Policy>
class trainer_interface
    : public trainer_parameters<Trainer,
                                model_parameters<Model, compute_type_of<Rule>(), typename Policy::memory>>,
      public trainer_settings<Trainer>,
      public trainer_position<Trainer>,
      public framework_trainer_calls {
 protected:
  using own_parameters = model_parameters<Model, compute_type_of<Rule>(), typename Policy::memory>;
  using own_gradients = gradient_sums<own_parameters>;
  using own_memory = program_memory<typename Policy::program::resources>;

 public:
  /// What parameters of float are stored as; `number` where it is float.
  static constexpr element stored_as = compute_type_of<Rule>();
  using own_weights = trained_weights<own_parameters, Policy>;
  using model_type = Model;
  using rule_type = Rule;
  using policy_type = Policy;
  using evaluate_program = ready_for<forward_graph_builder<Model, stored_as>, Policy>;
  using predict_program = ready_for<typename detail::predict_builder_of<Model, Rule>::type, Policy>;

  /// What the program of a graph builder gives back.
  template <class GraphBuilder>
  using result_of = result<GraphBuilder, typename Policy::program>;

  /// All outputs, without a step. Random numbers are drawn anew in each call; steps draw the same numbers
  /// with and without it.
  template <class... Bindings>
  auto evaluate(const Bindings&... bindings) {
    return evaluate_on(sorted<evaluate_program>(bindings...));
  }
  error_stub_result evaluate(inputs_in_braces) { return {}; }
  template <class... X>
  error_stub_result evaluate(const X&...) const {
    return refuse_const<X...>();
  }
  // The same on bindings that are sorted already, for loops over data sets.
  [[gnu::noinline]] auto evaluate_on(const bindings_of<evaluate_program>& inputs) {
    auto& own = self();
    const auto stay = enter_to_run(own);
    if constexpr (draws<evaluate_program>)
      own.hyperparameters_.write_random_key(own.progress_.next_evaluation_key());
    return own.programs_.evaluate.run(own.memory_, inputs);
  }

  /// How the loss puts samples together.
  static constexpr over_samples loss_kind = loss_over_samples_of<Model>.kind;
  // What the loss of a batch of so many samples divides by, or is as if it did; sorted for any program.
  template <class Program>
  double loss_weight_of(std::int64_t samples, [[maybe_unused]] const bindings_of<Program>& inputs) {
    if constexpr (loss_kind == over_samples::weighted) {
      auto& own = self();
      const auto stay = enter_to_run(own);
      const auto chosen = detail::chosen_from<loss_weight_program>(inputs);
      return static_cast<double>(own.programs_.loss_weight.run(own.memory_, chosen).loss());
    } else {
      return static_cast<double>(samples);
    }
  }

  /// The named outputs; what only the loss needs is not bound. Random numbers as in evaluate. Nothing changes
  /// that training goes on from. Other threads are kept out meanwhile, as in all calls of a trainer; any
  /// number of them may call a function on its weights: function f{model, weights(net)}.
  template <class... Bindings>
  [[gnu::always_inline]] auto predict(const Bindings&... bindings) {
    return detail::with_inputs<Policy, Model, predict_program>(
        [this](const auto& inputs) TAPELESS_INLINED { return this->predict_on(inputs); }, bindings...);
  }

  error_stub_result predict(inputs_in_braces) { return {}; }
  template <class... X>
  error_stub_result predict(const X&...) const {
    return refuse_const<X...>();
  }

  /// What the rule is made of, such as chain(scale_by_adam, scale_by_learning_rate), without its numbers.
  TAPELESS_WARM std::string rule_text() const {
    std::array<described_parameter, own_parameters::count> parameters;
    for (std::size_t i = 0; i < parameters.size(); ++i)
      parameters[i] = {own_parameters::descriptions[i].label->view(),
                       own_parameters::descriptions[i].extents()};
    return self().hyperparameters_.rule_text(parameters);
  }

  // Of a trainer whose gradients never wait for their update; one whose do has its own.
  array_view<std::byte* const> collected_gradients() const { return {}; }

  /// What is known of gradients while compiling, where they are held, in the order of parameters().
  static constexpr array_view<const parameter_description> gradient_descriptions() {
    return own_gradients::descriptions;
  }
  // As long as what it returns lives, other threads are kept out, between calls, too.
  [[nodiscard]] one_thread::hold keep_others_out() const { return {self().one_thread_, "trainer"}; }
  // Where this trainer's programs find what they work on, with the numbers of the step to come: for those who
  // run a program of their own, on copies.
  const own_memory& memory_of_next_step() {
    const auto stay = self().enter();
    self().hyperparameters_.write_step(self().progress_.steps());
    self().hyperparameters_.write_random_key(self().progress_.random_key());
    return self().memory_;
  }
  // What weights(net) and functions hold together with the trainer.
  std::shared_ptr<own_weights> shared_weights() {
    const auto stay = self().enter();
    return self().weights_;
  }

 protected:
  using loss_weight_program = ready_for<loss_weight_graph_builder<Model, stored_as>, Policy>;

  trainer_interface() = default;
  trainer_interface(trainer_interface&&) = default;  // not copied
  trainer_interface& operator=(trainer_interface&&) = default;
  ~trainer_interface() = default;

  using lazy_evaluate = lazy_program<evaluate_program, Policy, empty_inputs::refused>;
  using lazy_loss_weight = lazy_program<loss_weight_program, Policy, empty_inputs::taken>;
  using lazy_predict = lazy_program<predict_program, Policy, empty_inputs::taken, code_alone::used>;

  /// Whether a program draws random numbers; most do not.
  template <class Program>
  static constexpr bool draws = numbers_read_by<Program>.random_key;
  /// The key of a run to come of that program, if it draws.
  template <class Program>
  void write_random_key([[maybe_unused]] double key) {
    if constexpr (draws<Program>) self().hyperparameters_.write_random_key(key);
  }

  template <class Builder, class... Bindings>
  static bindings_of<Builder> sorted(const Bindings&... bindings) {
    return detail::sort_bindings<Model, Builder>(bindings...);
  }

 private:
  // Other threads need not be kept out where there are none.
  template <class Lines>
  [[gnu::always_inline]] auto predict_on(const detail::plain_inputs<predict_program, Lines>& inputs) {
    auto& predict = self().programs_.predict;
    if constexpr (!draws<predict_program>)
      if (detail::is_only_thread()) [[likely]]
        if (const auto result = predict.run_alone(inputs)) [[likely]]
          return *result;
    const run_stamp stamp =
        predict_apart<Lines>(std::to_array(inputs.data), std::to_array(inputs.are_plain_for));
    return result_of<predict_program>(std::as_const(predict).bound(), stamp, {});
  }
  auto predict_on(const bindings_of<predict_program>& inputs) { return predict_in_turn(inputs); }
  // Takes copies and returns what registers hold: so nothing is in memory where this is not called.
  template <class Lines, std::size_t Size>
  [[gnu::noinline]] run_stamp predict_apart(std::array<const std::byte*, Size> data,
                                            std::array<bool, Lines::count> are_plain_for) {
    return predict_in_turn(detail::plain_inputs<predict_program, Lines>(data, are_plain_for)).stamp();
  }
  template <class Inputs>
  auto predict_in_turn(const Inputs& inputs) {
    auto& own = self();
    const auto stay = enter_to_run(own);
    if constexpr (draws<predict_program>)
      own.hyperparameters_.write_random_key(own.progress_.next_evaluation_key());
    return own.programs_.predict.run(own.memory_, inputs);
  }

  // Where functions on the weights would disturb a run, they are kept out as well.
  template <class Members>
  static auto enter_to_run(Members& own) {
    if constexpr (detail::has_streams<typename Policy::resources>) {
      return weights_change(own.enter(), own.weights_);
    } else {
      return own.enter();
    }
  }

  auto& self() const { return trainer_access::own_of(static_cast<const Trainer&>(*this)); }
};

}  // namespace tapeless
