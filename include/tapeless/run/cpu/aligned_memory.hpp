// SPDX-License-Identifier: BSL-1.0
// Memory on the CPU, aligned for its widest vectors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <utility>

#include <tapeless/plan/layout.hpp>
#include <tapeless/run/common/host_shadow.hpp>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace tapeless::cpu_kernels {

/// Linux has pages of this size for who asks for them. What passes over many megabytes takes a fifth less
/// time with them than with pages of 4 KiB, whose addresses a processor has to look up more often.
inline constexpr std::int64_t large_page = 1 << 21;

namespace detail {

/// So many bytes of a block are in large pages: all but a rest of less than a page, so that none takes more
/// memory.
constexpr std::int64_t bytes_in_large_pages(std::int64_t bytes) { return bytes / large_page * large_page; }

[[gnu::cold]] inline void ask_for_large_pages([[maybe_unused]] std::byte* data,
                                              [[maybe_unused]] std::int64_t bytes) {
#if defined(MADV_HUGEPAGE)
  ::madvise(data, static_cast<std::size_t>(bytes), MADV_HUGEPAGE);  // a wish: without them all is the same
#endif
}

}  // namespace detail

/// Memory at a multiple of arena_alignment, zero at the start.
class aligned_memory {
 public:
  aligned_memory() = default;
  [[gnu::cold]] explicit aligned_memory(std::int64_t bytes) : bytes_(bytes) {
    const std::int64_t paged = detail::bytes_in_large_pages(bytes);
    data_ = static_cast<std::byte*>(
        ::operator new(static_cast<std::size_t>(bytes == 0 ? 1 : bytes), alignment()));
    if (paged > 0) detail::ask_for_large_pages(data_, paged);
    std::memset(data_, 0, static_cast<std::size_t>(bytes));
  }
  aligned_memory(aligned_memory&& other) noexcept
      : bytes_(std::exchange(other.bytes_, 0)), data_(std::exchange(other.data_, nullptr)) {}
  aligned_memory& operator=(aligned_memory&& other) noexcept {
    const aligned_memory before(std::move(*this));
    std::swap(bytes_, other.bytes_);
    std::swap(data_, other.data_);
    return *this;
  }
  ~aligned_memory() {
    if (data_ != nullptr) ::operator delete(data_, alignment());
  }

  std::byte* data() const { return data_; }
  /// The same, for those who write to all of it.
  std::byte* data_to_overwrite() const { return data_; }
  /// The same, as programs see it.
  std::byte* program_data() const { return data_; }
  host_shadow* copied_by() const { return nullptr; }
  std::int64_t size() const { return bytes_; }

 private:
  std::int64_t bytes_ = 0;
  std::byte* data_ = nullptr;

  std::align_val_t alignment() const {
    return static_cast<std::align_val_t>(detail::bytes_in_large_pages(bytes_) > 0 ? large_page
                                                                                  : arena_alignment);
  }
};

}  // namespace tapeless::cpu_kernels
