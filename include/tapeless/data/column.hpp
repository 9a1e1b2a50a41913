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
    require<T>();
    return {reinterpret_cast<const T*>(begin_of(index)), static_cast<std::size_t>(sample_size)};
  }

  /// Throws tl::error with the column's name where its elements are not of type T.
  template <element_type T>
  void require() const {
    if (type != element_of<T>)
      throw_error({"column \"", name, "\" holds ", name_of(type), ", not ", name_of(element_of<T>)});
  }

  /// The first byte of one sample; throws tl::error with the column's name if there is no such sample.
  const std::byte* begin_of(std::int64_t index) const {
    if (index < 0 || index >= count) {
      throw_error({"column \"", name, "\": no sample ", index, ", it has ", count});
    }
    return storage.get() + static_cast<std::size_t>(index * stride) * size_of(type);
  }
};

/// A column whose elements are of type T, for loops of one's own. It keeps the elements as long as it lives.
template <element_type T>
class column_view {
 public:
  /// Throws tl::error with the column's name where its elements are of another type.
  explicit column_view(const column& of) : column_(of) { of.require<T>(); }

  /// How many samples there are.
  std::int64_t size() const { return column_.count; }
  /// The shape of one; [] for a scalar.
  array_view<const std::int64_t> sample_shape() const { return column_.sample_shape; }
  /// The elements of one sample; throws tl::error with the column's name if there is no such sample.
  std::span<const T> operator[](std::int64_t index) const { return column_.sample<T>(index); }

  /// The elements of `count` samples from number `first` on, one after the other, as a call takes them:
  /// net.step("x"_t = x.samples(i, 32)). Throws tl::error with the column's name where there are fewer, or
  /// where samples overlap or lie apart.
  std::span<const T> samples(std::int64_t first, std::int64_t count) const {
    if (first < 0 || count < 0 || count > size() - first)
      throw_error(
          {"column \"", column_.name, "\": no samples ", first, " to ", first + count, ", it has ", size()});
    if (column_.stride != column_.sample_size)
      throw_error({"column \"", column_.name,
                   "\": its samples do not lie one after the other: take them one by one"});
    if (count == 0) return {};
    return {reinterpret_cast<const T*>(column_.begin_of(first)),
            static_cast<std::size_t>(count * column_.sample_size)};
  }
  /// The elements of all samples; throws as above.
  std::span<const T> elements() const { return samples(0, size()); }

 private:
  column column_;
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
