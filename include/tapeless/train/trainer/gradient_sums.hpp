// SPDX-License-Identifier: BSL-1.0
// Gradients that are added up over several runs.
#pragma once

#include <utility>

#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/train/trainer/model_parameters.hpp>
#include <tapeless/train/trainer/state_addresses.hpp>

namespace tapeless {

/// Sums of the gradients of Parameters, a model_parameters; they have memory from the first time on that
/// somebody needs it. Those of 16 bits are added up in float.
template <class Parameters>
class gradient_sums {
 public:
  static constexpr auto descriptions = detail::gradients_of(Parameters::descriptions);

  /// Post-condition: there is memory for them, which is zero at first, and programs find it.
  template <class Resources>
  void hold(Resources& resources, state_addresses& addresses) {
    if (!is_held()) allocate(resources, addresses);
  }
  bool is_held() const { return !memory_.is_empty(); }

  void set_to_zero() {
    if (is_held()) detail::set_to_zero(descriptions, memory_.pointers());
  }

  /// Precondition of all that follow: they are held.
  array_view<std::byte* const> pointers() const { return memory_.pointers(); }
  array_view<std::byte* const> program_pointers() const { return memory_.program_pointers(); }
  /// A view of the gradient of that parameter.
  template <name Name>
  auto view() const {
    if constexpr (constexpr int index = Parameters::template index_of<Name>(); index >= 0) {
      return memory_.template view<descriptions[index].type>(descriptions[index], index);
    } else {
      return error_stub_result();
    }
  }
  /// Views of all of them, with their parameters' names.
  auto views() const {
    return detail::views_of<descriptions, false>(memory_, std::make_index_sequence<descriptions.size()>{});
  }

 private:
  parameter_memory<typename Parameters::memory_type> memory_;

  // Of its own, so that steps do not hold its code.
  template <class Resources>
  [[gnu::noinline]] TAPELESS_COLD void allocate(Resources& resources, state_addresses& addresses) {
    memory_ = {descriptions, resources};
    addresses.set_gradients(memory_.program_pointers());
  }
};

}  // namespace tapeless
