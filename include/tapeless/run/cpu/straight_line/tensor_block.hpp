// SPDX-License-Identifier: BSL-1.0
// Parameters or states of a program as one block of memory, as straight-line code expects them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/run/cpu/vectors/aligned_memory.hpp>

namespace tapeless::cpu_kernels {

/// Where code expects tensors: their offsets, and behind them the size of all; the bytes of each, 0 of those
/// that it does not touch.
struct expected_tensors {
  array_view<const std::int64_t> offsets, bytes;
};

/// Tensors that a program expects one after the other in memory. Where they are elsewhere, as a trainer's are
/// for a function that has some of them only, each run works on copies.
class tensor_block {
 public:
  tensor_block() = default;
  [[gnu::cold]] tensor_block(array_view<std::byte* const> addresses, const expected_tensors& expected)
      : addresses_(addresses), expected_(expected) {
    bool is_whole = true;
    for (std::size_t i = 0; i < expected.bytes.size(); ++i) {
      if (expected.bytes[i] == 0) continue;
      std::byte* const begin = addresses[i] - expected.offsets[i];
      if (begin_ == nullptr) begin_ = begin;
      is_whole = is_whole && begin == begin_;
    }
    if (is_whole) return;
    copies_ = aligned_memory(expected.offsets[expected.bytes.size()]);
    begin_ = copies_.data();
  }

  /// Null where there are none.
  std::byte* begin() const { return begin_; }
  /// Whether begin() is where copies are.
  bool is_copied() const { return copies_.data() != nullptr; }

  [[gnu::cold]] void fetch() {
    for_each([](std::byte* copy, std::byte* tensor, std::size_t bytes) { std::memcpy(copy, tensor, bytes); });
  }
  [[gnu::cold]] void bring_back() {
    for_each([](std::byte* copy, std::byte* tensor, std::size_t bytes) { std::memcpy(tensor, copy, bytes); });
  }

 private:
  array_view<std::byte* const> addresses_;
  expected_tensors expected_;
  std::byte* begin_ = nullptr;
  aligned_memory copies_;

  template <class F>
  void for_each(const F& f) {
    if (!is_copied()) return;
    for (std::size_t i = 0; i < expected_.bytes.size(); ++i)
      if (expected_.bytes[i] > 0)
        f(begin_ + expected_.offsets[i], addresses_[i], static_cast<std::size_t>(expected_.bytes[i]));
  }
};

}  // namespace tapeless::cpu_kernels
