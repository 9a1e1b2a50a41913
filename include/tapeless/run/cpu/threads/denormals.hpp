// SPDX-License-Identifier: BSL-1.0
// Zero in place of denormal numbers, which take processors up to a hundred times as long as others.
#pragma once

#include <cstdint>

#if defined(__SSE__) || defined(_M_X64)
#include <xmmintrin.h>
#endif

namespace tapeless::cpu_kernels {

/// How this thread's processor computes: its flags, of which one has results that would be denormal be zero.
/// Operands that are denormal keep their values on x86-64, and count as zero on aarch64.
struct floating_point_mode {
#if defined(__SSE__) || defined(_M_X64)
  static constexpr bool can_flush = true;
  static constexpr std::uint32_t flushes = 0x8000;
  static std::uint32_t flags() { return _mm_getcsr(); }
  static void set(std::uint32_t flags) { _mm_setcsr(flags); }
#elif defined(__aarch64__)
  static constexpr bool can_flush = true;
  static constexpr std::uint64_t flushes = 1u << 24;
  static std::uint64_t flags() {
    std::uint64_t flags = 0;
    asm volatile("mrs %0, fpcr" : "=r"(flags));
    return flags;
  }
  static void set(std::uint64_t flags) { asm volatile("msr fpcr, %0" : : "r"(flags)); }
#else
  static constexpr bool can_flush = false;
  static constexpr std::uint32_t flushes = 0;
  static std::uint32_t flags() { return 0; }
  static void set(std::uint32_t) {}
#endif
};

/// As long as it lives, this thread flushes denormal results to zero, if `on`; after that it computes as
/// before. Where the processor's flag is not known here, nothing changes.
class flushed_denormals {
  using mode = floating_point_mode;

 public:
  explicit flushed_denormals(bool on) {
    if (!on) return;  // to read the flags takes a while, too
    before_ = mode::flags();
    if (changes_ = (before_ & mode::flushes) == 0; changes_) mode::set(before_ | mode::flushes);
  }
  ~flushed_denormals() {
    if (changes_) mode::set(before_);
  }
  flushed_denormals(const flushed_denormals&) = delete;
  flushed_denormals& operator=(const flushed_denormals&) = delete;

 private:
  decltype(mode::flags()) before_ = 0;
  bool changes_ = false;
};

}  // namespace tapeless::cpu_kernels
