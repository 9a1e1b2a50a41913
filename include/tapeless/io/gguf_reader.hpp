// SPDX-License-Identifier: BSL-1.0
// The header of a GGUF file: keys with their values, and where the tensors lie.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <tapeless/error.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/list.hpp>
#include <tapeless/graph/core/maybe.hpp>
#include <tapeless/io/byte_stream.hpp>
#include <tapeless/io/extents.hpp>
#include <tapeless/io/gguf_blocks.hpp>
#include <tapeless/io/gguf_format.hpp>
#include <tapeless/io/safetensors_header.hpp>
#include <tapeless/io/similar_names.hpp>
#include <tapeless/io/utf8.hpp>

namespace tapeless::io {

/// Where the bytes of a tensor lie, which may be those of blocks.
struct gguf_place : tensor_place {
  const detail::gguf_block_format* blocks = nullptr;  ///< null where elements lie as in memory

  /// The bytes that its elements take in memory.
  std::uint64_t bytes_in_memory() const {
    const auto bytes = static_cast<std::uint64_t>(end - begin);
    return blocks == nullptr ? bytes : bytes / blocks->bytes * blocks->elements * sizeof(float);
  }
};

/// What the header of a GGUF file says.
struct gguf_header {
  std::vector<gguf_place> tensors;  ///< in the order of their data
  gguf_metadata metadata;
};

namespace detail {

class gguf_header_reader {
 public:
  explicit gguf_header_reader(byte_stream& from) : from_(from), size_(from.left()) {}

  /// Afterwards the stream stands at the first byte of the data.
  TAPELESS_COLD gguf_header read() {
    read_magic();
    const auto tensors = read_little<std::uint64_t>(from_), values = read_little<std::uint64_t>(from_);
    require_room(tensors, 24, "tensors");
    require_room(values, 13, "keys");
    gguf_header header;
    for (std::uint64_t i = 0; i < values; ++i) read_pair(header.metadata);
    alignment_ = alignment_in(header.metadata);
    for (std::uint64_t i = 0; i < tensors; ++i) header.tensors.push_back(read_place());
    if (const auto twice = repeated_name(header.tensors))
      fail({"the name \"", shown(*twice), "\" occurs twice"});
    const std::uint64_t padding = (alignment_ - (size_ - from_.left()) % alignment_) % alignment_;
    from_.skip(std::min(padding, from_.left()));
    place(header.tensors);
    return header;
  }

 private:
  byte_stream& from_;
  std::uint64_t size_, alignment_ = gguf_alignment;

  [[noreturn]] TAPELESS_COLD void fail(std::initializer_list<text_piece> problem) const {
    throw_error({from_.name(), ": ", join(problem)});
  }

  void read_magic() {
    if (size_ < 24) fail({"expected a GGUF file, found only ", size_, " bytes"});
    const std::string magic = read_text(from_, 4);
    if (magic != "GGUF")
      fail({"expected a GGUF file, which begins with \"GGUF\", found \"", shown(magic), "\""});
    const auto version = read_little<std::uint32_t>(from_);
    if (version == 2 || version == 3) return;
    if (version == 2u << 24 || version == 3u << 24)
      fail({"its numbers are big-endian; expected little-endian ones"});
    fail({"expected version 2 or 3 of GGUF, found ", version});
  }

  // Before anything is done so often.
  void require_room(std::uint64_t count, std::uint64_t least, const char* what) const {
    if (count > from_.left() / least)
      fail({"expected at most ", from_.left() / least, " ", what, " in the ", from_.left(),
            " bytes that follow, found ", count});
  }

  std::string text() {
    const auto length = read_little<std::uint64_t>(from_);
    require_room(length, 1, "characters");
    return read_text(from_, length);
  }
  std::string name_of(const char* what) {
    std::string name = text();
    if (name.empty() || !is_utf8(name))
      fail({"the name of a ", what, " must be UTF-8, found \"", shown(name), "\""});
    return name;
  }

  void read_pair(gguf_metadata& metadata) {
    const std::string key = name_of("key");
    const auto type = read_little<std::uint32_t>(from_);
    gguf_value value;
    if (type == gguf_array) {
      const auto of = read_little<std::uint32_t>(from_);
      if (of == gguf_array)
        fail({"key \"", shown(key), "\": expected a list of numbers or texts, found lists in it"});
      value = read_value(key, of, true);
    } else {
      value = read_value(key, type, false);
    }
    if (!metadata.emplace(key, std::move(value)).second) fail({"the key \"", shown(key), "\" occurs twice"});
  }

  gguf_value read_value(const std::string& key, std::uint32_t type, bool is_list) {
    switch (type) {
      case 0:
        return read_as<std::uint8_t>(key, is_list);
      case 1:
        return read_as<std::int8_t>(key, is_list);
      case 2:
        return read_as<std::uint16_t>(key, is_list);
      case 3:
        return read_as<std::int16_t>(key, is_list);
      case 4:
        return read_as<std::uint32_t>(key, is_list);
      case 5:
        return read_as<std::int32_t>(key, is_list);
      case 6:
        return read_as<float>(key, is_list);
      case 7:
        return read_as<bool>(key, is_list);
      case gguf_string:
        return read_as<std::string>(key, is_list);
      case 10:
        return read_as<std::uint64_t>(key, is_list);
      case 11:
        return read_as<std::int64_t>(key, is_list);
      case 12:
        return read_as<double>(key, is_list);
      default:
        fail({"key \"", shown(key), "\": unknown type ", type, ", expected 0 to 12"});
    }
  }

  template <class T>
  gguf_value read_as(const std::string& key, bool is_list) {
    if (!is_list) return gguf_value(std::in_place_type<T>, read_one<T>(key));
    const auto count = read_little<std::uint64_t>(from_);
    require_room(count, std::is_same_v<T, std::string> ? sizeof(std::uint64_t) : sizeof(T), "items");
    std::vector<T> items;
    items.reserve(static_cast<std::size_t>(count));
    for (std::uint64_t i = 0; i < count; ++i) items.push_back(read_one<T>(key));
    return items;
  }

  template <class T>
  T read_one(const std::string& key) {
    if constexpr (std::is_same_v<T, std::string>) {
      return text();
    } else if constexpr (std::is_same_v<T, bool>) {
      const auto byte = read_little<std::uint8_t>(from_);
      if (byte > 1) fail({"key \"", shown(key), "\": a bool must be 0 or 1, found ", byte});
      return byte == 1;
    } else if constexpr (std::is_same_v<T, float>) {
      return std::bit_cast<float>(read_little<std::uint32_t>(from_));
    } else if constexpr (std::is_same_v<T, double>) {
      return std::bit_cast<double>(read_little<std::uint64_t>(from_));
    } else {
      return static_cast<T>(read_little<std::make_unsigned_t<T>>(from_));
    }
  }

  std::uint64_t alignment_in(const gguf_metadata& metadata) const {
    const auto found = metadata.find(std::string(gguf_alignment_key));
    if (found == metadata.end()) return gguf_alignment;
    const auto* const alignment = std::get_if<std::uint32_t>(&found->second);
    if (alignment == nullptr || *alignment < 8 || !std::has_single_bit(*alignment))
      fail({"\"", gguf_alignment_key, "\" must be a power of two from 8 on, as uint32",
            alignment != nullptr ? join({", found ", *alignment}) : ""});
    return *alignment;
  }

  // Its extents come in the other order: the one of the last axis first.
  gguf_place read_place() {
    gguf_place place;
    place.name = name_of("tensor");
    const auto axes = read_little<std::uint32_t>(from_);
    if (axes > gguf_most_axes)
      bad_tensor(from_.name(), place.name, {"expected at most ", gguf_most_axes, " axes, found ", axes});
    for (std::uint32_t i = 0; i < axes; ++i) {
      const auto extent = read_little<std::uint64_t>(from_);
      if (extent > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
        bad_tensor(from_.name(), place.name, {"axis ", axes - 1 - i, " has ", extent, " elements"});
      place.shape.insert(place.shape.begin(), static_cast<std::int64_t>(extent));
    }
    const auto number = read_little<std::uint32_t>(from_);
    set_type(place, number);
    const auto offset = read_little<std::uint64_t>(from_);
    const maybe<std::int64_t> bytes = bytes_of(place, number);
    if (!bytes || offset > size_ || static_cast<std::uint64_t>(*bytes) > size_ - offset)
      bad_tensor(from_.name(), place.name,
                 {"shape ", shape_text(place.shape), " from byte ", offset,
                  " on does not fit into a file of ", size_, " bytes"});
    place.begin = static_cast<std::int64_t>(offset);
    place.end = place.begin + *bytes;
    return place;
  }

  static void set_type(gguf_place& place, std::uint32_t number) {
    place.blocks = gguf_blocks_of(number);
    const std::optional<element> type = place.blocks != nullptr ? element::f32 : element_of_gguf(number);
    place.type = type.value_or(element::number);
    if (type) return;
    const std::string_view name = gguf_tensor_type_name(number);
    place.foreign = name.empty() ? join({"number ", number, " of GGUF"}) : std::string(name);
  }

  // Nothing if they are too many; 0 of a type that tensors lack.
  maybe<std::int64_t> bytes_of(const gguf_place& place, std::uint32_t number) const {
    if (!place.foreign.empty()) return 0;
    if (place.blocks == nullptr)
      return checked_product(place.shape, static_cast<std::int64_t>(size_of(place.type)));
    const std::int64_t row = place.shape.empty() ? 1 : place.shape.back(), elements = place.blocks->elements;
    if (row % elements != 0)
      bad_tensor(from_.name(), place.name,
                 {gguf_tensor_type_name(number), " has blocks of ", elements,
                  " elements, of which its rows are no whole number: shape ", shape_text(place.shape)});
    const maybe<std::int64_t> all = checked_product(place.shape, sizeof(float));
    if (!all) return {};
    return *all / static_cast<std::int64_t>(sizeof(float)) / elements * place.blocks->bytes;
  }

  // Each tensor begins where the one before it ends, at the next multiple of the alignment. The padding
  // behind the last one may be missing. Of a type that tensors lack the size is not known: all up to the next
  // tensor is taken for its bytes.
  void place(std::vector<gguf_place>& tensors) const {
    const std::uint64_t data = from_.left();
    std::uint64_t next = 0;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
      gguf_place& t = tensors[i];
      if (static_cast<std::uint64_t>(t.begin) != next)
        bad_tensor(from_.name(), t.name,
                   {"begins at byte ", t.begin, " of the data, expected ", next,
                    ", where the tensor before it ends"});
      if (static_cast<std::uint64_t>(t.end) > data)
        bad_tensor(from_.name(), t.name,
                   {"ends at byte ", t.end, " of the data, but the file holds only ", data});
      if (!t.foreign.empty()) t.end = end_of_foreign(tensors, i);
      next = (static_cast<std::uint64_t>(t.end) + alignment_ - 1) / alignment_ * alignment_;
    }
    if (data > next) fail({"expected at most ", next, " bytes of data, found ", data});
  }

  std::int64_t end_of_foreign(const std::vector<gguf_place>& tensors, std::size_t i) const {
    const auto data = static_cast<std::int64_t>(from_.left());
    return i + 1 == tensors.size() ? data : std::clamp(tensors[i + 1].begin, tensors[i].begin, data);
  }
};

}  // namespace detail

/// Reads the header, behind which the bytes of all tensors follow; throws tl::error with the stream's name,
/// the key or the tensor, what was expected and what was found.
TAPELESS_COLD inline gguf_header read_gguf_header(byte_stream& from) {
  return detail::gguf_header_reader(from).read();
}

}  // namespace tapeless::io
