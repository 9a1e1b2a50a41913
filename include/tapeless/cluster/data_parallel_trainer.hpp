// SPDX-License-Identifier: BSL-1.0
// trainer net{model, data_parallel(world, rule)}: one of several processes that train one network.
#pragma once

#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>

#include <tapeless/cluster/batches_of_ranks.hpp>
#include <tapeless/cluster/data_parallel.hpp>
#include <tapeless/cluster/fitting_trainer.hpp>
#include <tapeless/cluster/gathered.hpp>
#include <tapeless/cluster/policy_of_ranks.hpp>
#include <tapeless/cluster/save_on_ranks.hpp>
#include <tapeless/error.hpp>
#include <tapeless/exceptions.hpp>
#include <tapeless/graph/core/random_seed.hpp>
#include <tapeless/train/binding/run_time_extents.hpp>
#include <tapeless/train/trainer/trainer.hpp>

namespace tapeless {

namespace detail {

template <class Model, class Rule, class Ranks, class Policy, bool Eager>
struct step_program_of<Model, data_parallel_rule<Rule, Ranks>, Policy, Eager>
    : step_program_of<Model, Rule, policy_of_ranks<Policy>, Eager> {};

}  // namespace detail

/// Trains together with the other ranks of its group, see data_parallel. All ranks make the same calls of
/// step, accumulate, gradients, apply, synchronize and fit, each with samples of its own. These are
/// counted along the first axis of an input: by the run-time extent that the loss is a mean over, otherwise
/// by the first such extent; if there is none, all ranks have as many. A rank's results show its own samples;
/// mean_loss() is that of all. evaluate, predict, save and the like are each rank's own affair: they wait for
/// nobody.
///
/// Rank 0's parameters, states and place are those that all begin with. A rank with another model or rule is
/// an error. Running statistics are averaged over the ranks' samples as gradients are; a norm over a batch
/// (batch_norm) is that of a rank's own samples, and sync_batch_norm that of all. Random numbers are others
/// on each rank. The loss may be a mean, a sum or a weighted mean, see loss_over_samples; of any other,
/// gradients are averaged by samples.
///
/// On tl::cpu, and by tl::nccl on tl::cuda, gradients travel while the backward pass goes on, so that little
/// is left to wait for at its end. With eager_updates each parameter changes as soon as its own sum has come.
///
/// What throws on one rank throws on all, with its sentence, and leaves the trainer as the last whole update
/// did; running statistics may have seen the step's samples. Eager updates on a GPU have happened where it
/// throws what only the GPU has found: an index out of range, or that a rank is gone.
template <class Model, class Rule, class Ranks, class Policy, class Timing>
  requires(detail::is_trainable<Model, data_parallel_rule<Rule, Ranks>, Policy, Timing>())
class trainer<Model, data_parallel_rule<Rule, Ranks>, Policy, Timing>
    : public fitting_trainer<Model, Rule, Ranks, detail::policy_of_ranks<Policy>, Timing> {
  using base = fitting_trainer<Model, Rule, Ranks, detail::policy_of_ranks<Policy>, Timing>;
  static_assert(!(Timing::eager && Rule::waits_for_all_gradients),
                "tapeless: eager updates change each parameter as soon as its own gradient is there, but a "
                "transformation of this rule (clip_by_global_norm, ...) needs the gradients of all "
                "parameters first: leave eager_updates out");
  static_assert(!Timing::eager || base::observes,
                "tapeless: with data_parallel, eager_updates run on tl::cpu, and on tl::cuda where gradients "
                "go by tl::nccl: leave eager_updates out");
  static constexpr bool can_leave_out = [] {
    using program = typename detail::policy_of_ranks<Policy>::program;
    if constexpr (requires { program::can_leave_out; }) return program::can_leave_out;
    return false;
  }();
  static_assert(!base::divides || can_leave_out,
                "tapeless: sharded_states leaves out commands of a program, which tl::cpu and tl::cuda can: "
                "leave sharded_states out, or run on one of them");
  static constexpr bool has_statistics_of_16_bits = [] {
    for (const parameter_description& p : base::parameter_descriptions())
      if (p.is_buffer && is_half(p.type)) return true;
    return false;
  }();
  static_assert(
      !has_statistics_of_16_bits,
      "tapeless: data_parallel averages running statistics of float and double, but those of a norm of "
      "16 bits have 16: write batch_norm<\"bn\">(tl::cast<float>(x))");
  static_assert(
      base::fits,
      "tapeless: tl::nccl adds up gradients on GPUs: write trainer net{model, data_parallel(gpus, rule), "
      "tl::cuda{.device = gpus.device()}}, or give data_parallel the tl::mpi world itself");

 public:
  using base::group;
  using typename base::step_program;
  static constexpr bool spans_ranks = true;

  explicit trainer(Model model, data_parallel_rule<Rule, Ranks> rule, Policy policy = {},
                   random_seed seed = 0)
      : base(model, rule, policy, seed) {}
  trainer(Model model, data_parallel_rule<Rule, Ranks> rule, Policy policy, std::type_identity_t<Timing>,
          random_seed seed = 0)
      : trainer(model, std::move(rule), policy, seed) {}

  /// One step of all ranks: forward and backward on the samples of each, one update. The result shows the own
  /// samples' outputs.
  template <class... Bindings>
  auto step(const Bindings&... bindings) {
    return step_on(base::template sorted<step_program>(bindings...));
  }
  auto step_on(const bindings_of<step_program>& inputs) {
    return group().or_broken([&] {
      auto r = add_share(base::weight_of_step(), inputs, base::is_last(base::position().collected));
      base::finish_step();
      return r;
    });
  }

  /// Forward and backward on the samples of all ranks: adds weight times the gradients of their loss to those
  /// that wait for apply(). They travel then.
  template <class... Bindings>
  auto accumulate(double weight, const Bindings&... bindings) {
    return group().or_broken(
        [&] { return add_share(weight, base::template sorted<step_program>(bindings...)); });
  }
  /// The same from nothing. gradient<"w">() has this rank's part of them.
  template <class... Bindings>
  auto gradients(const Bindings&... bindings) {
    base::discard_gradients();
    return accumulate(1, bindings...);
  }

  /// One update from the gradients of all ranks. All must have accumulated equally often.
  void apply() {
    group().or_broken([&] {
      group().meet(join({"apply, steps that wait for it: ", base::position().collected}), base::steps() + 1);
      group().together("apply", base::steps() + 1, [&] { base::require_gradients(); });
      base::update();
    });
  }

 private:
  // If an update `follows`, gradients travel before it.
  auto add_share(double weight, const bindings_of<step_program>& inputs, bool follows = false) {
    detail::ranks_part mine = base::part_of_batch(0, 0);
    group().together("a step", base::steps() + 1, [&] {
      mine.samples = samples_in(inputs);
      mine.loss_weight = base::loss_weight_of(mine.samples, inputs);
    });
    const detail::joined_parts all(group(), detail::gather_parts(group(), mine), base::loss_kind);
    const double share = static_cast<double>(mine.samples) / static_cast<double>(all.samples());
    const double counts = weight * share_in_loss(base::loss_kind, mine.loss_weight, all.loss_weight());
    const trainer_state before = base::position();
    std::optional<decltype(base::accumulate_on(weight, inputs))> r;
    if (base::observes && follows) base::let_travel(share, before.collected + 1);
    undone_by([&] { base::take_back(before); },
              [&] {
                base::gradients_exchange().together(
                    "a step", base::steps() + 1, [&] { return base::capture_of(&inputs); },
                    [&] { r.emplace(base::add_gradients(share, counts, inputs)); },
                    [&] { mine.loss = static_cast<double>(r->loss()); });
              });
    base::set_mean_loss(
        detail::joined_parts(group(), detail::gather_parts(group(), mine), base::loss_kind).loss());
    return *r;
  }
  // The extent that the loss is a mean over, or of the first axis that is not known while compiling; 1 where
  // there is none. Throws an error where the inputs do not fit.
  static std::int64_t samples_in(const bindings_of<step_program>& inputs) {
    constexpr loss_over_samples loss = loss_over_samples_of<Model>;
    const plan_view& plan = checked_plan_of<step_program>();
    std::int64_t counted = -1;
    for (const detail::input_description& d : detail::described_inputs<step_program>) {
      if (d.rank == 0 || d.extents[0] >= 0) continue;
      const std::int64_t k = -1 - d.extents[0];
      if (counted < 0 || plan.extents[static_cast<std::size_t>(k)].symbol == loss.samples) counted = k;
    }
    if (counted < 0) return 1;
    run_time_extents found(plan);
    found.find(inputs.inputs, inputs.known_extents());
    return found[static_cast<std::size_t>(counted)];
  }
};

}  // namespace tapeless
