// SPDX-License-Identifier: BSL-1.0
// GGUF, the format of llama.cpp and its like: named tensors, and values under keys. Quantized tensors are
// read as float, and not written.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
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
#include <tapeless/io/gguf_blocks.hpp>
#include <tapeless/io/gguf_format.hpp>
#include <tapeless/io/gguf_reader.hpp>
#include <tapeless/io/safetensors_header.hpp>
#include <tapeless/io/similar_names.hpp>
#include <tapeless/io/tensor_entry.hpp>
#include <tapeless/io/tensor_file.hpp>
#include <tapeless/io/utf8.hpp>

namespace tapeless::io {

namespace detail {

// Each tensor's bytes begin at a multiple of the alignment.
TAPELESS_COLD inline std::size_t gguf_memory_for(const std::vector<gguf_place>& places,
                                                 const std::string& path) {
  constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<std::ptrdiff_t>::max());
  std::uint64_t size = 0;
  for (const gguf_place& place : places) {
    const std::uint64_t bytes = gguf_aligned(place.bytes_in_memory());
    if (bytes > most - size)
      bad_tensor(path, place.name, {"its elements are more than this program can address"});
    size += bytes;
  }
  return static_cast<std::size_t>(size);
}

}  // namespace detail

/// All tensors of a GGUF file, in memory, and the values under its keys. Shapes are row-major, as everywhere
/// here: GGUF itself names the last axis first. It can be moved, and its entries stay valid then.
class gguf : public tensor_file {
 public:
  /// Reads the whole file (version 2 or 3, little-endian); throws tl::error with the path, the key or the
  /// tensor and what is wrong, or where memory is short. Quantized tensors become float while they are read:
  /// those of Q4_0, Q4_1, Q5_0, Q5_1, Q8_0, Q2_K, Q3_K, Q4_K, Q5_K, Q6_K, Q8_K, IQ4_NL and IQ4_XS. Of types
  /// other than these, F32, F16, BF16, F64, I8, I16, I32 and I64 there are the name, the shape, and the bytes
  /// up to the next tensor, see tensor_entry. Refused are lists of lists, gaps between tensors, and rows that
  /// are not whole blocks.
  TAPELESS_COLD static gguf read(const std::string& path) {
    return with_memory_for(path, [&] {
      file_stream from(path);
      gguf result(path);
      gguf_header header = read_gguf_header(from);
      result.metadata_ = std::move(header.metadata);
      result.read_tensors(from, header.tensors);
      return result;
    });
  }

  /// The values by their keys: std::get<std::string>(file.metadata().at("general.name")).
  const gguf_metadata& metadata() const& { return metadata_; }
  gguf_metadata metadata() && { return std::move(metadata_); }

 private:
  explicit gguf(const std::string& path) : tensor_file(path) {}

  // The stream stands at the first byte of the data.
  TAPELESS_COLD void read_tensors(byte_stream& from, std::vector<gguf_place>& places) {
    memory_ = aligned_bytes(detail::gguf_memory_for(places, path()));
    array_view<std::byte> left = memory_.view();
    const std::uint64_t data = from.left();
    std::vector<tensor_entry> entries;
    for (gguf_place& place : places) {
      const auto size = static_cast<std::size_t>(place.bytes_in_memory());
      const array_view<std::byte> bytes = left.first(size);
      left = left.subspan(detail::gguf_aligned(size));
      from.skip(static_cast<std::uint64_t>(place.begin) - (data - from.left()));
      from.read_exactly(bytes.subspan(size - static_cast<std::size_t>(place.end - place.begin)));
      if (place.blocks != nullptr) detail::widen_in_place(*place.blocks, bytes);
      entries.push_back(
          {std::move(place.name), place.type, std::move(place.shape), bytes, std::move(place.foreign)});
    }
    set_entries(std::move(entries));
  }

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
    add(gguf_version);
    add(std::uint64_t{tensors.size()});
    add(std::uint64_t{metadata.size()});
    for (const auto& [key, value] : metadata) {
      if (key.empty() || key.size() > 65'535 || !is_utf8(key))
        throw_error({path_, ": expected a key of 1 to 65535 bytes of UTF-8, found \"", shown(key), "\""});
      add(key);
      std::visit([&](const auto& v) { put(v, gguf_type_of(value.index())); }, value);
    }
    std::uint64_t offset = 0;
    for (const tensor_entry& tensor : tensors) {
      add(tensor.name);
      add(static_cast<std::uint32_t>(tensor.shape.size()));
      for (std::size_t i = tensor.shape.size(); i > 0; --i)
        add(static_cast<std::uint64_t>(tensor.shape[i - 1]));
      add(*gguf_tensor_type(tensor.type));
      add(offset);
      offset = gguf_aligned(offset + tensor.bytes.size());
    }
    bytes_.resize(gguf_aligned(bytes_.size()), '\0');
    return std::move(bytes_);
  }

 private:
  std::string_view path_;
  std::string bytes_;

  void check(array_view<const tensor_entry> tensors) const {
    for (const tensor_entry& t : tensors) {
      if (t.name.empty() || t.name.size() > gguf_most_name || !is_utf8(t.name))
        bad_tensor(
            path_, t.name,
            {"expected a name of 1 to ", gguf_most_name, " bytes of UTF-8, found ", t.name.size(), " bytes"});
      if (!t.foreign.empty())
        bad_tensor(path_, t.name, {"elements of type ", t.foreign, " cannot be written"});
      if (!gguf_tensor_type(t.type))
        bad_tensor(path_, t.name, {"GGUF has no type for elements of type ", t.type_name()});
      if (t.shape.size() > gguf_most_axes)
        bad_tensor(path_, t.name, {"expected at most ", gguf_most_axes, " axes, found ", t.shape.size()});
      if (checked_product(t.shape, static_cast<std::int64_t>(size_of(t.type))) !=
          static_cast<std::int64_t>(t.bytes.size()))
        bad_tensor(path_, t.name,
                   {"expected the bytes of ", name_of(t.type), " of shape ", shape_text(t.shape), ", found ",
                    t.bytes.size(), " bytes"});
    }
    if (const auto twice = repeated_name(tensors)) bad_tensor(path_, *twice, {"the name is given twice"});
  }

  void add(const std::string& text) {
    add(std::uint64_t{text.size()});
    bytes_ += text;
  }
  template <class T>
  void add(T number) {
    append_little(bytes_, number);
  }
  template <class T>
  void put(const T& value, std::uint32_t type) {
    add(type);
    add(value);
  }
  template <class T>
  void put(const std::vector<T>& values, std::uint32_t type) {
    add(gguf_array);
    add(type);
    add(std::uint64_t{values.size()});
    for (const auto& value : values) add(static_cast<const T&>(value));
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
    pieces.push({zeros, detail::gguf_aligned(size) - size});
  }
  write_file_atomically(path, pieces);
}

}  // namespace tapeless::io
