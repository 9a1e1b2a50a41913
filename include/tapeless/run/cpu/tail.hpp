// SPDX-License-Identifier: BSL-1.0
// The elements at the end of a run that do not fill a vector.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tapeless::cpu_kernels {

/// Elements that do not fill a vector, on their way to and from memory of a vector's size.
template <class Stored>
void enter_tail(const std::byte* from, std::int64_t i, std::int64_t stride, std::byte* tail,
                std::int64_t rest, std::int64_t width) {
  for (std::int64_t n = 0; n < width; ++n)
    reinterpret_cast<Stored*>(tail)[n] =
        n < rest ? reinterpret_cast<const Stored*>(from)[(i + n) * stride] : Stored(0);
}
template <class Stored>
void leave_tail(std::byte* to, std::int64_t i, std::int64_t stride, const std::byte* tail,
                std::int64_t rest) {
  for (std::int64_t n = 0; n < rest; ++n)
    reinterpret_cast<Stored*>(to)[(i + n) * stride] = reinterpret_cast<const Stored*>(tail)[n];
}

}  // namespace tapeless::cpu_kernels
