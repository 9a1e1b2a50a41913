// SPDX-License-Identifier: BSL-1.0
// A trainer that takes its rank's part of each batch of fit.
#pragma once

#include <cstdint>
#include <optional>

#include <tapeless/cluster/batches_of_ranks.hpp>
#include <tapeless/cluster/shares.hpp>
#include <tapeless/cluster/travelling_trainer.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/random_stream.hpp>
#include <tapeless/train/loop/batches.hpp>

namespace tapeless {

/// What fit asks of a trainer of ranks, which divides batches itself: each rank computes its part of a batch
/// in steps of its own, of which all make as many.
template <class Model, class Rule, class Ranks, class Policy, class Timing>
class fitting_trainer : public travelling_trainer<Model, Rule, Ranks, Policy, Timing> {
  using base = travelling_trainer<Model, Rule, Ranks, Policy, Timing>;

 public:
  using base::base;

  /// The loss of the last step, over the samples of all ranks.
  double mean_loss() const { return mean_loss_; }

  array_view<const std::int64_t> share_of(array_view<const std::int64_t> samples) const {
    return detail::share_of(samples, base::group().rank(), base::group().size());
  }
  /// How many of so many samples those are.
  std::int64_t share_size_of(std::int64_t samples) const {
    const auto begin = [&](int rank) { return detail::begin_of_share(samples, rank, base::group().size()); };
    return begin(base::group().rank() + 1) - begin(base::group().rank());
  }
  template <class... Arguments>
  detail::loss_of_batch fit_batch(Arguments&&... arguments) {
    const detail::loss_of_batch all = detail::fit_batch(*this, arguments...);
    mean_loss_ = all.loss;
    return all;
  }
  template <class... Arguments>
  report measure(Arguments&&... arguments) {
    return detail::measure(*this, arguments...);
  }
  /// Adds the gradients of this rank's part of a batch of `all` samples to those that wait; `inputs` brings
  /// it, where it is not empty. Its loss counts so much in the batch's.
  template <class Inputs, class Result>
  void add_part_together(std::int64_t step, std::int64_t own, std::int64_t all, double share_in_loss,
                         const Inputs& inputs, std::optional<Result>& r, double& loss) {
    const bindings_of<typename base::step_program>* part = nullptr;
    base::gradients_exchange().together(
        "a step of fit", step,
        [&] {
          if (own > 0) part = &inputs();
          return base::capture_of(part);
        },
        [&] {
          if (own > 0) {
            r.emplace(base::add_gradients(static_cast<double>(own) / static_cast<double>(all),
                                          share_in_loss * base::weight_of_step(), *part));
          } else {
            base::pass_random_key();  // random numbers go on as on other ranks
            if constexpr (base::is_on_device) base::gradients_exchange().run_alone();
          }
        },
        [&] {
          if (r) loss = static_cast<double>(r->loss());
        });
  }
  /// All ranks are about to add their last part of a batch, `own` samples of `all`, or none: if an update
  /// follows, gradients travel from here on.
  void begin_last_part(std::int64_t collected_before, std::int64_t own, std::int64_t all) {
    if (base::observes && base::is_last(collected_before))
      base::let_travel(static_cast<double>(own) / static_cast<double>(all), collected_before + 1);
  }
  /// The batch's parts have all been added, which counts as one.
  void count_batch(std::int64_t collected_before) {
    trainer_state p = base::position();
    p.collected = collected_before + 1;
    base::set_position(p);
  }
  /// An update, where it is time for one.
  void finish_batch() { base::finish_step(); }

 protected:
  void set_mean_loss(double loss) { mean_loss_ = loss; }

 private:
  double mean_loss_ = 0;
};

}  // namespace tapeless
