// SPDX-License-Identifier: BSL-1.0
// Elements of one's own, in a shape: what a copy of a result is.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstdint>
#include <span>

#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/node.hpp>
#include <tapeless/graph/core/sole_owner.hpp>

namespace tapeless {

/// A shape of its own, which a temporary tensor leaves behind: auto s = net.predict(...).get<"y">().shape().
class tensor_shape {
 public:
  tensor_shape(const std::array<std::int64_t, max_rank>& extents, std::size_t rank)
      : extents_(extents), rank_(rank) {}
  const std::int64_t* data() const { return extents_.data(); }
  /// The number of axes.
  std::size_t size() const { return rank_; }
  bool empty() const { return rank_ == 0; }
  std::int64_t operator[](std::size_t axis) const { return extents_[axis]; }
  std::int64_t front() const { return extents_[0]; }
  std::int64_t back() const { return extents_[rank_ - 1]; }
  const std::int64_t* begin() const { return data(); }
  const std::int64_t* end() const { return data() + rank_; }
  template <std::same_as<const std::int64_t> Extent>
  operator std::span<Extent>() const {
    return {data(), rank_};
  }

 private:
  std::array<std::int64_t, max_rank> extents_;
  std::size_t rank_;
};

/// Elements in row-major order, with their shape. It can be bound like a view, and belongs to nobody else.
template <class T>
class tensor_copy {
 public:
  using element_type = T;
  using value_type = T;
  using tensor_of_program = T;  // and no expression

  /// Copies as many elements as the shape has. Pre-condition: shape.size() <= max_rank.
  tensor_copy(const T* elements, array_view<const std::int64_t> shape) : rank_(shape.size()) {
    for (std::size_t d = 0; d < rank_; ++d) {
      extents_[d] = shape[d];
      size_ *= static_cast<std::size_t>(shape[d]);
    }
    elements_ = sole_owner<T[]>(new T[size_]());
    std::copy_n(elements, size_, elements_.get());
  }
  tensor_copy(const tensor_copy& other) : tensor_copy(other.data(), {other.extents_.data(), other.rank_}) {}
  tensor_copy& operator=(const tensor_copy& other) { return *this = tensor_copy(other); }
  /// Post-condition: other.size() == 0.
  tensor_copy(tensor_copy&& other) noexcept
      : elements_(std::move(other.elements_)),
        rank_(other.rank_),
        extents_(other.extents_),
        size_(other.size_) {
    other.become_empty();
  }
  tensor_copy& operator=(tensor_copy&& other) noexcept {
    std::swap(elements_, other.elements_);
    std::swap(rank_, other.rank_);
    std::swap(extents_, other.extents_);
    std::swap(size_, other.size_);
    return *this;
  }

  T* data() { return elements_.get(); }
  const T* data() const { return elements_.get(); }
  /// The number of elements.
  std::size_t size() const { return size_; }
  std::span<const std::int64_t> shape() const& {
    return array_view<const std::int64_t>(extents_.data(), rank_).span();
  }
  tensor_shape shape() const&& { return {extents_, rank_}; }
  /// Element i, counted in row-major order.
  T& operator[](std::size_t i) { return elements_[i]; }
  const T& operator[](std::size_t i) const { return elements_[i]; }
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }

 private:
  sole_owner<T[]> elements_;
  std::size_t rank_;
  std::array<std::int64_t, max_rank> extents_{};
  std::size_t size_ = 1;

  void become_empty() {
    rank_ = 1;
    extents_[0] = 0;
    size_ = 0;
  }
};

}  // namespace tapeless
