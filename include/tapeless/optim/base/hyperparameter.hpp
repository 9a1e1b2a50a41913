// SPDX-License-Identifier: BSL-1.0
// A hyperparameter: a number, or a function of the step. It is read anew at every step, so that changing it
// compiles nothing again.
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

#include <tapeless/expr/contract.hpp>

namespace tapeless {

/// The contract of a schedule: what a hyperparameter is in each step. It has
///   operator()(std::int64_t step) const   a number, for a step counted from 0
/// Laws: the same step gives the same number, however often and in whatever order it is asked for, so that a
/// trainer that goes on from a checkpoint gets the numbers of one that never stopped. It is copied into the
/// rule, so that what it refers to must outlive that.
template <class Schedule>
struct schedule_contract {
  using subject = Schedule;
  static constexpr std::string_view noun = "hyperparameter, which is a number or a schedule";
  static constexpr demand demands[1] = {
      {std::is_invocable_r_v<double, const Schedule&, std::int64_t>,
       "operator()(std::int64_t step) const, which returns a number"},
  };
};
template <class Schedule>
concept is_schedule = is_kept<schedule_contract<Schedule>>();

/// What a rule's option holds: a number, or any callable of the number of the step (std::int64_t, counted
/// from 0) that returns one, such as a schedule.
class hyperparameter {
 public:
  // Rules are put together from options by value: what releases a schedule is compiled once, not at each
  // turn.
  [[gnu::noinline]] ~hyperparameter() = default;
  hyperparameter(const hyperparameter&) = default;
  hyperparameter(hyperparameter&&) noexcept = default;
  hyperparameter& operator=(const hyperparameter&) = default;
  hyperparameter& operator=(hyperparameter&&) noexcept = default;

  template <class Number>
    requires std::is_arithmetic_v<Number>
  hyperparameter(Number value) : value_(static_cast<double>(value)) {}

  template <class Schedule>
    requires(!std::derived_from<std::remove_cvref_t<Schedule>, hyperparameter> &&
             is_schedule<std::decay_t<Schedule>>)
  hyperparameter(Schedule&& schedule)
      : schedule_(std::make_shared<holder<std::decay_t<Schedule>>>(std::forward<Schedule>(schedule))) {}

  /// What is neither is refused by a sentence.
  template <class Other>
    requires(!std::derived_from<std::remove_cvref_t<Other>, hyperparameter> &&
             !std::is_arithmetic_v<std::remove_cvref_t<Other>> && !is_schedule<std::decay_t<Other>>)
  hyperparameter(Other&&) {
    require_contracts<schedule_contract<std::decay_t<Other>>>();
  }

  /// Whether it is the same number in all steps.
  bool is_number() const { return schedule_ == nullptr; }
  /// The value for a step, counted from 0.
  double at(std::int64_t step) const { return schedule_ ? schedule_->at(step) : value_; }

 private:
  struct schedule_base {
    virtual ~schedule_base() = default;
    virtual double at(std::int64_t step) const = 0;
  };
  template <class Schedule>
  struct holder final : schedule_base {
    explicit holder(Schedule s) : schedule(std::move(s)) {}
    double at(std::int64_t step) const override { return static_cast<double>(schedule(step)); }
    Schedule schedule;
  };

  double value_ = 0;
  std::shared_ptr<const schedule_base> schedule_;
};

/// An option that must be given: it has no default.
class required_hyperparameter : public hyperparameter {
 public:
  using hyperparameter::hyperparameter;
  required_hyperparameter(hyperparameter given) : hyperparameter(std::move(given)) {}
};

}  // namespace tapeless
