// SPDX-License-Identifier: BSL-1.0
// Memory on the CPU, aligned for its widest vectors.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>

#include <tapeless/graph/core/sole_owner.hpp>
#include <tapeless/plan/layout.hpp>
#include <tapeless/run/common/host_shadow.hpp>

namespace tapeless::cpu_kernels {

/// Memory at a multiple of arena_alignment, zero at the start.
class aligned_memory {
 public:
  aligned_memory() = default;
  explicit aligned_memory(std::int64_t bytes)
      : bytes_(bytes),
        data_(static_cast<std::byte*>(::operator new(
            static_cast<std::size_t>(std::max<std::int64_t>(bytes, 1)), std::align_val_t{arena_alignment}))) {
    std::memset(data_.get(), 0, static_cast<std::size_t>(bytes));
  }
  std::byte* data() const { return data_.get(); }
  /// The same, for those who write to all of it.
  std::byte* data_to_overwrite() const { return data_.get(); }
  /// The same, as programs see it.
  std::byte* program_data() const { return data_.get(); }
  host_shadow* copied_by() const { return nullptr; }
  std::int64_t size() const { return bytes_; }

 private:
  struct free_aligned {
    void operator()(std::byte* p) const { ::operator delete(p, std::align_val_t{arena_alignment}); }
  };
  std::int64_t bytes_ = 0;
  sole_owner<std::byte, free_aligned> data_;
};

}  // namespace tapeless::cpu_kernels
