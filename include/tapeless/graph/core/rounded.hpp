// SPDX-License-Identifier: BSL-1.0
// Keeps the compiler from rounding a product and a sum at once.
#pragma once

#include <type_traits>

namespace tapeless {

/// x, a number or a vector of the machine's. Where x is a product it is rounded before anything is added to
/// it: GCC would take both for one instruction where it sees them together, which depends on what else it has
/// inlined.
template <class X>
[[gnu::always_inline]] constexpr X rounded(X x) {
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
  if constexpr (std::is_floating_point_v<X>) {
    return __builtin_assoc_barrier(x);
  } else {  // of vectors it takes that number by number
#if defined(__FMA__)
    asm("" : "+v"(x));
#elif defined(__ARM_FEATURE_FMA)
    asm("" : "+w"(x));
#endif
    return x;
  }
#else
  return x;
#endif
}

}  // namespace tapeless
