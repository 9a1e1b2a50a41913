// SPDX-License-Identifier: BSL-1.0
// A named tensor in memory that someone else owns, as files know it.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tapeless/error.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/element.hpp>

namespace tapeless::io {

static_assert(std::endian::native == std::endian::little,
              "tensors are read and written as they lie in memory");

/// A name, a type, a shape ([] for a scalar) and the elements in row-major order, little-endian. Of a type
/// that tensors lack, `type` is element::number, which nothing else is, `foreign` what the file calls it, and
/// `bytes` may be empty.
struct tensor_entry {
  std::string name;
  element type{};
  std::vector<std::int64_t> shape;
  array_view<const std::byte> bytes;
  std::string foreign = {};  ///< the file's name of a type that tensors lack, "F8_E4M3"; otherwise empty

  /// What the type is called, whatever it is.
  std::string_view type_name() const { return foreign.empty() ? name_of(type) : std::string_view(foreign); }

  /// The elements; throws tl::error with the tensor's name if they are not of type T.
  template <element_type T>
  std::span<const T> as() const {
    if (type != element_of<T>) {
      throw_error({"tensor \"", name, "\" holds ", type_name(), ", not ", name_of(element_of<T>)});
    }
    return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
  }
};

}  // namespace tapeless::io
