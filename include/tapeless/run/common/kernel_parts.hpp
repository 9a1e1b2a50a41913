// SPDX-License-Identifier: BSL-1.0
// What a kernel key says, by number. Kernels are templates of the key, and ask here: members of a template of
// all its loads, instructions and stores take g++ twice the memory and half as long again.
#pragma once

#include <utility>

#include <tapeless/run/common/common_number.hpp>
#include <tapeless/run/common/kernel_key.hpp>

namespace tapeless {

/// Loads, instructions and stores of a kernel of this key. Register -1 - k holds load k, register k the
/// result of instruction k.
template <class KernelKey>
struct kernel_parts;

template <load_key... L, instruction_key... I, store_key... S, bool InnermostReduced>
struct kernel_parts<kernel_key<load_keys<L...>, instruction_keys<I...>, store_keys<S...>, InnermostReduced>> {
  using key_type = kernel_key<load_keys<L...>, instruction_keys<I...>, store_keys<S...>, InnermostReduced>;
  using loads = load_keys<L...>;
  using instructions = instruction_keys<I...>;
  using stores = store_keys<S...>;
  /// The one type of numbers that it computes in; void where there are several.
  using number = typename common_number<key_type, true>::type;
  static constexpr bool innermost_reduced = InnermostReduced;

  static constexpr int load_count = sizeof...(L), instruction_count = sizeof...(I),
                       store_count = sizeof...(S);
  using load_numbers = std::make_integer_sequence<int, load_count>;
  using instruction_numbers = std::make_integer_sequence<int, instruction_count>;
  using store_numbers = std::make_integer_sequence<int, store_count>;

  // One more item each: there may be none.
  static constexpr load_key load_of(int number) {
    constexpr load_key all[] = {L..., load_key{}};
    return all[number];
  }
  static constexpr instruction_key instruction_of(int number) {
    constexpr instruction_key all[] = {I..., instruction_key{}};
    return all[number];
  }
  static constexpr store_key store_of(int number) {
    constexpr store_key all[] = {S..., store_key{}};
    return all[number];
  }

  /// The type of what a register holds.
  static constexpr element type_of(int number) {
    return number < 0 ? load_of(-1 - number).type : instruction_of(number).type;
  }
};

}  // namespace tapeless
