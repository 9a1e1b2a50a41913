// SPDX-License-Identifier: BSL-1.0
// A view of a tensor's elements: what results and parameters are read through.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include <tapeless/graph/node.hpp>
#include <tapeless/run/mirror.hpp>

namespace tapeless {

/// Elements side by side in row-major order, with their shape. It stays valid as long as what it was taken
/// from, and shows what that holds now.
template <class T>
class tensor_view {
 public:
  using element_type = T;
  using value_type = std::remove_const_t<T>;

  /// Where the elements are a copy of a device's, `mirror` keeps it up to date.
  tensor_view(T* data, std::span<const std::int64_t> shape, mirror* mirror = nullptr)
      : data_(data), mirror_(mirror), rank_(shape.size()) {
    for (std::size_t d = 0; d < rank_; ++d) {
      extents_[d] = shape[d];
      size_ *= static_cast<std::size_t>(shape[d]);
    }
  }

  T* data() const {
    if (mirror_ != nullptr) mirror_->bring_here(!std::is_const_v<T>);
    return data_;
  }
  /// The same elements for reading only.
  tensor_view<const T> as_const() const { return {data_, shape(), mirror_}; }
  /// The number of elements.
  std::size_t size() const { return size_; }
  std::span<const std::int64_t> shape() const { return {extents_.data(), rank_}; }
  /// Element i, counted in row-major order.
  T& operator[](std::size_t i) const { return data()[i]; }
  T* begin() const { return data(); }
  T* end() const { return data_ + size_; }

 private:
  T* data_;
  mirror* mirror_;
  std::size_t rank_;
  std::size_t size_ = 1;
  std::array<std::int64_t, max_rank> extents_{};
};

/// A view with the name of what it shows.
template <name Label, class T>
struct named_view {
  static constexpr std::string_view label() { return Label.view(); }
  tensor_view<T> values;
};

}  // namespace tapeless
