// SPDX-License-Identifier: BSL-1.0
// The states of a trainer's rule, by name: read, written and held fast.
#pragma once

#include <cstddef>
#include <type_traits>

#include <tapeless/graph/core/name.hpp>
#include <tapeless/optim/wrappers/mixed_precision.hpp>
#include <tapeless/train/trainer/error_stub.hpp>
#include <tapeless/train/trainer/trainer_access.hpp>

namespace tapeless {

/// The calls of a trainer that concern its rule's states. It has no members of its own.
template <class Trainer>
class trainer_rule_states {
 public:
  /// A view of one of the rule's states: net.state<"adam.mu", "fc1.weight">(), net.state<"loss_scale">().
  template <name Label, name Parameter = name{}>
  auto state() {
    return self().rule_states_.template view<Label, Parameter>();
  }

  /// A view of a parameter's float copy under mixed precision; assign changes both.
  template <name Name>
  auto master() {
    const auto view = state<master_label, Name>();
    if constexpr (std::is_same_v<decltype(view), const error_stub_result>) {
      return view;
    } else {
      return view.as_const();
    }
  }
  /// Where the float copy of parameter number i is; null where it has none.
  std::byte* master_data(std::size_t i) const { return self().rule_states_.master_data(i); }

  /// Holds fast the parameters whose names fit the pattern, with their states, until thaw:
  /// freeze<"body.*">(). The rule must be freezable. Running statistics, such as batch_norm's, still
  /// move in each step.
  template <name Pattern>
  void freeze() {
    const auto stay = self().enter();
    self().rule_states_.template set_frozen<Pattern>(true);
  }
  template <name Pattern>
  void thaw() {
    const auto stay = self().enter();
    self().rule_states_.template set_frozen<Pattern>(false);
  }

 private:
  auto& self() const { return trainer_access::own_of(static_cast<const Trainer&>(*this)); }
};

}  // namespace tapeless
