// SPDX-License-Identifier: BSL-1.0
// The header of a safetensors file, checked in full against the bytes that follow it.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tapeless/error.hpp>
#include <tapeless/graph/element.hpp>
#include <tapeless/io/extents.hpp>
#include <tapeless/io/json.hpp>
#include <tapeless/io/json_reader.hpp>

namespace tapeless::io {

/// The name of an element type in safetensors files, e.g. "F32"; empty if it has none.
constexpr std::string_view dtype_of(element type) {
  constexpr std::string_view names[] = {"F32", "F64", "F16", "BF16", "I32", "I64", "U8", "BOOL", ""};
  return names[static_cast<int>(type)];
}

/// The element type of that name in safetensors files, nothing if it is not one of those above.
constexpr std::optional<element> element_of_dtype(std::string_view dtype) {
  constexpr std::array types = {element::f32, element::f64, element::f16, element::bf16,
                                element::i32, element::i64, element::u8,  element::boolean};
  for (const element type : types) {
    if (dtype_of(type) == dtype) return type;
  }
  return std::nullopt;
}

/// Where in the data of a safetensors file a tensor lies: bytes from `begin` up to, not including, `end`.
struct tensor_place {
  std::string name;
  element type{};
  std::vector<std::int64_t> shape;
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

/// What the header of a safetensors file says, with the tensors in the order of their data.
struct safetensors_header {
  std::vector<tensor_place> tensors;
  std::map<std::string, std::string> metadata;
};

namespace detail {

[[noreturn]] inline void bad_tensor(std::string_view path, std::string_view name,
                                    std::initializer_list<text_piece> problem) {
  throw error({path, ": tensor \"", name, "\": ", join(problem)});
}

inline std::map<std::string, std::string> read_metadata(const json& value, std::string_view path) {
  const json::object* members = value.get_if<json::object>();
  if (!members) {
    throw error({path, ": __metadata__ must be an object, found ", value.kind()});
  }
  std::map<std::string, std::string> metadata;
  for (const json_member& member : *members) {
    const std::string* text = member.value.get_if<std::string>();
    if (!text) {
      throw error(
          {path, ": __metadata__: \"", member.name, "\" must be a string, found ", member.value.kind()});
    }
    metadata.emplace(member.name, *text);
  }
  return metadata;
}

inline std::vector<std::int64_t> read_counts(const json_member& tensor, std::string_view field,
                                             std::string_view path) {
  const json* value = tensor.value.find(field);
  const json::array* items = value ? value->get_if<json::array>() : nullptr;
  const auto is_count = [](const json& item) {
    const std::int64_t* count = item.get_if<std::int64_t>();
    return count && *count >= 0;
  };
  if (!items || !std::all_of(items->begin(), items->end(), is_count)) {
    bad_tensor(path, tensor.name, {"\"", field, "\" must be an array of integers from 0 on"});
  }
  std::vector<std::int64_t> counts;
  for (const json& item : *items) counts.push_back(item.as<std::int64_t>());
  return counts;
}

inline element read_dtype(const json_member& tensor, std::string_view path) {
  const json* value = tensor.value.find("dtype");
  const std::string* dtype = value ? value->get_if<std::string>() : nullptr;
  if (!dtype) bad_tensor(path, tensor.name, {"\"dtype\" must be a string"});
  const std::optional<element> type = element_of_dtype(*dtype);
  if (!type) {
    bad_tensor(path, tensor.name,
               {"unknown dtype \"", *dtype, "\", expected F64, F32, F16, BF16, I64, I32, U8 or BOOL"});
  }
  return *type;
}

inline tensor_place read_place(const json_member& tensor, std::string_view path) {
  const element type = read_dtype(tensor, path);
  std::vector<std::int64_t> shape = read_counts(tensor, "shape", path);
  const std::vector<std::int64_t> offsets = read_counts(tensor, "data_offsets", path);
  if (offsets.size() != 2 || offsets[0] > offsets[1]) {
    bad_tensor(path, tensor.name, {"\"data_offsets\" must be two integers, the first not above the second"});
  }
  const auto size = static_cast<std::int64_t>(size_of(type));
  const std::optional<std::int64_t> bytes = checked_product(shape, size);
  const std::int64_t held = offsets[1] - offsets[0];
  if (bytes != held) {
    bad_tensor(path, tensor.name,
               {dtype_of(type), " of shape ", shape_text(shape), " takes ",
                bytes ? text_piece(*bytes) : "more than 2^63", " bytes, but its data_offsets hold ", held});
  }
  if (offsets[0] % size != 0) {
    bad_tensor(path, tensor.name,
               {"begins at byte ", offsets[0], " of the data, expected a multiple of ", size});
  }
  return {tensor.name, type, std::move(shape), offsets[0], offsets[1]};
}

// In the order of their data, empty ones first.
inline bool comes_before(const tensor_place& a, const tensor_place& b) {
  if (a.begin != b.begin) return a.begin < b.begin;
  if (a.end != b.end) return a.end < b.end;
  return a.name < b.name;
}

// The format allows no holes, so every tensor must begin where the one before it ends.
inline void require_gapless(const std::vector<tensor_place>& tensors, std::int64_t data_bytes,
                            std::string_view path) {
  std::int64_t next = 0;
  for (const tensor_place& tensor : tensors) {
    if (tensor.end > data_bytes) {
      bad_tensor(path, tensor.name,
                 {"ends at byte ", tensor.end, " of the data, but the file holds only ", data_bytes});
    }
    if (tensor.begin != next) {
      bad_tensor(path, tensor.name,
                 {"begins at byte ", tensor.begin, " of the data, expected ", next,
                  ", where the tensor before it ends"});
    }
    next = tensor.end;
  }
  if (next != data_bytes) {
    throw error({path, ": ", data_bytes - next, " bytes after the end of the last tensor"});
  }
}

}  // namespace detail

/// Reads the JSON text of a header that is followed by `data_bytes` bytes; throws tl::error with `path` and
/// the tensor if anything in it is wrong: types, shapes, offsets, names, gaps, overlaps, bytes left over.
inline safetensors_header parse_safetensors_header(std::string_view text, std::int64_t data_bytes,
                                                   std::string_view path) {
  const json root = read_json(text, join({path, ": header"}));
  const json::object* members = root.get_if<json::object>();
  if (!members) {
    throw error({path, ": the header must be an object, found ", root.kind()});
  }
  safetensors_header header;
  for (const json_member& member : *members) {
    if (member.name == "__metadata__") {
      header.metadata = detail::read_metadata(member.value, path);
    } else {
      header.tensors.push_back(detail::read_place(member, path));
    }
  }
  std::make_heap(header.tensors.begin(), header.tensors.end(), detail::comes_before);
  std::sort_heap(header.tensors.begin(), header.tensors.end(), detail::comes_before);
  detail::require_gapless(header.tensors, data_bytes, path);
  return header;
}

}  // namespace tapeless::io
