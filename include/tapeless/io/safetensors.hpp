// SPDX-License-Identifier: BSL-1.0
// Named tensors in a file, in the format that PyTorch's users exchange: safetensors.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tapeless/error.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/compiled_once.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/element.hpp>
#include <tapeless/graph/core/list.hpp>
#include <tapeless/graph/core/maybe.hpp>
#include <tapeless/io/aligned_bytes.hpp>
#include <tapeless/io/extents.hpp>
#include <tapeless/io/file.hpp>
#include <tapeless/io/json_string.hpp>
#include <tapeless/io/safetensors_header.hpp>
#include <tapeless/io/similar_names.hpp>
#include <tapeless/io/tensor_entry.hpp>
#include <tapeless/io/tensor_file.hpp>
#include <tapeless/io/texts_by_name.hpp>

namespace tapeless::io {

namespace detail {

inline constexpr std::uint64_t longest_header = 100'000'000;  // what the format allows

// The JSON text before the data; `file` then stands at the data.
template <class Reader>
TAPELESS_COLD std::string read_header_text(Reader& file) {
  std::uint64_t length = 0;
  if (file.size() < sizeof length) {
    throw_error({file.path(), ": expected a safetensors file, found only ", file.size(), " bytes"});
  }
  file.read_exactly({reinterpret_cast<std::byte*>(&length), sizeof length});
  const std::uint64_t most = std::min(file.size() - sizeof length, longest_header);
  if (length > most) {
    throw_error({file.path(), ": expected a safetensors file, but its header would take ", length,
                 " bytes where at most ", most, " are possible"});
  }
  std::string text(static_cast<std::size_t>(length), '\0');
  file.read_exactly({reinterpret_cast<std::byte*>(text.data()), text.size()});
  return text;
}

// Any other byte read as a bool would be undefined behaviour.
inline void require_truth_values(const tensor_entry& tensor, std::string_view path) {
  const auto is_truth_value = [](std::byte byte) { return byte <= std::byte{1}; };
  if (std::all_of(tensor.bytes.begin(), tensor.bytes.end(), is_truth_value)) return;
  bad_tensor(path, tensor.name, {"a BOOL must be 0 or 1, found another byte"});
}

}  // namespace detail

/// All tensors of a safetensors file, in memory. It can be moved, and its entries stay valid then.
class safetensors : public tensor_file {
 public:
  /// Reads the whole file; throws tl::error with the path, the tensor and what is wrong, or where memory is
  /// short, and checks every length before it takes memory for data. Refused are tensors that do not begin at
  /// a multiple of their element size. Of dtypes other than F64 F32 F16 BF16 I64 I32 I16 I8 U32 U8 BOOL there
  /// are the name, the shape and the bytes, see tensor_entry.
  template <class Reader = file_reader>
  static safetensors read(const std::string& path) {
    return with_memory_for(path, [&] { return read_whole(Reader(path)); });
  }
  /// The same of what a reader reads that stands at its beginning.
  template <class Reader>
  static safetensors read_from(Reader reader) {
    const std::string path = reader.path();
    return with_memory_for(path, [&] { return read_whole(std::move(reader)); });
  }

  /// The texts under "__metadata__", by name.
  const texts_by_name& metadata() const& { return metadata_; }
  texts_by_name metadata() && { return std::move(metadata_); }

 private:
  explicit safetensors(const std::string& path) : tensor_file(path) {}

  template <class Reader>
  TAPELESS_WARM static safetensors read_whole(Reader file);

  TAPELESS_COLD void fill_entries(list<tensor_place> places) {
    std::vector<tensor_entry> entries;
    entries.reserve(static_cast<std::size_t>(places.size()));
    for (tensor_place& place : places) {
      const auto bytes = memory_.view().subspan(static_cast<std::size_t>(place.begin),
                                                static_cast<std::size_t>(place.end - place.begin));
      entries.push_back(
          {std::move(place.name), place.type, std::move(place.shape), bytes, std::move(place.foreign)});
      if (place.type == element::boolean) detail::require_truth_values(entries.back(), path());
    }
    set_entries(std::move(entries));
  }

  texts_by_name metadata_;
  aligned_bytes memory_;
};

// Behind the class, and so not inline: it need not be compiled in each program, see compiled.hpp.
template <class Reader>
safetensors safetensors::read_whole(Reader file) {
  safetensors result(file.path());
  const std::string text = detail::read_header_text(file);
  const std::uint64_t size = file.size() - sizeof(std::uint64_t) - text.size();
  safetensors_header header = parse_safetensors_header(text, static_cast<std::int64_t>(size), file.path());
  result.metadata_ = std::move(header.metadata);
  result.memory_ = aligned_bytes(static_cast<std::size_t>(size));
  file.read_exactly(result.memory_.view());
  result.fill_entries(std::move(header.tensors));
  return result;
}

namespace detail {

TAPELESS_COLD inline void require_writable(const tensor_entry& tensor, std::string_view path) {
  if (dtype_of(tensor.type).empty()) {
    bad_tensor(path, tensor.name, {"elements of type ", tensor.type_name(), " cannot be written"});
  }
  if (tensor.name == "__metadata__") bad_tensor(path, tensor.name, {"the format reserves this name"});
  if (tensor.shape.size() > most_axes)
    bad_tensor(path, tensor.name, {"expected at most ", most_axes, " axes, found ", tensor.shape.size()});
  const auto size = static_cast<std::int64_t>(size_of(tensor.type));
  const maybe<std::int64_t> bytes = checked_product(tensor.shape, size);
  if (bytes != static_cast<std::int64_t>(tensor.bytes.size())) {
    bad_tensor(path, tensor.name,
               {name_of(tensor.type), " of shape ", shape_text(tensor.shape), " takes ",
                bytes ? text_piece(*bytes) : "no possible number of", " bytes, found ", tensor.bytes.size()});
  }
}

TAPELESS_COLD inline std::string metadata_text(const texts_by_name& metadata) {
  std::string text;
  for (const auto& [name, value] : metadata) {
    append(text, {text.empty() ? "" : ",", json_string(name), ":", json_string(value)});
  }
  return join({"\"__metadata__\":{", text, "}"});
}

TAPELESS_COLD inline std::string place_text(const tensor_entry& tensor, std::size_t begin) {
  return join({json_string(tensor.name), ":{\"dtype\":\"", dtype_of(tensor.type),
               "\",\"shape\":", shape_text(tensor.shape), ",\"data_offsets\":[", begin, ",",
               begin + tensor.bytes.size(), "]}"});
}

TAPELESS_COLD inline std::string header_text(array_view<const tensor_entry* const> tensors,
                                             std::string_view metadata) {
  std::string text(metadata);
  std::size_t begin = 0;
  for (const tensor_entry* tensor : tensors) {
    if (!text.empty()) text += ',';
    text += place_text(*tensor, begin);
    begin += tensor->bytes.size();
  }
  text = join({"{", text, "}"});
  text.resize((text.size() + 7) / 8 * 8, ' ');  // so that the data is aligned for any element type
  return text;
}

// Larger elements first: each tensor then begins at a multiple of its element size, without gaps.
TAPELESS_COLD inline list<const tensor_entry*> order_in_file(array_view<const tensor_entry> tensors) {
  list<const tensor_entry*> order;
  for (const std::size_t size : {8u, 4u, 2u, 1u}) {
    for (const tensor_entry& tensor : tensors) {
      if (size_of(tensor.type) == size) order.push(&tensor);
    }
  }
  return order;
}

// Calls write(pieces) with what the file consists of.
template <class Write>
TAPELESS_COLD void write_pieces(const std::string& path, array_view<const tensor_entry> tensors,
                                std::string_view metadata, Write write) {
  for (const tensor_entry& tensor : tensors) require_writable(tensor, path);
  if (const auto twice = repeated_name(tensors)) bad_tensor(path, *twice, {"the name is given twice"});
  const list<const tensor_entry*> order = order_in_file(tensors);
  const std::string header = header_text(order, metadata);
  if (header.size() > longest_header) throw_error({path, ": too many tensors for one header"});
  const std::uint64_t length = header.size();
  list<array_view<const std::byte>> pieces;
  pieces.push({reinterpret_cast<const std::byte*>(&length), sizeof length});
  pieces.push({reinterpret_cast<const std::byte*>(header.data()), header.size()});
  for (const tensor_entry* tensor : order) pieces.push(tensor->bytes);
  write(pieces);
}

template <class = compiled_once>
TAPELESS_COLD void write_with_metadata(const std::string& path, array_view<const tensor_entry> tensors,
                                       std::string_view metadata) {
  write_pieces(path, tensors, metadata, [&](const auto& pieces) { write_file_atomically(path, pieces); });
}

}  // namespace detail

/// Writes `tensors` to `path`, which takes the place of what was there only once all is on the disk. Throws
/// tl::error with the path and
///   the tensor whose bytes do not fit the shape, or whose name is given twice, reserved or not UTF-8
///   or the system's reason
TAPELESS_WARM inline void write_safetensors(const std::string& path, array_view<const tensor_entry> tensors) {
  detail::write_with_metadata(path, tensors, "");
}
/// The same, with texts by name.
TAPELESS_WARM inline void write_safetensors(const std::string& path, array_view<const tensor_entry> tensors,
                                            const texts_by_name& metadata) {
  detail::write_with_metadata(path, tensors, metadata.empty() ? "" : detail::metadata_text(metadata));
}

/// The bytes of that file, in memory. Throws what write_safetensors throws of its tensors. A template, so
/// that programs which want none compile nothing.
template <class = void>
TAPELESS_WARM std::vector<std::byte> safetensors_bytes(array_view<const tensor_entry> tensors,
                                                       const texts_by_name& metadata = {}) {
  std::vector<std::byte> bytes;
  detail::write_pieces("the bytes", tensors, metadata.empty() ? "" : detail::metadata_text(metadata),
                       [&](const auto& pieces) {
                         for (const auto& piece : pieces)
                           bytes.insert(bytes.end(), piece.begin(), piece.end());
                       });
  return bytes;
}

}  // namespace tapeless::io
