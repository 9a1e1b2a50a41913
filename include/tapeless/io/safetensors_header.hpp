// SPDX-License-Identifier: BSL-1.0
// The header of a safetensors file, checked in full against the bytes that follow it.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tapeless/error.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/element.hpp>
#include <tapeless/graph/core/list.hpp>
#include <tapeless/graph/core/maybe.hpp>
#include <tapeless/io/extents.hpp>
#include <tapeless/io/json_scanner.hpp>
#include <tapeless/io/safetensors_dtype.hpp>
#include <tapeless/io/similar_names.hpp>
#include <tapeless/io/texts_by_name.hpp>
#include <tapeless/io/utf8.hpp>

namespace tapeless::io {

/// The element type of that name in safetensors files, nothing if there is none of that name.
constexpr maybe<element> element_of_dtype(std::string_view dtype) {
  constexpr std::array types = {element::f32, element::f64, element::f16,    element::bf16,
                                element::i8,  element::i16, element::i32,    element::i64,
                                element::u8,  element::u32, element::boolean};
  for (const element type : types) {
    if (dtype_of(type) == dtype) return type;
  }
  return {};
}

/// How many axes a tensor in a file may have.
inline constexpr std::size_t most_axes = 64;

/// Where in the data of a safetensors file a tensor lies: bytes from `begin` up to, not including, `end`.
struct tensor_place {
  std::string name;
  element type{};
  std::vector<std::int64_t> shape;
  std::int64_t begin = 0;
  std::int64_t end = 0;
  std::string foreign = {};  ///< the name of a type that tensors lack, as in tensor_entry
};

/// What the header of a safetensors file says, with the tensors in the order of their data.
struct safetensors_header {
  list<tensor_place> tensors;
  texts_by_name metadata;
};

namespace detail {

[[noreturn]] inline void bad_tensor(std::string_view path, std::string_view name,
                                    std::initializer_list<text_piece> problem) {
  throw_error({path, ": tensor \"", shown(name), "\": ", join(problem)});
}

// How many members of an object are still to be read.
template <class Scanner>
std::size_t members_ahead(Scanner from) {
  std::size_t count = 0;
  do {
    from.name();
    from.skip(2);
    ++count;
  } while (from.accept(','));
  return count;
}

// Scanner is json_scanner: what reads is a template, which programs that only write do not compile.
template <class Scanner>
texts_by_name read_metadata(Scanner& from, std::string_view path) {
  if (from.next() != '{') throw_error({path, ": __metadata__ must be an object, found ", from.skip(1)});
  from.expect('{');
  if (from.accept('}')) return {};
  std::vector<named_text> texts;
  texts.reserve(members_ahead(from));  // as growing would take three times the memory
  do {
    std::string name = from.name();
    if (from.next() != '"')
      throw_error({path, ": __metadata__: \"", shown(name), "\" must be a string, found ", from.skip(2)});
    texts.push_back({std::move(name), from.string()});
  } while (from.accept(','));
  from.expect('}');
  return texts_by_name(std::move(texts), join({path, ": __metadata__: "}));
}

// One tensor's entry, field by field.
template <class Scanner>
struct entry_reader {
  Scanner& from;
  std::string_view path, name;
  int found[3] = {};
  element type{};
  int bits = 0;  // of an element; 0 where that is unknown
  std::string foreign = {};
  std::vector<std::int64_t> shape = {}, offsets = {};

  void read() {
    if (from.accept('{') && !from.accept('}')) {
      do {
        read_field(from.name());
      } while (from.accept(','));
      from.expect('}');
    }
    if (!found[0]) wrong({"\"dtype\" must be a string"});
    if (!found[1]) wrong_counts("shape");
    if (!found[2]) wrong_counts("data_offsets");
  }

  void read_field(std::string_view field) {
    constexpr std::string_view fields[] = {"dtype", "shape", "data_offsets"};
    const auto which = static_cast<std::size_t>(std::find(fields, fields + 3, field) - fields);
    if (which == 3) {  // later versions of the format may know more
      from.skip(2);
      return;
    }
    if (found[which]++) wrong({"\"", field, "\" occurs twice"});
    if (which == 0) read_dtype();
    if (which == 1) read_counts(shape, field);
    if (which == 2) read_counts(offsets, field);
  }

  void read_dtype() {
    if (from.next() != '"') wrong({"\"dtype\" must be a string"});
    const std::string dtype = from.string();
    if (dtype.empty()) wrong({"\"dtype\" must not be empty"});
    if (const maybe<element> known = element_of_dtype(dtype)) {
      type = *known;
      bits = 8 * static_cast<int>(size_of(type));
    } else {
      type = element::number;
      bits = bits_of_foreign(dtype);
      foreign = shown(dtype);
    }
  }

  void read_counts(std::vector<std::int64_t>& counts, std::string_view field) {
    if (!from.accept('[')) wrong_counts(field);
    if (from.accept(']')) return;
    do {
      if (counts.size() == most_axes) wrong({"\"", field, "\" has more than ", most_axes, " items"});
      const char first = from.next();
      if (first != '-' && (first < '0' || first > '9')) wrong_counts(field);
      const json_number count = from.number();
      if (!count.is_integer || count.integer < 0) wrong_counts(field);
      counts.push_back(count.integer);
    } while (from.accept(','));
    from.expect(']');
  }

  // Fewer bits than 8 may fill the last byte in part.
  void require_bytes(std::string_view dtype) const {
    const std::int64_t held = offsets[1] - offsets[0];
    const maybe<std::int64_t> all = checked_product(shape, bits == 0 ? 1 : bits);
    if (bits == 0 || (all && *all / 8 + (*all % 8 != 0) == held)) return;
    wrong({dtype, " of shape ", shape_text(shape), " takes ",
           all ? text_piece(*all / 8 + (*all % 8 != 0)) : "more than 2^60",
           " bytes, but its data_offsets hold ", held});
  }

  [[noreturn]] void wrong(std::initializer_list<text_piece> problem) const {
    bad_tensor(path, name, problem);
  }
  [[noreturn]] void wrong_counts(std::string_view field) const {
    wrong({"\"", field, "\" must be an array of integers from 0 on"});
  }
};

template <class Scanner>
tensor_place read_place(Scanner& from, std::string name, std::string_view path) {
  entry_reader<Scanner> entry{from, path, name};
  entry.read();
  const std::vector<std::int64_t>& offsets = entry.offsets;
  if (offsets.size() != 2 || offsets[0] > offsets[1])
    entry.wrong({"\"data_offsets\" must be two integers, the first not above the second"});
  const bool is_known = entry.foreign.empty();
  entry.require_bytes(is_known ? dtype_of(entry.type) : std::string_view(entry.foreign));
  const auto size = static_cast<std::int64_t>(is_known ? size_of(entry.type) : 1);
  if (offsets[0] % size != 0)
    entry.wrong({"begins at byte ", offsets[0], " of the data, expected a multiple of ", size});
  return {std::move(name), entry.type, std::move(entry.shape),
          offsets[0],      offsets[1], std::move(entry.foreign)};
}

inline void require_distinct_names(array_view<const tensor_place> tensors, std::string_view source) {
  if (const auto twice = repeated_name(tensors))
    throw_error({source, ": the name \"", shown(*twice), "\" occurs twice"});
}

// In the order of their data, empty ones first.
inline bool comes_before(const tensor_place& a, const tensor_place& b) {
  if (a.begin != b.begin) return a.begin < b.begin;
  if (a.end != b.end) return a.end < b.end;
  return a.name < b.name;
}

// The format allows no holes, so every tensor must begin where the one before it ends.
inline void require_gapless(array_view<const tensor_place> tensors, std::int64_t data_bytes,
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
    throw_error({path, ": ", data_bytes - next, " bytes after the end of the last tensor"});
  }
}

}  // namespace detail

/// Reads the JSON text of a header that is followed by `data_bytes` bytes; throws tl::error with `path` and
/// the tensor if anything in it is wrong: types, shapes, more than 64 axes, offsets, names, gaps, overlaps,
/// bytes left over. It takes a small multiple of the text's memory, whatever is in it.
template <class Scanner = json_scanner>
safetensors_header parse_safetensors_header(std::string_view text, std::int64_t data_bytes,
                                            std::string_view path) {
  const std::string source = join({path, ": header"});
  Scanner from(text, source);
  if (from.next() != '{') throw_error({path, ": the header must be an object, found ", from.skip()});
  from.expect('{');
  safetensors_header header;
  bool has_metadata = false;
  if (!from.accept('}')) {
    do {
      std::string name = from.name();
      if (name != "__metadata__") {
        header.tensors.add() = detail::read_place(from, std::move(name), path);
      } else if (std::exchange(has_metadata, true)) {
        throw_error({source, ": the name \"", name, "\" occurs twice"});
      } else {
        header.metadata = detail::read_metadata(from, path);
      }
    } while (from.accept(','));
    from.expect('}');
  }
  from.end();
  detail::require_distinct_names(header.tensors, source);
  std::make_heap(header.tensors.begin(), header.tensors.end(), detail::comes_before);
  std::sort_heap(header.tensors.begin(), header.tensors.end(), detail::comes_before);
  detail::require_gapless(header.tensors, data_bytes, path);
  return header;
}

}  // namespace tapeless::io
