// SPDX-License-Identifier: BSL-1.0
// trainer net{model, data_parallel(world, rule)}: one of several processes that train one network.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <tapeless/cluster/batches_of_ranks.hpp>
#include <tapeless/cluster/data_parallel.hpp>
#include <tapeless/cluster/gathered.hpp>
#include <tapeless/cluster/gradient_exchange.hpp>
#include <tapeless/cluster/network_text.hpp>
#include <tapeless/cluster/save_on_ranks.hpp>
#include <tapeless/cluster/shares.hpp>
#include <tapeless/cluster/timing_of_ranks.hpp>
#include <tapeless/graph/core/random_stream.hpp>
#include <tapeless/run/cpu/cpu.hpp>
#include <tapeless/train/loop/batches.hpp>
#include <tapeless/train/trainer/trainer.hpp>

namespace tapeless {

namespace detail {

template <class Model, class Rule, class Ranks, class Policy, bool Eager>
struct step_program_of<Model, data_parallel_rule<Rule, Ranks>, Policy, Eager>
    : step_program_of<Model, Rule, Policy, Eager> {};

}  // namespace detail

/// Trains together with the other ranks of its group, see data_parallel. All ranks make the same calls of
/// step, accumulate, gradients, apply, synchronize and fit, each with samples of its own: the first axis of
/// inputs counts them, where its extent is a run-time one; where it is not, all ranks have as many. A rank's
/// results show its own samples; mean_loss() is that of all. evaluate, predict, save and the like are each
/// rank's own affair: they wait for nobody.
///
/// Rank 0's parameters, states and place are those that all begin with. A rank with another model or rule is
/// an error. Running statistics are averaged over the ranks' samples as gradients are; a norm over a batch
/// (batch_norm) is that of a rank's own samples. Random numbers are others on each rank.
///
/// On tl::cpu, and by tl::nccl on tl::cuda, gradients travel while the backward pass goes on, so that little
/// is left to wait for at its end. With eager_updates each parameter changes as soon as its own sum has come.
///
/// What throws on one rank throws on all, with its sentence, and leaves the trainer as the last whole update
/// did; running statistics may have seen the step's samples.
template <class Model, class Rule, class Ranks, class Policy, class Timing>
  requires(detail::is_trainable<Model, data_parallel_rule<Rule, Ranks>, Policy, Timing>())
class trainer<Model, data_parallel_rule<Rule, Ranks>, Policy, Timing>
    : public trainer<Model, Rule, Policy, detail::timing_of_ranks<Timing>> {
  static_assert(!(Timing::eager && Rule::waits_for_all_gradients),
                "tapeless: eager updates change each parameter as soon as its own gradient is there, but a "
                "transformation of this rule (clip_by_global_norm, ...) needs the gradients of all "
                "parameters first: leave eager_updates out");
  static_assert(!Timing::eager || std::is_same_v<Policy, cpu>,
                "tapeless: with data_parallel, eager_updates run on tl::cpu: leave eager_updates out");
  using base = trainer<Model, Rule, Policy, detail::timing_of_ranks<Timing>>;
  static constexpr bool divides = detail::divides_states<Rule>;
  using exchange = typename detail::exchange_of<Ranks>::type;
  static constexpr bool fits = exchange::template fits<Policy>;
  static constexpr bool is_on_device = fits && requires { requires exchange::is_on_device; };
  static constexpr bool observes = std::is_same_v<Policy, cpu> || is_on_device;  // a program, while it runs
  static_assert(!divides || std::is_same_v<Policy, cpu>,
                "tapeless: sharded_states leaves out commands of a program, which tl::cpu can: leave "
                "sharded_states out, or run on tl::cpu");
  static constexpr bool has_statistics_of_16_bits = [] {
    for (const parameter_description& p : base::parameter_descriptions())
      if (p.is_buffer && is_half(p.type)) return true;
    return false;
  }();
  static_assert(
      !has_statistics_of_16_bits,
      "tapeless: data_parallel averages running statistics of float and double, but those of a norm of "
      "16 bits have 16: write batch_norm<\"bn\">(cast<float>(x))");
  static_assert(
      fits,
      "tapeless: tl::nccl adds up gradients on GPUs: write trainer net{model, data_parallel(gpus, rule), "
      "tl::cuda{.device = gpus.device()}}, or give data_parallel the tl::mpi world itself");

 public:
  using step_program = typename base::accumulate_program;
  static constexpr bool spans_ranks = true;

  explicit trainer(Model model, data_parallel_rule<Rule, Ranks> rule, Policy policy = {},
                   std::uint64_t seed = 0)
      : base(model, divided(rule), policy, common_seed(rule.group(), seed)),
        group_(&rule.group()),
        exchange_(std::make_unique<exchange>(rule.ranks(), rule.options(), owners_of_gradients(rule))) {
    if constexpr (observes)
      gradients_after_ = detail::commands_of_gradients(checked_plan_of<step_program>(),
                                                       base::gradient_descriptions().size());
    if constexpr (detail::accumulates<Rule>) {
      steps_ = rule.inner().steps();
      weight_ = rule.inner().weight();
    }
    if (divides && group_->size() > 1)
      division_ = std::make_shared<detail::state_division>(
          base::parameter_descriptions(), base::state_descriptions(), group_->rank(), group_->size());
    this->set_random_stream(static_cast<std::uint64_t>(group_->rank()));
    group_->or_broken([&] {
      if constexpr (is_on_device)
        group_->together("data_parallel", 0,
                         [&] { exchange_->run_on(*base::memory_of_next_step().resources); });
      detail::check_network(*group_, detail::network_text<Model>(*this, rule.options().text()));
      synchronize();
    });
  }
  trainer(Model model, data_parallel_rule<Rule, Ranks> rule, Policy policy, std::type_identity_t<Timing>,
          std::uint64_t seed = 0)
      : trainer(model, std::move(rule), policy, seed) {}

  process_group& group() const { return *group_; }

  /// One step of all ranks: forward and backward on the samples of each, one update. The result shows the own
  /// samples' outputs.
  template <bindable... Bindings>
  auto step(const Bindings&... bindings) {
    return step_on(base::template sorted<step_program>(bindings...));
  }
  auto step_on(const bindings_of<step_program>& inputs) {
    return group_->or_broken([&] {
      auto r = add_share(weight_, inputs, base::position().collected + 1 >= steps_);
      finish_step();
      return r;
    });
  }

  /// Forward and backward on the samples of all ranks: adds weight times the gradients of their mean to those
  /// that wait for apply(). They travel then.
  template <bindable... Bindings>
  auto accumulate(double weight, const Bindings&... bindings) {
    return group_->or_broken(
        [&] { return add_share(weight, base::template sorted<step_program>(bindings...)); });
  }
  /// The same from nothing. gradient<"w">() has this rank's part of the mean.
  template <bindable... Bindings>
  auto gradients(const Bindings&... bindings) {
    base::discard_gradients();
    return accumulate(1, bindings...);
  }

  /// One update from the gradients of all ranks that were accumulated.
  void apply() {
    group_->or_broken([&] {
      group_->meet("apply", base::steps() + 1);
      update();
    });
  }

  /// The loss of the last step, over the samples of all ranks.
  double mean_loss() const { return mean_loss_; }

  /// Where the elements of the rule's states are. Where they are divided, those of other ranks are copies:
  /// what they have last been written to, or collect_states() has brought.
  array_view<std::byte* const> state_data() {
    const auto here = base::state_data();
    if (division_ == nullptr) return here;
    state_pointers_.assign(here.begin(), here.end());
    states_of_others_.resize(here.size());
    for (std::size_t i = 0; i < here.size(); ++i) {
      if (division_->states()[i] == 0) continue;
      states_of_others_[i].resize(static_cast<std::size_t>(base::state_descriptions()[i].bytes()));
      state_pointers_[i] = states_of_others_[i].data();
    }
    return state_pointers_;
  }
  /// Brings divided states from where they are to all ranks, which call it together. The next update forgets
  /// them again.
  void collect_states() {
    if (division_ == nullptr) return;
    const auto all = state_data();
    for (std::size_t i = 0; i < all.size(); ++i) {
      const state_description& s = base::state_descriptions()[i];
      if (s.of >= 0)
        group_->broadcast(array_view<std::byte>(all[i], static_cast<std::size_t>(s.bytes())),
                          division_->owner(static_cast<std::size_t>(s.of)));
    }
  }
  /// The bytes of the rule's states on this rank.
  std::int64_t state_bytes() const {
    std::int64_t bytes = 0;
    for (std::size_t i = 0; i < base::state_descriptions().size(); ++i)
      if (division_ == nullptr || division_->states()[i] == 0) bytes += base::state_descriptions()[i].bytes();
    return bytes;
  }
  auto averaged_weights() {
    static_assert(
        !divides,
        "tapeless: averaged_weights: sharded_states has the averages on several ranks: leave it out");
    return base::averaged_weights();
  }

  /// Gives all ranks what rank 0 has: parameters, states, place. Gradients that wait are forgotten. fit
  /// begins with it: what rank 0 alone has loaded, all have then.
  void synchronize() {
    base::discard_gradients();
    const auto send = [&](array_view<std::byte* const> data, const auto& descriptions) {
      for (std::size_t i = 0; i < data.size(); ++i)
        group_->broadcast(array_view<std::byte>(data[i], static_cast<std::size_t>(descriptions[i].bytes())));
    };
    send(base::parameter_data(), base::parameter_descriptions());
    if constexpr (!divides) send(base::state_data(), base::state_descriptions());
    const auto changed = base::changed_hyperparameters();
    std::vector<double> numbers(changed.begin(), changed.end());
    if (!numbers.empty())
      group_->broadcast(array_view<std::byte>(reinterpret_cast<std::byte*>(numbers.data()),
                                              numbers.size() * sizeof(double)));
    base::set_changed_hyperparameters(numbers);
    trainer_state place = base::position();
    place.collected = 0;
    group_->broadcast(place);
    base::set_position(place);
  }

  // For fit, which divides batches itself.

  array_view<const std::int64_t> share_of(array_view<const std::int64_t> samples) const {
    return detail::share_of(samples, group_->rank(), group_->size());
  }
  template <class... Arguments>
  double fit_batch(Arguments&&... arguments) {
    mean_loss_ = detail::fit_batch(*this, arguments...);
    return mean_loss_;
  }
  template <class... Arguments>
  report measure(Arguments&&... arguments) {
    return detail::measure(*this, arguments...);
  }
  /// Adds the gradients of this rank's part of a batch of `all` samples to those that wait; `inputs` brings
  /// it, where it is not empty.
  template <class Inputs, class Result>
  void add_part_together(std::int64_t step, std::int64_t own, std::int64_t all, const Inputs& inputs,
                         std::optional<Result>& r, double& loss) {
    const bindings_of<step_program>* part = nullptr;
    exchange_->together(
        "a step of fit", step,
        [&] {
          if (own > 0) part = &inputs();
          return capture_of(part);
        },
        [&] {
          if (own > 0) {
            r.emplace(add_gradients(static_cast<double>(own) / static_cast<double>(all), weight_, *part));
          } else if constexpr (is_on_device) {
            exchange_->run_alone();
          }
        },
        [&] {
          if (r) loss = static_cast<double>(r->loss());
        });
  }
  /// All ranks are about to add their last part of a batch, `own` samples of `all`, or none: if an update
  /// follows, gradients travel from here on.
  void begin_last_part(std::int64_t collected_before, std::int64_t own, std::int64_t all) {
    if (observes && collected_before + 1 >= steps_)
      let_travel(static_cast<double>(own) / static_cast<double>(all), collected_before + 1);
  }
  /// The batch's parts have all been added, which counts as one; an update, where it is time for one.
  void finish_batch(std::int64_t collected_before, bool had_part) {
    trainer_state p = base::position();
    if (!had_part) {  // random numbers go on as on other ranks
      random_stream keys = random_stream::at(static_cast<std::uint64_t>(p.random));
      keys.next();
      p.random = static_cast<std::int64_t>(keys.state());
    }
    p.collected = collected_before + 1;
    base::set_position(p);
    finish_step();
  }
  /// Back to where the last update was.
  void take_back(const trainer_state& before) {
    exchange_->abandon();
    base::discard_gradients();
    base::set_position({before.steps, 0, before.random, before.fit});
    share_ = 0;
  }

 private:
  process_group* group_;
  int steps_ = 1;      // whose gradients make an update
  double weight_ = 1;  // of each
  double share_ = 0;   // of this rank in the samples of the gradients that wait
  double mean_loss_ = 0;
  std::shared_ptr<const detail::state_division> division_;
  std::vector<std::vector<std::byte>> states_of_others_;
  std::vector<std::byte*> state_pointers_;
  std::unique_ptr<exchange> exchange_;        // in its place while gradients travel
  std::vector<std::size_t> gradients_after_;  // which command, by parameter
  std::vector<std::size_t> buckets_before_;   // a command of an update

  // Adds gradients of the own samples, which may travel meanwhile.
  auto add_gradients(double share, double weight, const bindings_of<step_program>& inputs) {
    const auto run = [&] {
      if constexpr (observes) {
        return base::accumulate_on(share * weight, inputs, *exchange_);
      } else {
        return base::accumulate_on(share * weight, inputs);
      }
    };
    auto r = run();
    share_ += share;
    return r;
  }
  // All ranks' next gradients, with this one's share of samples, are the last of so many steps' before an
  // update. Where they are copies of what a device has, they are looked at when all are there.
  void let_travel(double share, std::int64_t steps) {
    const double all = (share_ + share) / static_cast<double>(steps);
    if constexpr (is_on_device) {
      exchange_->open(base::gradients_of_programs(), base::memory_of_next_step().parameters,
                      base::gradient_descriptions(), gradients_after_, all);
    } else {
      exchange_->open(base::gradient_data(), base::parameter_data(), base::gradient_descriptions(),
                      gradients_after_, all);
    }
  }
  // Which capture the graph has that a run on these inputs starts; without them, that of the sums alone.
  // Throws what the run would throw because of them.
  std::uint64_t capture_of([[maybe_unused]] const bindings_of<step_program>* inputs) {
    if constexpr (is_on_device) {
      return inputs == nullptr ? exchange_->capture_alone()
                               : base::ready_to_accumulate(*inputs).next_capture();
    } else {
      return 0;
    }
  }

  // If an update `follows`, gradients travel before it.
  auto add_share(double weight, const bindings_of<step_program>& inputs, bool follows = false) {
    group_->meet("a step", base::steps() + 1);
    detail::ranks_part mine{samples_in(inputs), 0, 0};
    std::int64_t all = 0;
    for (const detail::ranks_part& p : detail::gather_parts(*group_, mine)) all += p.samples;
    const double share = static_cast<double>(mine.samples) / static_cast<double>(all);
    const trainer_state before = base::position();
    std::optional<decltype(base::accumulate_on(weight, inputs))> r;
    if (observes && follows) let_travel(share, before.collected + 1);
    undone_by([&] { take_back(before); },
              [&] {
                exchange_->together(
                    "a step", base::steps() + 1, [&] { return capture_of(&inputs); },
                    [&] { r.emplace(add_gradients(share, weight, inputs)); },
                    [&] { mine.loss = static_cast<double>(r->loss()); });
              });
    mean_loss_ = detail::joined_parts(*group_, detail::gather_parts(*group_, mine)).loss();
    return *r;
  }
  // The extent of the first axis that is not known while compiling; 1 where there is none.
  static std::int64_t samples_in(const bindings_of<step_program>& inputs) {
    constexpr const auto& described = detail::described_inputs<step_program>;
    for (std::size_t i = 0; i < described.size(); ++i) {
      const detail::input_description& d = described[i];
      const bound_elements& e = inputs.inputs[i];
      if (d.rank == 0 || d.extents[0] >= 0 || !e.given) continue;
      if (e.rank > 0) return e.shape[0];
      std::int64_t row = 1;
      for (std::size_t k = 1; k < static_cast<std::size_t>(d.rank); ++k) row *= d.extents[k];
      if (row > 0) return e.count / row;
    }
    return 1;
  }

  void finish_step() {
    if (base::position().collected >= steps_) update();
  }

  void update() {
    const std::int64_t steps = base::position().collected;
    if (steps > 0 && !exchange_->is_open()) let_travel(0, steps);
    share_ = 0;
    if constexpr (Timing::eager) {
      if (exchange_->is_open()) return update_as_they_come();
    }
    exchange_->finish();
    base::apply();
    updated();
  }
  void update_as_they_come() {
    if (buckets_before_.empty())
      buckets_before_ = exchange_->buckets_before(checked_plan_of<typename base::apply_program>());
    exchange_->wait_for(0);
    const detail::update_as_they_come observer(*exchange_, buckets_before_);
    base::apply(observer);
    exchange_->finish();
    updated();
  }
  void updated() {
    if constexpr (divides) send_parameters();
  }

  // Where states are divided: each rank has updated its own parameters.
  void send_parameters() {
    states_of_others_.clear();
    if (division_ == nullptr) return;
    base::discard_gradients();
    group_->gather_ranges(base::parameter_data()[0],
                          division_->ranges(base::parameter_descriptions(), group_->size()));
  }

  static Rule divided(const data_parallel_rule<Rule, Ranks>& rule) {
    if constexpr (divides) {
      return rule.inner().divided(base::parameter_descriptions(), base::state_descriptions(),
                                  rule.group().rank(), rule.group().size());
    } else {
      return rule.inner();
    }
  }
  // By parameter: who needs the sum of its gradients; empty where all ranks need all.
  static std::vector<int> owners_of_gradients(const data_parallel_rule<Rule, Ranks>& rule) {
    std::vector<int> owners;
    if constexpr (divides && !Rule::waits_for_all_gradients) {
      const detail::state_division all(base::parameter_descriptions(), {}, 0, rule.group().size());
      for (std::size_t i = 0; i < base::parameter_descriptions().size(); ++i) owners.push_back(all.owner(i));
    }
    return owners;
  }
  static std::uint64_t common_seed(process_group& group, std::uint64_t seed) {
    group.broadcast(seed);
    return seed;
  }
};

}  // namespace tapeless
