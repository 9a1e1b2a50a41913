// SPDX-License-Identifier: BSL-1.0
// A trainer whose rule's states may be divided among ranks: each has those of its own parameters.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>

#include <tapeless/cluster/divided_masters.hpp>
#include <tapeless/cluster/process_group.hpp>
#include <tapeless/cluster/sharded_states.hpp>
#include <tapeless/cluster/state_division.hpp>
#include <tapeless/cluster/states_of_others.hpp>
#include <tapeless/cluster/timing_of_ranks.hpp>
#include <tapeless/error.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/train/program/memory_plan.hpp>
#include <tapeless/train/trainer/float_copies.hpp>
#include <tapeless/train/trainer/trainer.hpp>

namespace tapeless {

/// A trainer by the rule alone, that of one of several ranks. Where the rule divides its states, it has some
/// of them, and what reads or writes all can ask it for the others' copies. What it does not have is how
/// gradients and parameters come to other ranks.
template <class Model, class Rule, class Policy, class Timing>
class dividing_trainer : public trainer<Model, Rule, Policy, detail::timing_of_ranks<Timing>> {
  using base = trainer<Model, Rule, Policy, detail::timing_of_ranks<Timing>>;

 public:
  static constexpr bool divides = detail::divides_states<Rule>;

  dividing_trainer(Model model, const Rule& rule, process_group& group, Policy policy, std::uint64_t seed)
      : base(model, divided(rule, group), policy, common_seed(group, seed)), group_(&group) {
    if (divides && group.size() > 1)
      division_ = std::make_shared<detail::state_division>(
          base::parameter_descriptions(), base::state_descriptions(), group.rank(), group.size());
  }

  process_group& group() const { return *group_; }

  /// Where the elements of the rule's states are. Where they are divided, those of other ranks are copies:
  /// what they have last been written to, or collect_states() has brought.
  array_view<std::byte* const> state_data() {
    const auto here = base::state_data();
    return division_ == nullptr ? here : others_.with(here, *division_, base::state_descriptions());
  }
  /// Brings divided states from where they are to all ranks, which call it together. The next update forgets
  /// them again.
  void collect_states(std::string_view who_asks) {
    if (division_ == nullptr) return;
    group_->meet(who_asks, base::steps());
    others_.collect(*group_, base::state_data(), *division_, base::state_descriptions());
  }
  /// Before a checkpoint. Throws an error where gradients wait for their update, which each rank has a
  /// part of.
  void collect_for_checkpoint(std::string_view who_asks) {
    if (const std::int64_t steps = base::position().collected; steps > 0)
      throw_error({who_asks, ": the gradients of ", steps,
                   " steps wait for their update, a part on each rank: write it after an update"});
    collect_states(who_asks);
  }
  /// Before a checkpoint is read: where states are divided all ranks read it, each its own.
  void meet_to_load(std::string_view who_asks) {
    if (division_ != nullptr) group_->meet(who_asks);
  }
  /// As collect_states where these are float copies of parameters; nothing travels where there are none.
  void collect_masters(std::string_view who_asks) {
    if constexpr (detail::keeps_masters<base>) collect_states(who_asks);
  }
  /// As the trainer's, of all parameters: those of other ranks are copies.
  std::byte* master_data(std::size_t i) {
    if (division_ == nullptr) return base::master_data(i);
    const int k = detail::master_among(base::state_descriptions(), i);
    return k < 0 ? nullptr : state_data()[static_cast<std::size_t>(k)];
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

  /// The memory that a step needs, as trainer::plan: net_type::plan("batch"_t = 32), for the samples of one
  /// rank; where states are divided, as if one had them all. A constant expression.
  template <class... Bindings>
  static constexpr memory_plan plan(const Bindings&... extents) {
    return plan_of_rank(0, 1, extents...);
  }
  /// The same of one of so many ranks, which share the states: net_type::plan_of_rank(0, 4, "batch"_t = 32).
  /// Messages take as many bytes as gradients besides.
  template <class... Bindings>
  static constexpr memory_plan plan_of_rank(int rank, int ranks, const Bindings&... extents) {
    const std::array<bound_extent, sizeof...(Bindings)> known{
        bound_extent{Bindings::label, extents.extent()}...};
    memory_plan m = collected_and_applied(
        plan_memory<typename base::accumulate_program, Policy>(known, base::parameter_descriptions()),
        plan_memory<typename base::apply_program, Policy>(known, base::parameter_descriptions()));
    const std::int64_t all = m.optimizer;
    if constexpr (divides)
      m.optimizer =
          detail::bytes_of_states(base::parameter_descriptions(), base::state_descriptions(), rank, ranks);
    m.peak -= all - m.optimizer;
    return m;
  }

 protected:
  // Null where this rank has all states.
  const detail::state_division* division() const { return division_.get(); }
  // Float copies have stayed where they are, but all ranks have other parameters now.
  void let_masters_follow() {
    if constexpr (divides && detail::keeps_masters<base>) detail::let_masters_follow<base>(*this);
  }
  // An update has changed them where they are.
  void forget_states_of_others() { others_.forget(); }

 private:
  process_group* group_;
  std::shared_ptr<const detail::state_division> division_;
  detail::states_of_others others_;

  static Rule divided(const Rule& rule, const process_group& group) {
    if constexpr (divides) {
      return detail::divided_rule(rule, base::parameter_descriptions(), base::state_descriptions(),
                                  group.rank(), group.size());
    } else {
      return rule;
    }
  }
  static std::uint64_t common_seed(process_group& group, std::uint64_t seed) {
    group.meet("the making of its trainer");
    group.broadcast(seed);
    return seed;
  }
};

}  // namespace tapeless
