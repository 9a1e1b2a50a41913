// SPDX-License-Identifier: BSL-1.0
// Which of a trainer's programs a fit runs, and whether it can.
#pragma once

#include <concepts>
#include <type_traits>

#include <tapeless/train/loop/callback.hpp>
#include <tapeless/train/loop/evaluate.hpp>
#include <tapeless/train/trainer/error_stub.hpp>
#include <tapeless/train/trainer/one_of_several.hpp>
#include <tapeless/train/trainer/trainer_declaration.hpp>

namespace tapeless::detail {

/// The program that batches go through.
template <class Net, bool InParts>
struct program_of {
  using type = typename Net::step_program;
};
template <class Net>
struct program_of<Net, true> {
  using type = typename Net::accumulate_program;
};

template <class Net>
inline constexpr bool is_trainer = false;
template <class Model, class Rule, class Policy, class Timing>
inline constexpr bool is_trainer<trainer<Model, Rule, Policy, Timing>> = true;

/// Whether batches can be computed in parts, one update for each batch; the compiler is stopped where not.
template <class Net>
constexpr bool can_fit_in_parts() {
  constexpr bool can_add = requires { typename Net::accumulate_program; };
  static_assert(
      can_add,
      "tapeless: fit cannot compute batches in parts (physical_batch) for a rule whose trainer computes "
      "gradients several times in a step, such as lbfgs: leave physical_batch out");
  if constexpr (can_add) {
    constexpr bool collects = !is_one_of_several<Net> &&
                              std::is_same_v<typename Net::step_program, typename Net::accumulate_program>;
    static_assert(
        !collects,
        "tapeless: fit computes a batch in parts (physical_batch) and updates after each batch, but "
        "accumulate(n, rule) updates after n steps: leave one of the two out");
    return !collects;
  }
  return false;
}

/// Whether the trainer and the callbacks make a fit; the compiler is stopped where not.
template <bool InParts, class Net, class... Callbacks>
constexpr bool can_fit() {
  if constexpr (std::derived_from<Net, error_stub>) {
    return false;  // its model's error has been reported
  } else if constexpr (!requires { typename Net::step_program; }) {
    static_assert(!is_trainer<std::remove_const_t<Net>>,
                  "tapeless: fit makes steps of one loss, but this trainer has several, in turn: write the "
                  "loop, of net.step<\"loss\">(...)");
    static_assert(is_trainer<std::remove_const_t<Net>>,
                  "tapeless: fit takes the trainer, then the data: fit(net, data, {.epochs = 10})");
    return false;
  } else if constexpr (!require_contracts<callback_contract<Callbacks, Net>...>()) {
    return false;
  } else if constexpr (InParts) {
    return can_fit_in_parts<Net>() &&
           require_contracts<adding_to<Net, typename Net::step_program, Callbacks>...>();
  } else {
    return require_contracts<adding_to<Net, typename Net::step_program, Callbacks>...>();
  }
}

}  // namespace tapeless::detail
