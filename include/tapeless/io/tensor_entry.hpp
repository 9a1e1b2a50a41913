// SPDX-License-Identifier: BSL-1.0
// A named tensor in memory that someone else owns, as files know it.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <tapeless/error.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/element.hpp>

namespace tapeless::io {

static_assert(std::endian::native == std::endian::little,
              "tensors are read and written as they lie in memory");

/// A name, a type, a shape ([] for a scalar) and the elements in row-major order, little-endian.
struct tensor_entry {
  std::string name;
  element type{};
  std::vector<std::int64_t> shape;
  array_view<const std::byte> bytes;

  /// The elements; throws tl::error with the tensor's name if they are not of type T.
  template <element_type T>
  std::span<const T> as() const {
    if (type != element_of<T>) {
      throw_error({"tensor \"", name, "\" holds ", name_of(type), ", not ", name_of(element_of<T>)});
    }
    return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
  }
};

}  // namespace tapeless::io
