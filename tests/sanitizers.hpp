// SPDX-License-Identifier: BSL-1.0
// Whether a test runs under a sanitizer that has an allocator of its own, or a map of all addresses.
#pragma once

namespace test {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool under_sanitizer = true;
#elif defined(__has_feature)
inline constexpr bool under_sanitizer =
    __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer);
#else
inline constexpr bool under_sanitizer = false;
#endif

}  // namespace test
