// SPDX-License-Identifier: BSL-1.0
// One instruction of a fused kernel, of numbers or of vectors.
#pragma once

#include <tapeless/run/bare/bare_number.hpp>
#include <tapeless/run/bare/bare_wide.hpp>
#include <tapeless/run/common/registers.hpp>

namespace tapeless::bare_kernels::detail {

/// Computes an instruction with so many operands, by functions of Arithmetic; the other operands are
/// anything. A function of values, which kernels share, rather than of a kernel's registers.
template <class Arithmetic, bool OfOneType, int Code, int Count, class Result, class A, class B, class C>
[[gnu::always_inline]] inline void compute_bare(Result& result, const A& a, [[maybe_unused]] const B& b,
                                                [[maybe_unused]] const C& c) {
  if constexpr (Code == copy_code || Code == cast_code) {
    result = convert<Result>(a);
  } else {
    using pointwise = pointwise_operation_at<Code>;
    if constexpr (Count == 1)
      result = Arithmetic::template as_result<Result>(
          from_operand(pointwise::apply(Arithmetic::template operand<OfOneType>(a))));
    if constexpr (Count == 2)
      result = Arithmetic::template as_result<Result>(from_operand(pointwise::apply(
          Arithmetic::template operand<OfOneType>(a), Arithmetic::template operand<OfOneType>(b))));
    if constexpr (Count == 3)
      result = Arithmetic::template as_result<Result>(from_operand(pointwise::apply(
          Arithmetic::template operand<OfOneType>(a), Arithmetic::template operand<OfOneType>(b),
          Arithmetic::template operand<OfOneType>(c))));
  }
}

}  // namespace tapeless::bare_kernels::detail
