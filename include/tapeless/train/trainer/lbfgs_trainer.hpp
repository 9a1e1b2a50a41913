// SPDX-License-Identifier: BSL-1.0
// trainer net{model, lbfgs({...})}: a trainer of its own kind, each of whose steps is an iteration of L-BFGS.
#pragma once

#include <memory>

#include <tapeless/exceptions.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/random_seed.hpp>
#include <tapeless/graph/core/sole_owner.hpp>
#include <tapeless/optim/line_search/lbfgs.hpp>
#include <tapeless/optim/line_search/lbfgs_history.hpp>
#include <tapeless/train/trainer/flat_parameters.hpp>
#include <tapeless/train/trainer/search_report.hpp>
#include <tapeless/train/trainer/trainer.hpp>

namespace tapeless {

namespace detail {

/// Adds the gradients to sums that are zero before each run.
template <class Model, class Policy, bool Eager>
struct step_program_of<Model, lbfgs_rule, Policy, Eager> {
  using type = ready_for<accumulate_graph_builder<Model, lbfgs_rule>, Policy>;
};

}  // namespace detail

/// The outputs before the update, and what the line search found.
template <class GraphBuilder, class Program>
class lbfgs_result : public result<GraphBuilder, Program> {
 public:
  lbfgs_result(const result<GraphBuilder, Program>& outputs, const search_report& search)
      : result<GraphBuilder, Program>(outputs), search_(search) {}

  const search_report& search() const { return search_; }

 private:
  search_report search_;
};

/// Trains a model by L-BFGS. A step computes the loss and its gradients at the parameters, and again at each
/// point that the line search tries, mostly one. All points of a step see one function: the same samples, the
/// same random numbers (dropout), the same running statistics, which change once as in any other step. What
/// is computed over all parameters is computed in double. The first length of a search is the learning rate;
/// without history, when the direction is the gradient's, times min(1, 1 / |gradient|). Where no lower loss
/// is found, the parameters stay as they are and the history is forgotten.
template <class Model, class Policy, class Timing>
  requires(detail::is_trainable<Model, lbfgs_rule, Policy, Timing>())
class trainer<Model, lbfgs_rule, Policy, Timing>
    : public trainer_interface<trainer<Model, lbfgs_rule, Policy, Timing>, Model, lbfgs_rule, Policy> {
  using base = trainer_interface<trainer, Model, lbfgs_rule, Policy>;
  using typename base::own_gradients, typename base::own_memory, typename base::own_parameters;
  static constexpr const auto& descriptions = own_parameters::descriptions;
  static_assert(!Timing::eager,
                "tapeless: eager updates change each parameter as soon as its own gradient is there, but the "
                "line search of lbfgs moves all of them together: leave eager_updates out");
  static_assert(detail::are_float_or_double(descriptions),
                "tapeless: lbfgs trains parameters of float or double");

 public:
  using step_program = typename detail::step_program_of<Model, lbfgs_rule, Policy, false>::type;

  /// Parameters start from the seed, each by its own initializer.
  explicit trainer(Model its_model, lbfgs_rule rule, Policy policy = {}, random_seed seed = 0)
      : trainer(its_model, std::move(rule), policy, Timing{}, seed) {}
  TAPELESS_WARM trainer(Model, lbfgs_rule rule, Policy policy, std::type_identity_t<Timing>,
                        random_seed seed = 0)
      : own_(new members(std::move(rule), policy, seed)) {}

  /// One iteration on these samples. The result shows the outputs, computed before the update, and tells how
  /// the line search went: net.step(...).search(). Throws an error where the learning rate is not positive.
  template <class... Bindings>
  auto step(const Bindings&... bindings) {
    return step_on(base::template sorted<step_program>(bindings...));
  }
  // The same on bindings that are sorted already, for loops over data sets.
  auto step_on(const bindings_of<step_program>& inputs) { return own().step_on(inputs); }

  /// The memory that a step needs, for run-time extents of these values; small copies of outputs and running
  /// statistics are not counted. No constant expression, since the length of the history is an option.
  template <class... Bindings>
  memory_plan plan(const Bindings&... extents) const {
    const std::array<bound_extent, sizeof...(Bindings)> known{
        bound_extent{Bindings::label, extents.extent()}...};
    memory_plan m = plan_memory<step_program, Policy>(known, descriptions);
    m.optimizer = (2 * own().rule().history() + 4) * static_cast<std::int64_t>(count * sizeof(double));
    m.peak += m.optimizer;
    return m;
  }

  /// What is known of the history, as a checkpoint holds it, and where its elements are:
  ///   lbfgs.s, lbfgs.y   one row for each pair, over all trained parameters one after the other
  ///   lbfgs.curvatures   s.y of each
  ///   lbfgs.stored       the number of pairs since the last restart; number k is in row k modulo history
  array_view<const state_description> state_descriptions() const { return own().history_states_; }
  array_view<std::byte* const> state_data() const { return own().history_data_; }

 private:
  friend trainer_access;
  static constexpr double loss_resolution = detail::resolution_of(
      constant_graph_of<step_program>.nodes[constant_graph_of<step_program>.outputs[0].node].type);
  static constexpr auto count = static_cast<std::size_t>(detail::trained_count(descriptions));

  // What stays in its place when the trainer moves: programs, views and functions know where it is.
  struct members {
    TAPELESS_COLD members(lbfgs_rule rule, const Policy& policy, std::uint64_t seed)
        : hyperparameters_(std::move(rule)),
          weights_(std::make_shared<typename base::own_weights>(policy, seed)),
          progress_(seed, own_parameters::count),
          history_(hyperparameters_.rule().history(), count),
          start_(count),
          start_gradient_(count),
          gradient_(count),
          direction_(count),
          memory_{parameters().program_pointers(), addresses_.all(), hyperparameters_.numbers(),
                  &weights_->resources} {
      gradients_.hold(weights_->resources, addresses_);
    }

    one_thread one_thread_;
    hyperparameters<lbfgs_rule> hyperparameters_;
    std::shared_ptr<typename base::own_weights> weights_;
    state_addresses addresses_{state_numbers{own_parameters::count}, 0};
    own_gradients gradients_;
    training_progress progress_;
    lbfgs_history history_;
    std::vector<double> start_, start_gradient_, gradient_, direction_;
    std::array<state_description, 4> history_states_ = describe_history();
    std::array<std::byte*, 4> history_data_ = {bytes_of(history_.s()), bytes_of(history_.y()),
                                               bytes_of(history_.curvatures()),
                                               reinterpret_cast<std::byte*>(&history_.stored())};
    detail::kept_bytes buffers_before_, buffers_after_, outputs_;
    own_memory memory_;
    struct {
      typename base::lazy_evaluate evaluate;
      typename base::lazy_predict predict;
      lazy_program<step_program, Policy, empty_inputs::refused> step;
      typename base::lazy_loss_weight loss_weight;
    } programs_;

    // As long as what this returns lives, other threads are kept out.
    [[nodiscard]] one_thread::stay enter() { return one_thread_.enter("trainer"); }
    const auto& parameters() const { return weights_->parameters.memory(); }
    const lbfgs_rule& rule() const { return hyperparameters_.rule(); }
    double learning_rate() const { return hyperparameters_[0]; }

    auto step_on(bindings_of<step_program> inputs) {
      const weights_change stay(enter(), weights_);
      hyperparameters_.write_step(progress_.steps());
      hyperparameters_.write_random_key(progress_.random_key());
      hyperparameters_.write_gradient_weight(1);
      programs_.step.make_ready(memory_, inputs);
      detail::keep_buffers(descriptions, parameters().pointers(), buffers_before_);
      detail::gather(descriptions, parameters().pointers(), start_);
      const std::int64_t pairs = history_.stored();
      const auto undo = [&] {
        detail::scatter(descriptions, start_, parameters().pointers());
        buffers_before_.put_back();
        history_.stored() = pairs;
      };
      return undone_by(undo, [&] { return iterate(inputs); });
    }

    // Precondition: start_ holds the parameters.
    auto iterate(const bindings_of<step_program>& inputs) {
      const auto loss = static_cast<double>(compute(inputs).loss());
      detail::keep_buffers(descriptions, parameters().pointers(), buffers_after_);
      keep_outputs();
      const search_report report = search(inputs, loss);
      buffers_after_.put_back();
      show_outputs();
      outputs_.put_back();
      progress_.use_up_random_key();
      progress_.count_step();
      return lbfgs_result(programs_.step.last_result(), report);
    }

    // The outputs at the parameters as they are, and the gradients.
    auto compute(const bindings_of<step_program>& inputs) {
      gradients_.set_to_zero();
      auto outputs = programs_.step.run(memory_, inputs);
      detail::gather(descriptions, gradients_.pointers(), gradient_);
      return outputs;
    }

    // The same at the point of that step length.
    line_point compute_at(double length, const bindings_of<step_program>& inputs) {
      for (std::size_t i = 0; i < count; ++i) gradient_[i] = start_[i] + length * direction_[i];
      detail::scatter(descriptions, gradient_, parameters().pointers());
      buffers_before_.put_back();
      const auto loss = static_cast<double>(compute(inputs).loss());
      return {length, loss, detail::inner_product(gradient_, direction_)};
    }

    // Precondition: the gradients at the parameters are computed.
    search_report search(const bindings_of<step_program>& inputs, double loss) {
      start_gradient_ = gradient_;
      const double norm = std::sqrt(detail::inner_product(gradient_, gradient_));
      search_report r{.loss = loss, .gradient_norm = norm};
      if (norm == 0) r.outcome = search_outcome::accepted;  // nothing is to be done
      if (norm == 0 || !std::isfinite(norm) || !std::isfinite(loss)) return r;
      double slope = choose_direction();
      if (!(slope < 0)) {
        r.restarted = true;
        history_.clear();
        slope = choose_direction();
      }
      const double first = learning_rate() * (history_.size() > 0 ? 1 : std::min(1.0, 1 / norm));
      double last = 0;
      const auto f = [&](double length) { return compute_at(last = length, inputs); };
      line_search_options options = rule().line_search();
      options.resolution = loss_resolution;
      const line_search_result found = line_search(f, {0, loss, slope}, first, options);
      r.outcome = found.outcome;
      r.evaluations += found.evaluations;
      if (found.outcome == search_outcome::failed) {
        history_.clear();
        detail::scatter(descriptions, start_, parameters().pointers());
        return r;
      }
      if (found.at.length != last) {
        compute_at(found.at.length, inputs);
        ++r.evaluations;
      }
      detail::gather(descriptions, parameters().pointers(), direction_);
      history_.add(start_, direction_, start_gradient_, gradient_);
      r.step_length = found.at.length;
      r.loss = found.at.value;
      r.gradient_norm = std::sqrt(detail::inner_product(gradient_, gradient_));
      return r;
    }

    // Says how steeply the loss falls along it.
    double choose_direction() {
      history_.direction(start_gradient_, direction_);
      return detail::inner_product(start_gradient_, direction_);
    }

    void keep_outputs() {
      outputs_.clear();
      const auto& program = programs_.step.bound();
      const plan_view& plan = program.program().plan();
      for (std::size_t i = 0; i < plan.outputs.size(); ++i) {
        std::array<std::int64_t, max_rank> shape{};
        const std::size_t rank = program.output_shape(i, shape);
        std::size_t bytes = size_of(plan.nodes[static_cast<std::size_t>(plan.outputs[i].node)].type);
        for (std::size_t d = 0; d < rank; ++d) bytes *= static_cast<std::size_t>(shape[d]);
        outputs_.keep({const_cast<std::byte*>(program.output(i)), bytes});
      }
    }

    // Post-condition: what outputs() points to is that of the last run, and no run's to come until the next.
    void show_outputs() const {
      const auto& program = programs_.step.bound();
      for (std::size_t i = 0; i < program.program().plan().outputs.size(); ++i) program.output(i);
    }

    std::array<state_description, 4> describe_history() const {
      const std::int64_t pairs = rule().history(), width = static_cast<std::int64_t>(count);
      const auto describe = [](const name& label, element type, int rank, std::int64_t rows,
                               std::int64_t columns) {
        state_description s;
        s.label = &label;
        s.type = type;
        s.rank = rank;
        s.shape = {rows, columns};
        s.count = rows * columns;
        return s;
      };
      return {describe(interned<"lbfgs.s">, element::f64, 2, pairs, width),
              describe(interned<"lbfgs.y">, element::f64, 2, pairs, width),
              describe(interned<"lbfgs.curvatures">, element::f64, 1, pairs, 1),
              describe(interned<"lbfgs.stored">, element::i64, 0, 1, 1)};
    }
    static std::byte* bytes_of(array_view<double> numbers) {
      return reinterpret_cast<std::byte*>(numbers.data());
    }
  };
  sole_owner<members> own_;

  members& own() const { return detail::unless_moved_from(own_, "trainer"); }
};

}  // namespace tapeless
