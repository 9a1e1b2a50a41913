// SPDX-License-Identifier: BSL-1.0
// Memory for the elements of tensors of any type.
#pragma once

#include <cstddef>

#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/sole_owner.hpp>

namespace tapeless::io {

/// So many bytes, of no certain value at first, that begin at a multiple of 64. They stay where they are when
/// this is moved.
class aligned_bytes {
 public:
  aligned_bytes() = default;
  explicit aligned_bytes(std::size_t size)
      : blocks_(new block[(size + sizeof(block) - 1) / sizeof(block)]), size_(size) {}

  array_view<std::byte> view() const { return {reinterpret_cast<std::byte*>(blocks_.get()), size_}; }

 private:
  struct alignas(64) block {
    std::byte bytes[64];
  };
  sole_owner<block[]> blocks_;
  std::size_t size_ = 0;
};

}  // namespace tapeless::io
