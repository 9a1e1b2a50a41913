// SPDX-License-Identifier: BSL-1.0
// What can be bound to an input or be a column of data: contiguous elements, or with strides, as the types of
// other libraries have them. These are known by their members, so that none of their headers is needed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <type_traits>
#include <utility>

#include <tapeless/error.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/bound_elements.hpp>
#include <tapeless/graph/core/contiguous_elements.hpp>
#include <tapeless/graph/core/nested_array.hpp>
#include <tapeless/graph/core/node.hpp>

namespace tapeless {

namespace detail {

/// std::vector<bool> or std::bitset.
template <class R>
concept holds_bits = requires(R& r) {
  r.size();
  r.flip();
};

/// Whether it has ranges of elements, each in memory of its own.
template <class R>
constexpr bool holds_ranges() {
  if constexpr (requires(const R& range) { std::data(range)->size(); }) {
    using row = std::remove_cvref_t<decltype(*std::data(std::declval<const R&>()))>;
    return contiguous_elements<row> || holds_bits<row> || holds_ranges<row>();
  } else {
    return false;
  }
}

}  // namespace detail

/// What has data() and size(), or is an array, of arrays of elements that a tensor can have.
template <class R>
concept contiguous_arrays = requires(const R& range) {
  std::size(range);
  requires detail::array_in<R>::rank > 0;
  requires element_type<typename detail::array_in<R>::element>;
};

namespace detail {

template <class R>
concept eigen_expression = requires(const R& m) {
  typename R::Scalar;
  R::RowsAtCompileTime;
  R::ColsAtCompileTime;
  m.derived();
};

/// A matrix, array, vector, map or block of Eigen's.
template <class R>
concept eigen_matrix = eigen_expression<R> && requires(const R& m) {
  m.data();
  m.rowStride();
  m.colStride();
};

/// A Tensor or TensorMap of Eigen's.
template <class R>
concept eigen_tensor = requires(const R& t) {
  R::NumIndices;
  R::Layout;
  t.dimensions();
  t.data();
};

/// std::mdspan, and what has its members, with an accessor that computes nothing.
template <class R>
concept multidimensional_span = requires(const R& m) {
  typename R::extents_type;
  m.stride(0);
  m.extent(0);
  requires std::is_pointer_v<std::remove_cvref_t<decltype(m.data_handle())>>;
  requires std::is_same_v<typename R::reference, decltype(*m.data_handle())>;
};

/// Strides that are known: the elements are read with them.
template <class R>
concept has_known_strides = eigen_matrix<R> || eigen_tensor<R> || multidimensional_span<R>;

/// Strides that nobody here can read.
template <class R>
concept has_other_strides = !has_known_strides<R> && (eigen_expression<R> || has_strides<R>);

template <class R>
concept has_bindable_elements =
    has_known_strides<R> || ((contiguous_elements<R> || contiguous_arrays<R>) && !has_other_strides<R>);

/// The element type of what has bindable elements.
template <class R>
constexpr element element_type_of() {
  const auto of_pointer = []<class T>(const T*) {
    if constexpr (element_type<T>) return element_of<T>;
    return element::number;
  };
  if constexpr (multidimensional_span<R>) {
    return of_pointer(std::remove_cvref_t<decltype(std::declval<const R&>().data_handle())>());
  } else if constexpr (eigen_matrix<R> || eigen_tensor<R>) {
    return of_pointer(std::remove_cvref_t<decltype(std::declval<const R&>().data())>());
  } else if constexpr (contiguous_arrays<R>) {
    return element_of<typename array_in<R>::element>;
  } else {
    return of_pointer(std::remove_cvref_t<decltype(std::data(std::declval<const R&>()))>());
  }
}

template <class T>
bound_elements elements_at(const T* data) {
  static_assert(
      element_type<T>,
      "tapeless: elements of this type cannot be bound: a tensor has float, double, f16, bf16, bool, "
      "signed integers, or unsigned ones of 8 or 32 bits");
  bound_elements e;
  e.given = true;
  e.data = reinterpret_cast<const std::byte*>(data);
  if constexpr (element_type<T>) e.type = element_of<T>;
  return e;
}

/// Sets what follows from shape and strides.
inline void set_strides(bound_elements& e) {
  e.count = 1;
  for (int d = e.rank - 1; d >= 0; --d) {
    const auto axis = static_cast<std::size_t>(d);
    if (e.shape[axis] != 1 && e.strides[axis] != e.count) e.strided_axes = e.rank;
    e.count *= e.shape[axis];
  }
  if (e.count == 0) e.strided_axes = 0;
}

template <eigen_matrix R>
bound_elements elements_of(const R& m) {
  bound_elements e = elements_at(m.data());
  e.shape = {m.rows(), m.cols()};
  e.strides = {m.rowStride(), m.colStride()};
  e.rank = 2;
  set_strides(e);
  if constexpr (R::RowsAtCompileTime == 1 || R::ColsAtCompileTime == 1) {  // a vector, as others are
    if (e.strided_axes > 0) e.strided_axes = 1;
    e.strides[0] = m.innerStride();
    e.rank = -1;
  }
  return e;
}

template <eigen_tensor R>
bound_elements elements_of(const R& t) {
  static_assert(R::NumIndices <= max_rank, "tapeless: a tensor has 8 axes at most");
  bound_elements e = elements_at(t.data());
  e.rank = static_cast<int>(R::NumIndices);
  constexpr bool by_row = static_cast<int>(R::Layout) == 1;  // Eigen::RowMajor
  std::int64_t stride = 1;
  for (int k = 0; k < e.rank; ++k) {
    const auto d = static_cast<std::size_t>(by_row ? e.rank - 1 - k : k);
    e.shape[d] = t.dimensions()[d];
    e.strides[d] = stride;
    stride *= e.shape[d];
  }
  set_strides(e);
  return e;
}

template <multidimensional_span R>
bound_elements elements_of(const R& m) {
  static_assert(R::rank() <= max_rank, "tapeless: a tensor has 8 axes at most");
  bound_elements e = elements_at(m.data_handle());
  e.rank = static_cast<int>(R::rank());
  for (std::size_t d = 0; d < R::rank(); ++d) {
    e.shape[d] = static_cast<std::int64_t>(m.extent(d));
    e.strides[d] = static_cast<std::int64_t>(m.stride(d));
  }
  set_strides(e);
  return e;
}

template <contiguous_arrays R>
bound_elements elements_of(const R& range) {
  using array = array_in<R>;
  static_assert(array::rank < max_rank, "tapeless: a tensor has 8 axes at most");
  bound_elements e = elements_at(reinterpret_cast<const typename array::element*>(std::data(range)));
  e.rank = static_cast<int>(array::rank) + 1;
  e.shape[0] = static_cast<std::int64_t>(std::size(range));
  array::write_shape(e.shape.data() + 1);
  e.count = 1;
  for (int d = 0; d < e.rank; ++d) e.count *= e.shape[static_cast<std::size_t>(d)];
  return e;
}

template <class R>
bound_elements elements_of(const R& range) {
  bound_elements e = elements_at(std::data(range));
  e.count = static_cast<std::int64_t>(std::size(range));
  if constexpr (requires { range.shape(); }) {
    if (range.shape().size() > max_rank)
      throw_error({"a tensor has up to ", max_rank, " axes, but ", range.shape().size(), " are bound"});
    e.rank = static_cast<int>(range.shape().size());
    for (std::size_t d = 0; d < range.shape().size(); ++d) e.shape[d] = range.shape()[d];
  }
  return e;
}

}  // namespace detail

}  // namespace tapeless
