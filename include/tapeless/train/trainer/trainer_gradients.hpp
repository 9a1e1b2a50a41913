// SPDX-License-Identifier: BSL-1.0
// The gradients that a trainer collects until its update: read, changed and forgotten.
#pragma once

#include <cstddef>

#include <tapeless/error.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/name.hpp>
#include <tapeless/train/trainer/trainer_access.hpp>

namespace tapeless {

/// The calls of a trainer that concern gradients which wait for apply(). It has no members of its own.
template <class Trainer>
class trainer_gradients {
 public:
  /// Forgets the gradients that wait for apply().
  void discard_gradients() {
    const auto stay = self().enter();
    self().collected_ = 0;
    self().gradients_.set_to_zero();
  }

  /// A view of a parameter's gradient as apply() will use it, times the loss scale where there is one.
  template <name Name>
  auto gradient() {
    const auto stay = self().enter();
    return gradients_to_give().template view<Name>();
  }
  /// The same of all parameters, with their names, in the order of parameters():
  /// for (auto& g : net.all_gradients()) std::cout << g.name() << g[0]. Running statistics have zeros.
  auto all_gradients() {
    const auto stay = self().enter();
    return gradients_to_give().views();
  }

  /// Where the gradients are that wait for their update, by parameter; empty where none wait.
  array_view<std::byte* const> collected_gradients() const {
    if (self().collected_ == 0) return {};
    return self().gradients_.pointers();
  }
  /// Where they will be, whether any wait or not.
  array_view<std::byte* const> gradient_data() {
    hold_gradients();
    return self().gradients_.pointers();
  }
  // The same where programs find them, which may be on a device.
  array_view<std::byte* const> gradients_of_programs() {
    hold_gradients();
    return self().gradients_.program_pointers();
  }

  // Throws an error where apply() has none to go by.
  void require_gradients() const {
    if (self().collected_ == 0 && !self().gives_gradients_)
      throw_error(
          "apply: no gradients wait for it: call gradients(...) or accumulate(weight, ...) first, or write "
          "your own into gradient<\"NAME\">()");
  }

 protected:
  // Post-condition: there is memory for them.
  void hold_gradients() { self().gradients_.hold(self().weights_->resources, self().addresses_); }

 private:
  auto& gradients_to_give() {
    hold_gradients();
    self().gives_gradients_ = true;
    return self().gradients_;
  }

  auto& self() const { return trainer_access::own_of(static_cast<const Trainer&>(*this)); }
};

}  // namespace tapeless
