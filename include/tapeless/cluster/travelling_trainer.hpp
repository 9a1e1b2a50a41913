// SPDX-License-Identifier: BSL-1.0
// A trainer whose gradients travel between ranks before its parameters change.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <vector>

#include <tapeless/cluster/buckets.hpp>
#include <tapeless/cluster/data_parallel.hpp>
#include <tapeless/cluster/dividing_trainer.hpp>
#include <tapeless/cluster/gathered.hpp>
#include <tapeless/cluster/gradient_exchange.hpp>
#include <tapeless/cluster/network_text.hpp>
#include <tapeless/cluster/same_weights.hpp>
#include <tapeless/cluster/state_division.hpp>
#include <tapeless/exceptions.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/list.hpp>
#include <tapeless/run/cpu/cpu.hpp>

namespace tapeless {

/// A trainer by the rule alone, that of one of several ranks: its gradients are added up over all of them
/// while the backward pass goes on. What it does not have is who takes which samples.
template <class Model, class Rule, class Ranks, class Policy, class Timing>
class travelling_trainer : public dividing_trainer<Model, Rule, Policy, Timing> {
  using base = dividing_trainer<Model, Rule, Policy, Timing>;
  using exchange = typename detail::exchange_by<Ranks>::type;
  using travel_options = typename detail::travel_of<Ranks>::options;

 public:
  using step_program = typename base::accumulate_program;
  using base::divides, base::group;
  static constexpr bool fits = exchange::template fits<Policy>;
  static constexpr bool is_on_device = fits && requires { requires exchange::is_on_device; };
  static constexpr bool observes =
      std::is_same_v<Policy, cpu_by_tables> || is_on_device;  // a program, while it runs

  travelling_trainer(Model model, const data_parallel_rule<Rule, Ranks>& rule, Policy policy,
                     std::uint64_t seed)
      : base(model, rule.inner(), rule.group(), policy, seed),
        exchange_(std::make_unique<exchange>(rule.ranks(), sized(rule), owners_of_gradients(rule))),
        gradients_after_(gradients_after()) {
    if constexpr (detail::accumulates<Rule>) {
      steps_ = rule.inner().steps();
      weight_ = rule.inner().weight();
    }
    this->set_random_stream(static_cast<std::uint64_t>(group().rank()));
    group().or_broken([&] {
      if constexpr (is_on_device)
        group().together("data_parallel", 0,
                         [&] { exchange_->run_on(*base::memory_of_next_step().resources); });
      detail::check_network(group(), detail::network_text<Model>(*this, sized(rule).text()));
      if constexpr (divides)  // what cannot be divided is refused here, on all ranks
        group().together("sharded_states", 0, [&] {
          if (base::division() != nullptr)
            base::division()->commands(checked_plan_of<typename base::apply_program>());
        });
      synchronize();
    });
  }

  /// Gives all ranks what rank 0 has: parameters, states, place. Gradients that wait are forgotten. fit
  /// begins with it: what rank 0 alone has loaded, all have then.
  void synchronize() {
    group().meet("the start of fit, or net.synchronize()");
    discard_gradients();
    const auto send = [&](array_view<std::byte* const> data, const auto& descriptions) {
      for (std::size_t i = 0; i < data.size(); ++i)
        group().broadcast(array_view<std::byte>(data[i], static_cast<std::size_t>(descriptions[i].bytes())));
    };
    send(base::parameter_data(), base::parameter_descriptions());
    if constexpr (!divides) send(base::state_data(), base::state_descriptions());
    const auto changed = base::changed_hyperparameters();
    std::vector<double> numbers(changed.begin(), changed.end());
    if (!numbers.empty())
      group().broadcast(array_view<std::byte>(reinterpret_cast<std::byte*>(numbers.data()),
                                              numbers.size() * sizeof(double)));
    base::set_changed_hyperparameters(numbers);
    trainer_state place = position();
    group().broadcast(place);
    set_position(place);
    base::let_masters_follow();
  }

  // As the trainer's. With the gradients that wait, this rank's share of their samples is forgotten.
  void discard_gradients() {
    base::discard_gradients();
    share_ = 0;
  }
  trainer_state position() const {
    trainer_state p = base::position();
    p.share = share_;
    return p;
  }
  void set_position(const trainer_state& p) {
    base::set_position(p);
    share_ = p.share;
  }

  /// How many bytes of gradients travel together, at least: those of the options, or those with which all
  /// have travelled first, by when the plan has them, on so many ranks. A constant expression.
  static constexpr std::int64_t bucket_bytes(int ranks, const travel_options& options = {}) {
    if (options.bucket_bytes) return *options.bucket_bytes;
    return detail::best_bucket_bytes(
        detail::bytes_of_gradients<exchange>(base::gradient_descriptions(), options), gradients_after(),
        exchange::costs(ranks));
  }

  /// What this rank says of its samples of a batch.
  detail::ranks_part part_of_batch(std::int64_t samples, std::uint64_t place) {
    detail::ranks_part p{.samples = samples, .place = place};
    if constexpr (std::is_same_v<Policy, cpu_by_tables>)
      p.weights =
          detail::number_of_weights(base::parameter_data(), base::parameter_descriptions(), base::steps());
    first_exception of_schedules;  // the update throws it, too
    of_schedules.guard(
        [&] { p.hyperparameters = detail::number_of_hyperparameters(base::hyperparameters_to_come()); });
    return p;
  }
  /// Before an update: the sums of all ranks' gradients are in collected_gradients() from here on. False
  /// where no update follows, or it has been made within the step.
  bool bring_sums() {
    if (base::position().collected < steps_) return false;
    if constexpr (is_on_device && Timing::eager)
      if (exchange_->is_open() && exchange_->has_updated()) return false;
    if (!exchange_->is_open()) let_travel(0, base::position().collected);
    exchange_->finish();
    has_sums_ = true;
    if (base::division() != nullptr && !Rule::waits_for_all_gradients)
      group().gather_ranges(base::gradient_data()[0],
                            base::division()->ranges(base::gradient_descriptions(), group().size()));
    return true;
  }
  /// Back to where the last update was.
  void take_back(trainer_state before) {
    exchange_->abandon();
    has_sums_ = false;
    before.collected = 0;
    before.share = 0;
    set_position(before);
  }

 protected:
  exchange& gradients_exchange() { return *exchange_; }
  /// Whether an update follows a step before which so many are collected.
  bool is_last(std::int64_t collected) const { return collected + 1 >= steps_; }
  double weight_of_step() const { return weight_; }

  // Adds gradients of the own samples, of which all have this share, times a weight. They may travel
  // meanwhile.
  auto add_gradients(double share, double weight, const bindings_of<step_program>& inputs) {
    const auto run = [&] {
      if constexpr (observes) {
        return base::accumulate_on(weight, inputs, *exchange_);
      } else {
        return base::accumulate_on(weight, inputs);
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
      if (inputs == nullptr) return exchange_->capture_alone();
      // A run has one random key, and that of samples differs from rank to rank: a rule that draws goes
      // after.
      if constexpr (Timing::eager && !base::template draws<typename base::apply_program>)
        exchange_->update_by(base::ready_to_apply());
      return base::ready_to_accumulate(*inputs).next_capture();
    } else {
      return 0;
    }
  }

  void finish_step() {
    if (base::position().collected >= steps_) update();
  }

  void update() {
    const std::int64_t steps = base::position().collected;
    if (steps > 0 && !exchange_->is_open() && !has_sums_) let_travel(0, steps);
    share_ = 0;
    has_sums_ = false;
    if constexpr (is_on_device && Timing::eager) {
      if (exchange_->is_open() && exchange_->has_updated()) {
        exchange_->finish();
        base::count_update();
        return updated();
      }
    } else if constexpr (Timing::eager) {
      if (exchange_->is_open()) return update_by_buckets();
    }
    exchange_->finish();
    base::apply_collected();
    updated();
  }

 private:
  int steps_ = 1;                            // whose gradients make an update
  double weight_ = 1;                        // of each
  double share_ = 0;                         // of this rank in the samples of the gradients that wait
  bool has_sums_ = false;                    // in their place, before an update
  std::unique_ptr<exchange> exchange_;       // in its place while gradients travel
  list<std::size_t> gradients_after_;        // which command, by parameter
  std::vector<std::size_t> buckets_before_;  // a command of an update

  void update_by_buckets() {
    if (buckets_before_.empty())
      buckets_before_ = exchange_->buckets_before(checked_plan_of<typename base::apply_program>());
    exchange_->wait_for(0);
    const detail::update_as_they_come observer(*exchange_, buckets_before_);
    base::apply_collected(observer);
    exchange_->finish();
    updated();
  }
  void updated() {
    if constexpr (divides) send_parameters();
  }

  // Where states are divided: each rank has updated its own parameters.
  void send_parameters() {
    base::forget_states_of_others();
    if (base::division() == nullptr) return;
    if constexpr (is_on_device) {
      exchange_->give(base::memory_of_next_step().parameters, base::gradients_of_programs(),
                      base::parameter_descriptions(), base::gradient_descriptions(), *base::division());
    } else {
      base::discard_gradients();
      group().meet("an update of divided states", base::steps());
      group().gather_ranges(base::parameter_data()[0],
                            base::division()->ranges(base::parameter_descriptions(), group().size()));
    }
  }

  // By parameter: the command behind which its gradient is there; empty where nobody looks before the end.
  static constexpr list<std::size_t> gradients_after() {
    if constexpr (observes) {
      return detail::commands_of_gradients(checked_plan_of<step_program>(),
                                           base::gradient_descriptions().size());
    } else {
      return {};
    }
  }
  static travel_options sized(const data_parallel_rule<Rule, Ranks>& rule) {
    travel_options options = rule.options();
    options.bucket_bytes = bucket_bytes(rule.group().size(), options);
    return options;
  }
  // By parameter: who needs the sum of its gradients; empty where all ranks need all.
  static std::vector<int> owners_of_gradients(const data_parallel_rule<Rule, Ranks>& rule) {
    std::vector<int> owners;
    if constexpr (divides && !Rule::waits_for_all_gradients) {
      detail::for_each_owner(base::parameter_descriptions(), rule.group().size(),
                             [&](std::size_t, int owner) { owners.push_back(owner); });
    }
    return owners;
  }
};

}  // namespace tapeless
