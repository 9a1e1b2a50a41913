// SPDX-License-Identifier: BSL-1.0
// GGUF, the format of llama.cpp and its like: named tensors, and values under keys. Tensors are not
// quantized.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <tapeless/error.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/list.hpp>
#include <tapeless/io/aligned_bytes.hpp>
#include <tapeless/io/byte_stream.hpp>
#include <tapeless/io/extents.hpp>
#include <tapeless/io/file.hpp>
#include <tapeless/io/gguf_format.hpp>
#include <tapeless/io/gguf_reader.hpp>
#include <tapeless/io/safetensors_header.hpp>
#include <tapeless/io/tensor_entry.hpp>
#include <tapeless/io/tensor_file.hpp>
#include <tapeless/io/utf8.hpp>

namespace tapeless::io {

/// All tensors of a GGUF file, in memory, and the values under its keys. Shapes are row-major, as everywhere
/// here: GGUF itself names the last axis first. It can be moved, and its entries stay valid then.
class gguf : public tensor_file {
 public:
  /// Reads the whole file (version 2 or 3, little-endian); throws tl::error with the path, the key or the
  /// tensor and what is wrong, or where memory is short. Refused are tensors of types other than F32, F16,
  /// BF16, F64, I8, I16, I32 and I64, lists of lists, and gaps between tensors.
  TAPELESS_COLD static gguf read(const std::string& path) {
    return with_memory_for(path, [&] {
      file_stream from(path);
      gguf result(path);
      gguf_header header = read_gguf_header(from);
      result.metadata_ = std::move(header.metadata);
      result.memory_ = aligned_bytes(static_cast<std::size_t>(header.data));
      from.read_exactly(result.memory_.view());
      std::vector<tensor_entry> entries;
      for (tensor_place& place : header.tensors) {
        const auto bytes = result.memory_.view().subspan(static_cast<std::size_t>(place.begin),
                                                         static_cast<std::size_t>(place.end - place.begin));
        entries.push_back({std::move(place.name), place.type, std::move(place.shape), bytes});
      }
      result.set_entries(std::move(entries));
      return result;
    });
  }

  /// The values by their keys: std::get<std::string>(file.metadata().at("general.name")).
  const gguf_metadata& metadata() const { return metadata_; }

 private:
  explicit gguf(const std::string& path) : tensor_file(path) {}

  gguf_metadata metadata_;
  aligned_bytes memory_;
};

namespace detail {

/// The header of a GGUF file as bytes.
class gguf_header_writer {
 public:
  explicit gguf_header_writer(std::string_view path) : path_(path) {}

  TAPELESS_COLD std::string write(array_view<const tensor_entry> tensors, const gguf_metadata& metadata) {
    check(tensors);
    bytes_ = "GGUF";
    little(gguf_version);
    little(std::uint64_t{tensors.size()});
    little(std::uint64_t{metadata.size()});
    for (const auto& [key, value] : metadata) {
      if (key.empty() || key.size() > 65'535 || !is_utf8(key))
        throw_error({path_, ": expected a key of 1 to 65535 bytes of UTF-8, found \"", shown(key), "\""});
      text(key);
      std::visit([&](const auto& v) { put(v, gguf_type_of(value.index())); }, value);
    }
    std::uint64_t offset = 0;
    for (const tensor_entry& tensor : tensors) {
      text(tensor.name);
      little(static_cast<std::uint32_t>(tensor.shape.size()));
      for (std::size_t i = tensor.shape.size(); i > 0; --i)
        little(static_cast<std::uint64_t>(tensor.shape[i - 1]));
      little(*gguf_tensor_type(tensor.type));
      little(offset);
      offset = aligned(offset + tensor.bytes.size());
    }
    bytes_.resize(aligned(bytes_.size()), '\0');
    return std::move(bytes_);
  }

  template <class T>
  static T aligned(T size) {
    return (size + gguf_alignment - 1) / gguf_alignment * gguf_alignment;
  }

 private:
  std::string_view path_;
  std::string bytes_;

  void check(array_view<const tensor_entry> tensors) const {
    list<std::string_view> names;
    for (const tensor_entry& t : tensors) {
      if (t.name.empty() || t.name.size() > gguf_most_name || !is_utf8(t.name))
        bad_tensor(
            path_, t.name,
            {"expected a name of 1 to ", gguf_most_name, " bytes of UTF-8, found ", t.name.size(), " bytes"});
      if (!gguf_tensor_type(t.type))
        bad_tensor(path_, t.name, {"GGUF has no type for elements of type ", name_of(t.type)});
      if (t.shape.size() > gguf_most_axes)
        bad_tensor(path_, t.name, {"expected at most ", gguf_most_axes, " axes, found ", t.shape.size()});
      if (checked_product(t.shape, static_cast<std::int64_t>(size_of(t.type))) !=
          static_cast<std::int64_t>(t.bytes.size()))
        bad_tensor(path_, t.name,
                   {"expected the bytes of ", name_of(t.type), " of shape ", shape_text(t.shape), ", found ",
                    t.bytes.size(), " bytes"});
      names.push(t.name);
    }
    if (const std::string_view* twice = repeated_name(names))
      bad_tensor(path_, *twice, {"the name is given twice"});
  }

  template <class T>
  void little(T number) {
    using bits_type = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
    std::uint64_t bits;
    if constexpr (std::is_floating_point_v<T>) {
      bits = std::bit_cast<bits_type>(number);
    } else {
      bits = static_cast<std::uint64_t>(number);
    }
    for (std::size_t i = 0; i < sizeof(T); ++i) bytes_ += static_cast<char>(bits >> 8 * i & 0xff);
  }
  void text(const std::string& t) {
    little(std::uint64_t{t.size()});
    bytes_ += t;
  }

  void one(const std::string& t) { text(t); }
  template <class T>
  void one(T number) {
    little(number);
  }
  template <class T>
  void put(const T& value, std::uint32_t type) {
    little(type);
    one(value);
  }
  template <class T>
  void put(const std::vector<T>& values, std::uint32_t type) {
    little(gguf_array);
    little(type);
    little(std::uint64_t{values.size()});
    for (const auto& value : values) one(static_cast<const T&>(value));
  }
};

}  // namespace detail

/// Writes tensors and values as version 3. The key "general.architecture", which every file must have, is
/// "tapeless" where `metadata` does not say otherwise; the alignment is 32 bytes. `path` is replaced as a
/// whole or not at all. Throws tl::error with the path and
///   the tensor whose name is given twice, empty or longer than 63 bytes, whose type GGUF lacks
///   (std::uint8_t, std::uint32_t, bool), which has more than 4 axes, or whose bytes do not fit its shape,
///   the key that is empty, too long, no UTF-8, or the alignment's,
///   or the system's reason.
TAPELESS_COLD inline void write_gguf(const std::string& path, array_view<const tensor_entry> tensors,
                                     gguf_metadata metadata = {}) {
  metadata.try_emplace(std::string(detail::gguf_architecture_key), "tapeless");
  if (const auto found = metadata.find(std::string(detail::gguf_alignment_key));
      found != metadata.end() && found->second != gguf_value(detail::gguf_alignment))
    throw_error({path, ": \"", detail::gguf_alignment_key, "\" is ", detail::gguf_alignment,
                 ", as std::uint32_t, in what is written here"});
  const std::string header = detail::gguf_header_writer(path).write(tensors, metadata);
  constexpr std::byte zeros[detail::gguf_alignment] = {};
  list<array_view<const std::byte>> pieces;
  pieces.push({reinterpret_cast<const std::byte*>(header.data()), header.size()});
  for (const tensor_entry& tensor : tensors) {
    const std::size_t size = tensor.bytes.size();
    pieces.push({tensor.bytes.data(), size});
    pieces.push({zeros, detail::gguf_header_writer::aligned(size) - size});
  }
  write_file_atomically(path, pieces);
}

}  // namespace tapeless::io
