// SPDX-License-Identifier: BSL-1.0
// What a trainer's hyperparameters are, and how they are changed.
#pragma once

#include <cstdint>
#include <limits>
#include <string_view>
#include <type_traits>
#include <vector>

#include <tapeless/error.hpp>
#include <tapeless/exceptions.hpp>
#include <tapeless/expr/compile_error.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/name.hpp>
#include <tapeless/train/trainer/hyperparameters.hpp>
#include <tapeless/train/trainer/trainer_access.hpp>

namespace tapeless {

/// The calls of all trainers that concern hyperparameters. It has no members of its own.
template <class Trainer>
class trainer_settings {
 public:
  /// From the next step on, all hyperparameters of that name have this value: a number, a schedule or any
  /// callable of the step. Those of one group of a partition have the group's name before their own:
  /// set<"decoder.learning_rate">(1e-4). Throws an error, and changes nothing, where they cannot be that
  /// number; a callable's numbers are looked at when a step asks for them, and of a loss scale while
  /// gradients that are times the one before wait for their update. A checkpoint has the numbers that were
  /// set; of a schedule it has nothing.
  template <name Name>
  void set(const hyperparameter& value) {
    const auto stay = self().enter();
    if constexpr (Name == name("loss_scale")) refuse_while_gradients_wait();
    self().hyperparameters_.template set<Name>(value);
  }
  template <class Text>
  void set(const Text&, const hyperparameter&) {
    static_assert(compile_error<misuse<Text>::name_as_argument>::reported);
  }
  /// The number that the hyperparameters of that name are in the step to come. Throws an error where they
  /// differ, as the learning rates of a partition may: get<"decoder.learning_rate">() is that of one group.
  template <name Name>
  double get() const {
    const auto stay = self().enter();
    return self().hyperparameters_.template get<Name>(self().progress_.steps());
  }
  /// All of the step to come, in the rule's own order.
  auto hyperparameters_to_come() const { return self().hyperparameters_.at(self().progress_.steps()); }
  /// What gradients are times in a step, counted from 0, where that is a hyperparameter; else NaN.
  double loss_scale_in([[maybe_unused]] std::int64_t step) const {
    if constexpr (requires { self().collected_; })
      if constexpr (std::remove_cvref_t<decltype(self().hyperparameters_)>::template has<"loss_scale">())
        return self().hyperparameters_.template get<"loss_scale">(step);
    return std::numeric_limits<double>::quiet_NaN();
  }
  /// Throws an error, which begins with `where`, if gradients that wait and are `theirs` times what they are
  /// would be divided by another loss scale in that step, where these numbers are set.
  TAPELESS_COLD void check_loss_scale(double theirs, std::int64_t step, array_view<const double> numbers,
                                      std::string_view where) {
    if (!detail::is_set(theirs)) return;
    const auto present = changed_hyperparameters();
    const std::vector<double> before(present.begin(), present.end());
    const auto go_back = [&] { set_changed_hyperparameters(before); };
    set_changed_hyperparameters(numbers);
    const double own = undone_by(go_back, [&] { return loss_scale_in(step); });
    go_back();
    if (own != theirs)
      throw_error({where, ": the gradients wait for their update, times the loss scale ",
                   detail::number_text(theirs).digits, ", but this trainer's is ",
                   detail::number_text(own).digits,
                   ": give its rule the same one, and set another behind the update"});
  }
  // What a checkpoint has of them, see hyperparameters.
  auto changed_hyperparameters() const { return self().hyperparameters_.changed(); }
  void check_changed_hyperparameters(array_view<const double> numbers, std::string_view where) const {
    self().hyperparameters_.check_changed(numbers, where);
  }
  void set_changed_hyperparameters(array_view<const double> numbers) {
    const auto stay = self().enter();
    self().hyperparameters_.set_changed(numbers);
  }

 private:
  void refuse_while_gradients_wait() const {
    if constexpr (requires { self().collected_; })
      if (self().collected_ > 0)
        throw_error(
            "set<\"loss_scale\">: gradients wait for their update, times the loss scale so far: set "
            "another one behind the update, or behind discard_gradients()");
  }

  auto& self() const { return trainer_access::own_of(static_cast<const Trainer&>(*this)); }
};

}  // namespace tapeless
