// SPDX-License-Identifier: BSL-1.0
// NPY, NumPy's format for one array: numpy.save and numpy.load.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <tapeless/error.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/element.hpp>
#include <tapeless/io/aligned_bytes.hpp>
#include <tapeless/io/byte_stream.hpp>
#include <tapeless/io/extents.hpp>
#include <tapeless/io/file.hpp>
#include <tapeless/io/npy_header.hpp>
#include <tapeless/io/tensor_entry.hpp>

namespace tapeless::io {

/// An array in memory of its own; its elements stay where they are when it is moved.
struct npy_array : tensor_entry {
  aligned_bytes memory;

  /// The elements, valid as long as the array is; throws tl::error if they are not of type T.
  template <element_type T>
  std::span<const T> as() const& {
    return tensor_entry::as<T>();
  }
  // Of an array that is in no variable.
  template <element_type T>
  std::span<const T> as() const&& {
    static_assert(!std::is_same_v<T, T>,
                  "tapeless: this array is gone at the end of the statement, and its elements with it: keep "
                  "it in a variable first, as in const auto x = tl::io::read_npy(path); x.as<float>()");
    return {};
  }
};

namespace detail {

/// The elements of an NPY file, brought into the order and the types of this machine.
class npy_elements {
 public:
  npy_elements(byte_stream& from, const npy_header& header) : from_(from), header_(header) {
    if (header.count == 0) return;  // its extents may have no product
    std::int64_t step = 1;
    for (std::size_t i = header.shape.size(); i > 0; step *= header.shape[--i])
      axes_.push_back({header.shape[i - 1], step, 0});
  }

  /// Writes all of them to `out`, in row-major order.
  TAPELESS_COLD void read(std::byte* out) {
    const auto total = static_cast<std::size_t>(header_.count) * static_cast<std::size_t>(header_.type.size);
    const bool in_order = !header_.fortran_order || header_.shape.size() < 2;
    if (header_.type.is_native() && in_order) {
      from_.read_exactly({out, total});
      for (std::size_t i = 0; header_.type.type == element::boolean && i < total; ++i)
        require_truth_value(out[i]);
      return;
    }
    const auto size = static_cast<std::size_t>(header_.type.size), to_size = size_of(header_.type.type);
    std::vector<std::byte> block(std::min(total, std::size_t{1} << 16));  // whole elements
    for (std::size_t done = 0; done < total; done += block.size()) {
      block.resize(std::min(block.size(), total - done));
      from_.read_exactly(block);
      for (std::size_t at = 0; at < block.size(); at += size, ++number_) {
        store(block.data() + at, out + static_cast<std::size_t>(in_order ? number_ : place_) * to_size);
        if (!in_order) advance();
      }
    }
  }

 private:
  struct axis {
    std::int64_t extent, step, index;
  };

  byte_stream& from_;
  const npy_header& header_;
  std::vector<axis> axes_;  // the last one first
  std::int64_t number_ = 0, place_ = 0;

  // In Fortran's order the first axis is the one that changes fastest.
  void advance() {
    for (std::size_t i = axes_.size(); i > 0; --i) {
      axis& a = axes_[i - 1];
      place_ += a.step;
      if (++a.index < a.extent) return;
      place_ -= a.step * a.extent;
      a.index = 0;
    }
  }

  void store(const std::byte* from, std::byte* to) const {
    const npy_type& type = header_.type;
    std::uint64_t bits = 0;
    for (int i = 0; i < type.size; ++i) {
      const int shift = 8 * (type.big_endian ? type.size - 1 - i : i);
      bits |= std::to_integer<std::uint64_t>(from[i]) << shift;
    }
    const int unused = 64 - 8 * type.size;
    if (type.kind == 'i')
      bits = static_cast<std::uint64_t>(static_cast<std::int64_t>(bits << unused) >> unused);
    if (type.kind == 'u' && bits > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
      throw_error(
          {from_.name(), ": element ", number_, " is ", bits, ", which does not fit into std::int64_t"});
    if (type.kind == 'b') require_truth_value(from[0]);
    std::memcpy(to, &bits, size_of(type.type));
  }

  void require_truth_value(std::byte byte) const {
    if (byte > std::byte{1})
      throw_error({from_.name(), ": a bool must be 0 or 1, found ", std::to_integer<int>(byte)});
  }
};

/// The array whose header was read.
TAPELESS_COLD inline npy_array read_npy_elements(byte_stream& from, const npy_header& header) {
  npy_array array;
  const auto size = static_cast<std::size_t>(header.count) * size_of(header.type.type);
  array.type = header.type.type;
  array.shape = header.shape;
  array.memory = aligned_bytes(size);
  array.bytes = {array.memory.view().data(), size};
  npy_elements(from, header).read(array.memory.view().data());
  return array;
}

}  // namespace detail

/// The array that follows in the stream, by the stream's name; throws tl::error as read_npy does.
TAPELESS_COLD inline npy_array read_npy(byte_stream& from) {
  npy_array array = detail::read_npy_elements(from, read_npy_header(from));
  array.name = from.name();
  return array;
}

/// The array in the file at `path`, by that name, in row-major order whatever the file's. Elements have the
/// type that they have there, but for uint16, which become std::int32_t, and uint64, which become
/// std::int64_t. Throws tl::error with the path, what was expected and what was found, if the file is missing
/// or is no NPY file of version 1 to 3. Throws as well if elements have a type that tensors lack (complex
/// numbers, texts), there are too few or too many bytes, a number does not fit, or memory is short.
TAPELESS_COLD inline npy_array read_npy(const std::string& path) {
  return with_memory_for(path, [&] {
    file_stream file(path);
    return read_npy(file);
  });
}

namespace detail {

/// The header of a tensor's NPY file; throws tl::error if it can have none.
TAPELESS_COLD inline std::string npy_header_of(const tensor_entry& tensor, std::string_view path) {
  if (npy_descr(tensor.type).empty())
    throw_error({path, ": NumPy has no type for elements of type ", tensor.type_name()});
  const auto bytes = checked_product(tensor.shape, static_cast<std::int64_t>(size_of(tensor.type)));
  if (bytes != static_cast<std::int64_t>(tensor.bytes.size()))
    throw_error({path, ": expected the bytes of ", name_of(tensor.type), " of shape ",
                 shape_text(tensor.shape), ", found ", tensor.bytes.size(), " bytes"});
  return npy_header_text(tensor.type, tensor.shape);
}

}  // namespace detail

/// Writes a tensor as version 1.0; its name is not part of the file. `path` is replaced as a whole or not at
/// all. Throws tl::error with the path if NumPy does not know the type (bf16), the shape does not fit the
/// bytes, or with the system's reason.
TAPELESS_COLD inline void write_npy(const std::string& path, const tensor_entry& tensor) {
  const std::string header = detail::npy_header_of(tensor, path);
  const array_view<const std::byte> pieces[] = {
      {reinterpret_cast<const std::byte*>(header.data()), header.size()},
      {tensor.bytes.data(), tensor.bytes.size()}};
  write_file_atomically(path, pieces);
}
/// The elements as an array of this shape, in row-major order.
template <element_type T>
void write_npy(const std::string& path, std::vector<std::int64_t> shape, std::span<const T> elements) {
  write_npy(path, tensor_entry{{}, element_of<T>, std::move(shape), std::as_bytes(elements)});
}
/// A tensor with a shape, such as a result: write_npy("codes.npy", net.predict(...).get<"codes">()).
template <class Tensor>
  requires requires(const Tensor& t) {
    { t.shape()[0] } -> std::convertible_to<std::int64_t>;
    t.data();
  }
void write_npy(const std::string& path, const Tensor& tensor) {
  const auto extents = tensor.shape();
  using element_of_tensor = std::remove_cvref_t<decltype(*tensor.data())>;
  write_npy<element_of_tensor>(path, std::vector<std::int64_t>(extents.begin(), extents.end()),
                               {tensor.data(), tensor.size()});
}

}  // namespace tapeless::io
