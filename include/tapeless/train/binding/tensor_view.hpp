// SPDX-License-Identifier: BSL-1.0
// A view of a tensor's elements: what results and parameters are read through.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <type_traits>

#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/node.hpp>
#include <tapeless/run/common/host_shadow.hpp>
#include <tapeless/run/cpu/vectors/eigen.hpp>
#include <tapeless/train/binding/run_stamp.hpp>
#include <tapeless/train/binding/tensor_copy.hpp>
#include <tapeless/train/binding/tensor_operators.hpp>

namespace tapeless {

/// Contiguous elements in row-major order, with their shape.
///
/// A view of a parameter shows what the parameter holds now, as long as its trainer or function lives.
/// A view of a result shows that result. Once its program has run again or is gone, reading it (data, begin,
/// operator[], copy, as_matrix) throws an error; what data() and begin() gave before must not be read then.
/// `copy()` and `as_matrix()` keep what it shows.
template <class T>
class tensor_view {
 public:
  using element_type = T;
  using value_type = std::remove_const_t<T>;
  using tensor_of_program = T;  // and no expression

  tensor_view(T* data, array_view<const std::int64_t> shape) : tensor_view(data, shape, nullptr, {}) {}
  /// Where the elements are a copy of a device's, `shadow` keeps it up to date.
  tensor_view(T* data, array_view<const std::int64_t> shape, host_shadow* shadow)
      : tensor_view(data, shape, shadow, {}) {}
  /// A view of a result, which can be read as long as the stamp is current.
  tensor_view(T* data, array_view<const std::int64_t> shape, run_stamp stamp)
      : tensor_view(data, shape, nullptr, stamp) {}
  tensor_view(const tensor_view&) = default;
  tensor_view& operator=(const tensor_view&) & = default;  // shows others from then on
  /// Refuses values for what it shows: net.parameter<"w">() = values.
  template <class Values>
  void operator=(const Values&) && {
    static_assert(std::is_void_v<Values>,
                  "tapeless: a view cannot be given values by =: a trainer's parameter takes them by "
                  "net.assign<\"NAME\">(values), a function's by std::copy to the view's begin()");
  }

  T* data() const {
    stamp_.check();
    if (shadow_ != nullptr) shadow_->bring_here(!std::is_const_v<T>);
    return data_;
  }
  /// The same elements for reading only.
  tensor_view<const T> as_const() const { return {data_, extents(), shadow_, stamp_}; }
  /// The number of elements.
  std::size_t size() const { return size_; }
  std::span<const std::int64_t> shape() const& { return extents().span(); }
  tensor_shape shape() const&& { return {extents_, rank_}; }
  /// The same as shape(), as the library's own functions read it.
  array_view<const std::int64_t> extents() const { return {extents_.data(), rank_}; }
  /// Element i, counted in row-major order.
  T& operator[](std::size_t i) const { return data()[i]; }
  T* begin() const { return data(); }
  T* end() const { return data_ + size_; }

  /// The elements as they are now, in memory of their own.
  tensor_copy<value_type> copy() const { return {as_const().data(), extents()}; }
  /// The same as a matrix of Eigen's: [rows, columns]; a vector's elements as one column, a single one as a
  /// matrix of 1 x 1. Its program includes Eigen/Core. Throws an error where there are more than two axes.
  auto as_matrix() const {
    using matrix = Eigen::Matrix<value_type, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    static_assert(
        requires { sizeof(matrix); },
        "tapeless: as_matrix gives a matrix of Eigen's: add #include <Eigen/Core>");
    if (rank_ > 2) throw_error({"as_matrix: a matrix has up to 2 axes, but this tensor has ", rank_});
    return matrix(Eigen::Map<const matrix>(as_const().data(), rank_ > 0 ? extents_[0] : 1,
                                           rank_ > 1 ? extents_[1] : 1));
  }

 private:
  template <class>
  friend class tensor_view;

  T* data_;
  host_shadow* shadow_;
  run_stamp stamp_;
  std::size_t rank_;
  std::size_t size_ = 1;
  std::array<std::int64_t, max_rank> extents_{};

  tensor_view(T* data, array_view<const std::int64_t> shape, host_shadow* shadow, run_stamp stamp)
      : data_(data), shadow_(shadow), stamp_(stamp), rank_(shape.size()) {
    const std::size_t rank = shape.size();  // not read again: what is written might be it
    for (std::size_t d = 0; d < rank; ++d) {
      extents_[d] = shape[d];
      size_ *= static_cast<std::size_t>(shape[d]);
    }
  }
};

}  // namespace tapeless
