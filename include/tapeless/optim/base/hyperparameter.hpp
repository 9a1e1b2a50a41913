// SPDX-License-Identifier: BSL-1.0
// A hyperparameter: a number, or a function of the step. It is read anew at every step, so that changing it
// compiles nothing again.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>
#include <utility>

#include <tapeless/expr/contract.hpp>
#include <tapeless/graph/core/compiler.hpp>

namespace tapeless {

/// The contract of a schedule: what a hyperparameter is in each step. It has
///   operator()(std::int64_t step) const   a number, for a step counted from 0
/// Laws: the same step gives the same number, however often and in whatever order it is asked for. So a
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
#if __STDC_HOSTED__
  [[gnu::noinline]] hyperparameter(const hyperparameter& other) { take_copy(other); }
  [[gnu::noinline]] hyperparameter(hyperparameter&& other) noexcept { take(other); }
  TAPELESS_COLD hyperparameter& operator=(const hyperparameter& other) {
    if (this != &other) {
      hyperparameter copy(other);  // it may throw
      release();
      take(copy);
    }
    return *this;
  }
  TAPELESS_COLD hyperparameter& operator=(hyperparameter&& other) noexcept {
    if (this != &other) {
      release();
      take(other);
    }
    return *this;
  }
  // Rules are put together from options by value: what copies and releases is compiled once.
  [[gnu::noinline]] ~hyperparameter() { release(); }
#endif  // else there is no heap to be released, and copies are bytes

  template <class Number>
    requires std::is_arithmetic_v<Number>
  hyperparameter(Number value) : value_(static_cast<double>(value)) {}

  template <class Schedule>
    requires(!std::derived_from<std::remove_cvref_t<Schedule>, hyperparameter> &&
             is_schedule<std::decay_t<Schedule>>)
  hyperparameter(Schedule&& schedule) {
    using own = std::decay_t<Schedule>;
    if constexpr (lies_inside<own>) {
      ::new (static_cast<void*>(inside_)) own(std::forward<Schedule>(schedule));
    } else {
#if !__STDC_HOSTED__
      static_assert(lies_inside<own>,
                    "tapeless: without an operating system a schedule must be trivially copyable and have at "
                    "most 48 bytes: this one would need a heap");
#endif
      outside_ = new own(std::forward<Schedule>(schedule));
    }
    calls_ = &calls_of<own>;
  }

  /// What is neither is refused by a sentence.
  template <class Other>
    requires(!std::derived_from<std::remove_cvref_t<Other>, hyperparameter> &&
             !std::is_arithmetic_v<std::remove_cvref_t<Other>> && !is_schedule<std::decay_t<Other>>)
  hyperparameter(Other&&) {
    require_contracts<schedule_contract<std::decay_t<Other>>>();
  }

  /// Whether it is the same number in all steps.
  bool is_number() const { return calls_ == nullptr; }
  /// The value for a step, counted from 0.
  double at(std::int64_t step) const { return calls_ == nullptr ? value_ : calls_->at(*this, step); }

 private:
  // What is known of a schedule's type. Those that lie inside are copied as bytes and need not be released.
  struct schedule_calls {
    double (*at)(const hyperparameter&, std::int64_t);
    void* (*copy)(const void*) = nullptr;
    void (*release)(void*) = nullptr;
  };

  union {
    double value_ = 0;
    void* outside_;
    alignas(8) std::byte inside_[48];
  };
  const schedule_calls* calls_ = nullptr;

  template <class Schedule>
  static constexpr bool lies_inside =
      std::is_trivially_copyable_v<Schedule> && sizeof(Schedule) <= sizeof(inside_) && alignof(Schedule) <= 8;

  template <class Schedule>
  static double value_at(const hyperparameter& h, std::int64_t step) {
    const void* place = h.outside_;
    if constexpr (lies_inside<Schedule>) place = h.inside_;
    return static_cast<double>((*static_cast<const Schedule*>(place))(step));
  }
  template <class Schedule>
  static constexpr schedule_calls make_calls() {
    schedule_calls calls{.at = &value_at<Schedule>};
    if constexpr (!lies_inside<Schedule>) {
      calls.copy = [](const void* from) -> void* {
        return new Schedule(*static_cast<const Schedule*>(from));
      };
      calls.release = [](void* schedule) { delete static_cast<Schedule*>(schedule); };
    }
    return calls;
  }
  template <class Schedule>
  static constexpr schedule_calls calls_of = make_calls<Schedule>();

  // Precondition of all three: there is nothing here that has to be released.
  void take_bytes(const hyperparameter& other) {
    for (std::size_t i = 0; i < sizeof(inside_); ++i) inside_[i] = other.inside_[i];
    calls_ = other.calls_;
  }
  void take_copy(const hyperparameter& other) {
    if (other.calls_ == nullptr) {
      value_ = other.value_;
    } else if (other.calls_->copy == nullptr) {
      take_bytes(other);
    } else {
      outside_ = other.calls_->copy(other.outside_);
      calls_ = other.calls_;
    }
  }
  void take(hyperparameter& other) {
    if (other.calls_ == nullptr) {
      value_ = other.value_;
      return;
    }
    take_bytes(other);
    if (calls_->release != nullptr) {  // the other one is a number from here on
      other.calls_ = nullptr;
      other.value_ = 0;
    }
  }
  void release() {
    if (calls_ != nullptr && calls_->release != nullptr) calls_->release(outside_);
    calls_ = nullptr;
  }
};

/// An option that must be given: it has no default.
class required_hyperparameter : public hyperparameter {
 public:
  using hyperparameter::hyperparameter;
  required_hyperparameter(hyperparameter given) : hyperparameter(std::move(given)) {}
};

namespace detail {

/// The options of a rule, a transformation or a wrapper, where options is what was given; else the sentence,
/// and options in their place, so that nothing else is said.
template <class Options, class Given>
Options& given_options(Given& given) {
  if constexpr (std::is_same_v<Given, Options>) {
    return given;
  } else {
    static_assert(
        std::is_same_v<Given, Options>,
        "tapeless: options stand in braces, by their names, as in tl::adam({.learning_rate = 1e-3f})");
    static Options* none = nullptr;
    return *none;
  }
}

}  // namespace detail

}  // namespace tapeless
