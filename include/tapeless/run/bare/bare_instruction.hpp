// SPDX-License-Identifier: BSL-1.0
// One instruction of a fused kernel, of numbers or of vectors.
#pragma once

#include <type_traits>

#include <tapeless/run/bare/bare_number.hpp>
#include <tapeless/run/bare/bare_wide.hpp>
#include <tapeless/run/common/registers.hpp>

namespace tapeless::bare_kernels::detail {

/// Computes one instruction from the registers before it, by functions of our own.
template <instruction_key Key, int Number, class Registers>
[[gnu::always_inline]] inline void execute_bare(Registers& r) {
  auto& result = held<Number>(r);
  using result_type = std::remove_reference_t<decltype(result)>;
  if constexpr (Key.code == copy_code || Key.code == cast_code) {
    result = convert<result_type>(held<Key.a>(r));
  } else {
    using pointwise = pointwise_operation_at<Key.code>;
    const auto x = [&] {
      if constexpr (Key.count == 1) return pointwise::apply(to_operand(held<Key.a>(r)));
      if constexpr (Key.count == 2)
        return pointwise::apply(to_operand(held<Key.a>(r)), to_operand(held<Key.b>(r)));
      if constexpr (Key.count == 3)
        return pointwise::apply(to_operand(held<Key.a>(r)), to_operand(held<Key.b>(r)),
                                to_operand(held<Key.c>(r)));
    }();
    result = static_cast<result_type>(from_operand(x));
  }
}

}  // namespace tapeless::bare_kernels::detail
