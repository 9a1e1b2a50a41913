// SPDX-License-Identifier: BSL-1.0
// What families of windows over images have in common.
#pragma once

#include <tapeless/error.hpp>

namespace tapeless::detail {

// Whether a kernel fits into its image may be known only when a program runs.
inline void require_room(const char* operation, std::int64_t span, std::int64_t image, std::int64_t padding) {
  if (span > image + 2 * padding)
    throw_error({operation, "'s kernel spans ", span, " elements, but the run-time extent there is ", image,
                 ", with a padding of ", padding});
}

}  // namespace tapeless::detail
