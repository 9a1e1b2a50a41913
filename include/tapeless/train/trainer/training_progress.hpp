// SPDX-License-Identifier: BSL-1.0
// How far a trainer is: its steps, its random numbers, and its place in a fit.
#pragma once

#include <cstddef>
#include <cstdint>

#include <tapeless/graph/core/random_stream.hpp>
#include <tapeless/train/trainer/trainer_state.hpp>

namespace tapeless {

/// Counts steps and gives out random keys.
class training_progress {
 public:
  /// Parameters have the seed's streams below this one.
  training_progress(std::uint64_t seed, std::uint64_t stream) : random_keys_(seed, stream) {}

  /// The number of updates so far.
  std::int64_t steps() const { return steps_; }
  void count_step() { ++steps_; }

  /// The key of the run to come: below 2^52, so that streams can be told apart by adding to it. It stays the
  /// same until it is used up, so that a run that throws leaves no trace.
  double random_key() const {
    random_stream keys = random_keys_;
    return static_cast<double>((keys.next() ^ stream_) >> 12);
  }
  /// Another number makes keys others in all runs: for processes that draw for samples of their own. At
  /// first, it is 0.
  void set_random_stream(std::uint64_t number) {
    stream_ = number == 0 ? 0 : random_stream(number, 0).next();
  }
  void use_up_random_key() {
    random_keys_.next();
    evaluations_ = 0;
  }

  /// The key of an evaluation: another one each time, which the keys of training do not depend on. The n-th
  /// after a step is the same whatever came before that step.
  double next_evaluation_key() {
    random_stream keys(random_keys_.state(), ++evaluations_);
    return static_cast<double>(keys.next() >> 12);
  }

  /// The key of an update from gradients that were added up: another one in each, the same in all processes
  /// that train together.
  double update_key() const {
    random_stream keys(random_keys_.state(), first_of_updates + static_cast<std::uint64_t>(steps_));
    return static_cast<double>(keys.next() >> 12);
  }

  const fit_position& position_in_fit() const { return fit_; }
  void set_position_in_fit(const fit_position& p) { fit_ = p; }

  /// `collected` is the number of steps that wait for their update.
  trainer_state position(std::int64_t collected) const {
    return {.steps = steps_,
            .collected = collected,
            .random = static_cast<std::int64_t>(random_keys_.state()),
            .fit = fit_,
            .evaluations = static_cast<std::int64_t>(evaluations_)};
  }
  void set_position(const trainer_state& p) {
    steps_ = p.steps;
    random_keys_ = random_stream::at(static_cast<std::uint64_t>(p.random));
    evaluations_ = static_cast<std::uint64_t>(p.evaluations);
    fit_ = p.fit;
  }

 private:
  static constexpr std::uint64_t first_of_updates = std::uint64_t{1} << 63;  // evaluations have those below

  std::int64_t steps_ = 0;
  random_stream random_keys_;
  std::uint64_t stream_ = 0;
  std::uint64_t evaluations_ = 0;  // since the last step
  fit_position fit_;
};

}  // namespace tapeless
