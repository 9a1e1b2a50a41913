// SPDX-License-Identifier: BSL-1.0
// Sizes of memory in whole cache lines.
#pragma once

#include <cstdint>

namespace tapeless {

inline constexpr std::int64_t arena_alignment = 64;  // bytes: a cache line, and the widest vector

namespace detail {

/// The bytes, and those that are missing to a multiple of the alignment.
constexpr std::int64_t aligned(std::int64_t bytes, std::int64_t alignment = arena_alignment) {
  return (bytes + alignment - 1) / alignment * alignment;
}

}  // namespace detail

}  // namespace tapeless
