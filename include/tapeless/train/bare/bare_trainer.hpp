// SPDX-License-Identifier: BSL-1.0
// The trainer of tl::bare: parameters, states and arena are inside the object.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>

#include <tapeless/graph/core/random_seed.hpp>
#include <tapeless/optim/base/hyperparameter.hpp>
#include <tapeless/run/bare/bare.hpp>
#include <tapeless/run/bare/bare_program.hpp>
#include <tapeless/train/bare/bare_checkpoint.hpp>
#include <tapeless/train/bare/bare_initial_values.hpp>
#include <tapeless/train/bare/bare_layout.hpp>
#include <tapeless/train/bare/bare_parameters.hpp>
#include <tapeless/train/bare/bare_report.hpp>
#include <tapeless/train/bare/bare_result.hpp>
#include <tapeless/train/program/graph_builders.hpp>
#include <tapeless/train/program/hyperparameter_list.hpp>
#include <tapeless/train/program/plain_inputs.hpp>
#include <tapeless/train/trainer/frozen_states.hpp>
#include <tapeless/train/trainer/timing.hpp>
#include <tapeless/train/trainer/trainer_declaration.hpp>
#include <tapeless/train/trainer/training_progress.hpp>

namespace tapeless {

/// Trains a model where there is no heap, no operating system and no library. All memory is in the object,
/// whose sizeof is known while compiling. All extents must be. A step is straight-line code.
///
/// Nothing throws: what does not fit the model while compiling is a sentence, and a call whose elements do
/// not fit, or are in memory that it writes, as the views of a result are, changes nothing and says so by
/// result.is_valid(). Not for several threads at once. A trainer may be copied, as any struct.
template <class Model, class Rule, class Timing>
  requires(detail::can_train_bare<Model, Rule, Timing::eager>())
class trainer<Model, Rule, bare, Timing> : public detail::bare_parameters<Model> {
  using step_program = detail::bare_step_of<Model, Rule, Timing::eager>;
  using predict_program = detail::bare_ready<predict_graph_builder<Model>>;
  using layout = detail::bare_layout<Model, step_program>;
  using entries = number_entries<Rule>;
  static constexpr const auto& states_ = layout::state_descriptions;

 public:
  /// Parameters start from the seed, each by its own initializer, as they do on every policy.
  explicit trainer(Model, Rule rule, bare = {}, random_seed seed = 0)
      : detail::bare_parameters<Model>(seed),
        rule_(static_cast<Rule&&>(rule)),
        progress_(seed, layout::parameter_descriptions.size()) {
    initialize_states(seed, std::make_index_sequence<states_.size()>{});
    has_right_numbers_ = numbers_are_right();
  }
  trainer(Model its_model, Rule rule, bare policy, std::type_identity_t<Timing>, random_seed seed = 0)
      : trainer(its_model, static_cast<Rule&&>(rule), policy, seed) {}

  /// One step: forward, backward, update. The result shows the outputs, computed before the update. Not valid
  /// where one of the rule's hyperparameters was a number that it may not be when the trainer was made, was
  /// given one by set, or has loaded a checkpoint.
  template <class... Bindings>
  auto step(const Bindings&... bindings) {
    if (!has_right_numbers_) [[unlikely]]
      return bare_result<step_program, layout>({}, false);
    write_numbers<step_program>(progress_.steps(), [&] { return progress_.random_key(); });
    const auto result = run<step_program>(bindings...);
    if (result.is_valid()) {
      progress_.use_up_random_key();
      progress_.count_step();
    }
    return result;
  }

  /// The named outputs; what only the loss needs is not bound.
  template <class... Bindings>
  auto predict(const Bindings&... bindings) {
    write_numbers<predict_program>(progress_.steps(), [&] { return progress_.next_evaluation_key(); });
    return run<predict_program>(bindings...);
  }

  /// From the next step on, all hyperparameters of that name have this value, a number or a schedule: of a
  /// partition those of all groups, or of one, "decoder.learning_rate". Returns false, and changes nothing,
  /// where one of them may not be that number.
  template <name Name>
  bool set(const hyperparameter& value) {
    if constexpr (hyperparameter_list<Rule>::template is_known<Name>()) {
      if (!hyperparameter_list<Rule>::template may_be<Name>(value)) return false;
      rule_.set(Name.view(), value);
      has_right_numbers_ = numbers_are_right();
    }
    return true;
  }
  /// The number that all of that name are in the next step; NaN where they are several.
  template <name Name>
  double get() const {
    if constexpr (hyperparameter_list<Rule>::template is_known<Name>()) {
      std::array<double, static_cast<std::size_t>(Rule::hyper_count)> values{};
      rule_.write(progress_.steps(), values);
      return hyperparameter_list<Rule>::template only<Name>(values);
    }
    return 0;
  }

  /// Holds fast the parameters whose names fit the pattern, with their states, until thaw:
  /// freeze<"body.*">(). The rule must be freezable.
  template <name Pattern>
  void freeze() {
    set_frozen<Pattern>(true, std::make_index_sequence<states_.size()>{});
  }
  template <name Pattern>
  void thaw() {
    set_frozen<Pattern>(false, std::make_index_sequence<states_.size()>{});
  }

  /// The averages that the rule keeps stand in for the parameters as long as what this returns lives, which
  /// has room for the parameters: { auto averages = net.averaged_weights(); net.predict(...); }. Not for a
  /// step, load or a checkpoint in the meantime: the parameters of these are averages, or are lost, while the
  /// rule's states and steps() are not.
  [[nodiscard]] auto averaged_weights() {
    using program = detail::bare_ready<average_graph_builder<Model, Rule>>;
    static_cast<void>(sizeof(graph_report<program>));
    using kept = detail::replaced_bytes<layout::parameters[layout::parameter_descriptions.size()]>;
    return kept(this->data(), [this] {
      if constexpr (is_sound_graph<program>()) {
        const std::int64_t last = progress_.steps() - 1;
        write_numbers<program>(last < 0 ? 0 : last, [] { return 0.0; });
        numbers_[entries::step] = static_cast<double>(last + 1);
        detail::bare_bytes<bare_kernels::arena_bytes_of<program>> arena;
        bare_kernels::bare_program<program, layout>::run(
            {nullptr, this->data(), state_bytes_.data(), numbers_, arena.data()});
      }
    });
  }

  /// The number of updates so far.
  std::int64_t steps() const { return progress_.steps(); }

  /// Writes all that training goes on from: the parameters, the rule's states, the number of steps and the
  /// place in the random numbers, as a safetensors file. No hyperparameter is in it, nor how many predictions
  /// have drawn numbers since the step. Returns the number of bytes; 0 where there is less room, and then
  /// nothing is written.
  long save_checkpoint(void* to, std::size_t room) {
    return checkpoint::save(this->data(), state_bytes_.data(), progress_.position(0), to, room);
  }
  /// Reads what save_checkpoint of a trainer of the same model has written, whose rule has the same states:
  /// training goes on bit for bit. Returns false, and changes nothing, where the bytes are anything else.
  bool load_checkpoint(const void* from, std::size_t size) {
    trainer_state position;
    if (!checkpoint::load(from, size, this->data(), state_bytes_.data(), position)) return false;
    progress_.set_position(position);
    has_right_numbers_ = numbers_are_right();
    return true;
  }
  /// The same of an array or span of bytes.
  template <detail::range_of_bytes R>
  long save_checkpoint(R&& to) {
    return save_checkpoint(std::data(to), std::size(to));
  }
  template <detail::range_of_bytes R>
  bool load_checkpoint(const R& from) {
    return load_checkpoint(std::data(from), std::size(from));
  }
  /// The bytes that save_checkpoint writes.
  static constexpr std::size_t checkpoint_bytes() { return checkpoint::bytes; }

 private:
  using checkpoint = detail::bare_checkpoint<Model, layout>;
  static constexpr std::int64_t arena_bytes =
      bare_kernels::arena_bytes_of<step_program> > bare_kernels::arena_bytes_of<predict_program>
          ? bare_kernels::arena_bytes_of<step_program>
          : bare_kernels::arena_bytes_of<predict_program>;

  Rule rule_;
  double numbers_[entries::count] = {};
  training_progress progress_;
  bool has_right_numbers_ = true;
  [[no_unique_address]] detail::bare_bytes<layout::state_bytes> state_bytes_;
  [[no_unique_address]] detail::bare_bytes<arena_bytes> arena_;

  template <std::size_t... I>
  void initialize_states([[maybe_unused]] std::uint64_t seed, std::index_sequence<I...>) {
    (bare_kernels::initialize<states_[I].type, states_[I].start.kind>(
         state_bytes_.data() + layout::states_of_the_rule[I], states_[I].count, states_[I].start.value,
         states_[I].start.given, seed, static_cast<std::size_t>(states_[I].of)),
     ...);
  }

  template <name Pattern, std::size_t... I>
  void set_frozen([[maybe_unused]] bool frozen, std::index_sequence<I...>) {
    constexpr auto is_meant = detail::frozen_states_like<states_, layout::parameter_descriptions, Pattern>();
    const auto set = [&]<std::size_t Number>() {
      if constexpr (is_meant[Number])
        bare_kernels::initialize<states_[Number].type, initializer::kind::constant>(
            state_bytes_.data() + layout::states_of_the_rule[Number], 1, frozen ? 1 : 0, nullptr, 0, 0);
    };
    (set.template operator()<I>(), ...);
  }

  // In the step to come; a schedule's others are nobody's to look at.
  bool numbers_are_right() const {
    std::array<double, static_cast<std::size_t>(Rule::hyper_count)> values{};
    rule_.write(progress_.steps(), values);
    return hyperparameter_list<Rule>::may_all_be(values);
  }

  template <class Program, class RandomKey>
  void write_numbers([[maybe_unused]] std::int64_t step, [[maybe_unused]] const RandomKey& random_key) {
    constexpr numbers_read read = numbers_read_by<Program>;
    if constexpr (read.random_key) numbers_[entries::random_key] = random_key();
    if constexpr (read.others) {
      numbers_[entries::step] = static_cast<double>(step + 1);
      rule_.write(step, array_view<double>(numbers_ + entries::first_of_rule,
                                           static_cast<std::size_t>(Rule::hyper_count)));
    }
  }

  template <class Program, class... Bindings>
  auto run(const Bindings&... bindings) {
    constexpr bool binds_all = detail::binds_what_it_must<Model, Program, Bindings...>();
    const auto inputs = [&] {
      if constexpr (binds_all) return detail::plain_inputs<Program>(bindings...);
      return detail::plain_inputs<Program>();
    }();
    const bare_kernels::bare_memory memory{inputs.data, this->data(), state_bytes_.data(), numbers_,
                                           arena_.data()};
    bool is_valid = inputs.are_plain();
    if constexpr (binds_all) is_valid = is_valid && is_unwritten<Program, Bindings...>(inputs);
    if (is_valid) bare_kernels::bare_program<Program, layout>::run(memory);
    return bare_result<Program, layout>({nullptr, memory.parameters, memory.states, numbers_, memory.arena},
                                        is_valid);
  }
  // Whether a run writes nothing where inputs are.
  template <class Program, class... Bindings>
  [[gnu::always_inline]] bool is_unwritten(const detail::plain_inputs<Program>& inputs) {
    const auto outside = [&](const std::byte* begin, std::int64_t size) TAPELESS_INLINED {
      return inputs.template are_outside<Bindings...>(begin, static_cast<std::size_t>(size));
    };
    constexpr std::int64_t all = layout::parameters[layout::parameter_descriptions.size()];
    constexpr bool updates = constant_graph_of<Program>.effects.size() != 0;
    return outside(arena_.data(), bare_kernels::arena_bytes_of<Program>) &&
           (!updates || (outside(this->data(), all) && outside(state_bytes_.data(), layout::state_bytes)));
  }
};

template <class Model, class Rule, class Timing>
  requires(!detail::can_train_bare<Model, Rule, Timing::eager>())
class trainer<Model, Rule, bare, Timing> : public bare_error_stub {
 public:
  explicit trainer(Model, Rule, const auto&...) {
    static_cast<void>(sizeof(detail::bare_report<Model, Rule, Timing::eager>));
  }
};

/// Arguments of which nothing is a trainer.
template <class Rule>
class trainer<detail::no_bare_model, Rule, bare, deferred_updates_t> : public bare_error_stub {
 public:
  template <class... Given>
  explicit trainer(const Given&...) {
    static_assert(
        sizeof...(Given) > 9,
        "tapeless: a trainer on tl::bare is tl::trainer net{model, rule, tl::bare{}}, in this order; "
        "one without a policy, and other policies, need tapeless/tapeless.hpp");
  }
};

// Worse than any other guide, those of other headers as well.
template <class None = void>
trainer(...) -> trainer<detail::no_bare_model, None, bare, deferred_updates_t>;
template <class Model, class Rule>
trainer(Model, Rule, bare, random_seed = 0) -> trainer<Model, Rule, bare, deferred_updates_t>;
template <class Model, class Rule>
trainer(Model, Rule, bare, deferred_updates_t, random_seed = 0)
    -> trainer<Model, Rule, bare, deferred_updates_t>;
template <class Model, class Rule>
trainer(Model, Rule, bare, eager_updates_t, random_seed = 0) -> trainer<Model, Rule, bare, eager_updates_t>;

}  // namespace tapeless
