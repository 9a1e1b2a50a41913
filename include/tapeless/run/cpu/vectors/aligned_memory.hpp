// SPDX-License-Identifier: BSL-1.0
// Memory on the CPU, aligned for its widest vectors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <utility>

#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/plan/layout.hpp>
#include <tapeless/run/common/host_shadow.hpp>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace tapeless::cpu_kernels {

/// Linux has pages of this size for who asks for them. What passes over many megabytes takes some per cent
/// less time with them than with pages of 4 KiB, whose addresses a processor has to look up more often.
inline constexpr std::int64_t large_page = 1 << 21;

/// Where a block of so many bytes begins: at a multiple of a vector's size, or of a page's where a page is
/// little: such a block takes whole pages. A program's own large arrays begin 16 bytes behind the start of a
/// page in most C libraries. A block that begins 64 bytes behind one is read and written just ahead of them,
/// and processors tell a load from an earlier store by the lowest 12 bits of their addresses alone at first.
/// Measured on a Zen 4, for an update of ten million parameters by AdamW: 6.4 milliseconds where blocks begin
/// 64 bytes behind a page's start, 5.4 where at its start.
constexpr std::int64_t block_alignment(std::int64_t bytes) {
  constexpr std::int64_t page = 4096, many = 32 * page;
  return bytes >= many ? page : arena_alignment;
}

namespace detail {

struct byte_range {
  std::int64_t first, count;
};
/// The bytes of a block at such an address that are whole large pages. Where the block begins stays as it is:
/// at a multiple of a large page it would take up to one more than the plan says.
constexpr byte_range whole_large_pages(std::int64_t address, std::int64_t bytes) {
  const std::int64_t first = (large_page - address % large_page) % large_page;
  return {first, bytes > first ? (bytes - first) / large_page * large_page : 0};
}

TAPELESS_COLD inline void ask_for_large_pages([[maybe_unused]] std::byte* data,
                                              [[maybe_unused]] std::int64_t bytes) {
#if defined(MADV_HUGEPAGE)
  const byte_range pages =
      whole_large_pages(static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(data)), bytes);
  if (pages.count > 0)  // a wish: without them all is the same
    ::madvise(data + pages.first, static_cast<std::size_t>(pages.count), MADV_HUGEPAGE);
#endif
}

}  // namespace detail

/// Memory at a multiple of arena_alignment, zero at the start.
class aligned_memory {
 public:
  aligned_memory() = default;
  TAPELESS_COLD explicit aligned_memory(std::int64_t bytes) : bytes_(bytes) {
    data_ = static_cast<std::byte*>(
        ::operator new(static_cast<std::size_t>(bytes == 0 ? 1 : bytes), alignment(bytes)));
    detail::ask_for_large_pages(data_, bytes);
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
    if (data_ != nullptr) ::operator delete(data_, alignment(bytes_));
  }

  std::byte* data() const { return data_; }
  /// The same, for those who write to all of it.
  std::byte* data_to_overwrite() const { return data_; }
  /// The same, as programs see it.
  std::byte* program_data() const { return data_; }
  host_shadow* copied_by() const { return nullptr; }
  std::int64_t size() const { return bytes_; }

 private:
  static std::align_val_t alignment(std::int64_t bytes) {
    return std::align_val_t(static_cast<std::size_t>(block_alignment(bytes)));
  }

  std::int64_t bytes_ = 0;
  std::byte* data_ = nullptr;
};

}  // namespace tapeless::cpu_kernels
