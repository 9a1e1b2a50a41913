// SPDX-License-Identifier: BSL-1.0
// What random numbers start from.
#pragma once

#include <cstdint>
#include <type_traits>

namespace tapeless {

/// Any integer; a negative one counts modulo 2^64, so that no two are the same.
struct random_seed {
  std::uint64_t number = 0;

  constexpr random_seed() = default;
  template <class Integer>
    requires std::is_integral_v<Integer>
  constexpr random_seed(Integer n) : number(static_cast<std::uint64_t>(n)) {}
  constexpr operator std::uint64_t() const { return number; }
};

}  // namespace tapeless
