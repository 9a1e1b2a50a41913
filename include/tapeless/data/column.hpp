// SPDX-License-Identifier: BSL-1.0
// One tensor per sample, all of one shape, somewhere in storage that is shared and never changes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <tapeless/error.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/element.hpp>

namespace tapeless::data {

/// A named sequence of samples: sample i is the `sample_size` elements from `i * stride` on.
struct column {
  std::string name;
  element type{};
  std::vector<std::int64_t> sample_shape;  ///< [] for a scalar
  std::int64_t sample_size = 1;            ///< elements: the product of sample_shape
  std::int64_t stride = 1;                 ///< elements from one sample to the next; windows may overlap
  std::int64_t count = 0;                  ///< samples
  std::shared_ptr<const std::byte> storage = {};  ///< where sample 0 begins

  /// Bytes of one sample.
  std::size_t sample_bytes() const { return static_cast<std::size_t>(sample_size) * size_of(type); }

  /// The elements of one sample; throws tl::error with the column's name if there is no such sample, or its
  /// elements are not of type T.
  template <element_type T>
  std::span<const T> sample(std::int64_t index) const {
    if (type != element_of<T>) {
      throw_error({"column \"", name, "\" holds ", name_of(type), ", not ", name_of(element_of<T>)});
    }
    return {reinterpret_cast<const T*>(begin_of(index)), static_cast<std::size_t>(sample_size)};
  }

  /// The first byte of one sample; throws tl::error with the column's name if there is no such sample.
  const std::byte* begin_of(std::int64_t index) const {
    if (index < 0 || index >= count) {
      throw_error({"column \"", name, "\": no sample ", index, ", it has ", count});
    }
    return storage.get() + static_cast<std::size_t>(index * stride) * size_of(type);
  }
};

/// Copies the samples with these numbers, one after the other, to `out`, which has room for
/// `indices.size() * column.sample_bytes()` bytes; throws tl::error if a sample does not exist.
inline void copy_samples(const column& from, array_view<const std::int64_t> indices, std::byte* out) {
  const std::size_t bytes = from.sample_bytes();
  for (const std::int64_t index : indices) {
    std::memcpy(out, from.begin_of(index), bytes);
    out += bytes;
  }
}

}  // namespace tapeless::data
