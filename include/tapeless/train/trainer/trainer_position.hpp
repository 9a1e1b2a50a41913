// SPDX-License-Identifier: BSL-1.0
// How far a trainer is: updates, random numbers, and its place in fit.
#pragma once

#include <cstdint>

#include <tapeless/train/trainer/trainer_access.hpp>
#include <tapeless/train/trainer/trainer_state.hpp>

namespace tapeless {

/// The calls of all trainers that concern how far they are. It has no members of its own.
template <class Trainer>
class trainer_position {
 public:
  /// The number of updates so far.
  std::int64_t steps() const { return self().progress_.steps(); }

  trainer_state position() const { return self().progress_.position(0); }
  /// Goes there. Throws an error where no trainer of this kind can be there.
  void set_position(const trainer_state& p) {
    const auto stay = self().enter();
    detail::check_trainer_state(p, "set_position");
    detail::check_number("set_position", "trainer.collected", p.collected, 0);
    self().progress_.set_position(p);
  }

  // As if a step had been made.
  void pass_random_key() {
    const auto stay = self().enter();
    self().progress_.use_up_random_key();
  }
  // Processes that train together draw random numbers of their own: steps of another number draw others.
  void set_random_stream(std::uint64_t number) {
    const auto stay = self().enter();
    self().progress_.set_random_stream(number);
  }

  // How far fit is with this trainer: it says so after each step, and goes on from there.
  fit_position position_in_fit() const { return self().progress_.position_in_fit(); }
  void set_position_in_fit(const fit_position& p) {
    const auto stay = self().enter();
    self().progress_.set_position_in_fit(p);
  }

 private:
  auto& self() const { return trainer_access::own_of(static_cast<const Trainer&>(*this)); }
};

}  // namespace tapeless
