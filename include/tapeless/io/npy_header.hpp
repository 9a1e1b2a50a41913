// SPDX-License-Identifier: BSL-1.0
// The header of an NPY file, NumPy's format for one array: a magic string, a version, and a text that is a
// dictionary of Python's: {'descr': '<f4', 'fortran_order': False, 'shape': (3, 2), }.
#pragma once

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <tapeless/error.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/element.hpp>
#include <tapeless/graph/core/maybe.hpp>
#include <tapeless/io/byte_stream.hpp>
#include <tapeless/io/extents.hpp>
#include <tapeless/io/safetensors_header.hpp>
#include <tapeless/io/utf8.hpp>

namespace tapeless::io {

/// What the elements of an NPY file are, and what they become here.
struct npy_type {
  char kind = 'f';  ///< f, i, u or b
  int size = 4;     ///< bytes
  bool big_endian = false;
  element type = element::f32;
  std::string foreign = {};  ///< NumPy's name of a type that tensors lack, whose size may be unknown, 0

  /// Whether they lie in the file as they lie in memory.
  bool is_native() const {
    const bool fits = kind != 'u' || size < 8;  // not each number of uint64 does
    return !big_endian && fits && static_cast<std::size_t>(size) == size_of(type);
  }
};

/// What the header of an NPY file says.
struct npy_header {
  npy_type type;
  bool fortran_order = false;
  std::vector<std::int64_t> shape;
  std::int64_t count = 1;  ///< elements
};

/// The description that NumPy gives to elements of this type, e.g. "<f4"; empty for bf16, which it does not
/// know.
constexpr std::string_view npy_descr(element type) {
  constexpr std::string_view names[] = {"<f4", "<f8", "<f2", "",    "<i4", "<i8",
                                        "|u1", "|b1", "",    "|i1", "<i2", "<u4"};
  return names[static_cast<int>(type)];
}

namespace detail {

inline constexpr std::string_view npy_magic = "\x93NUMPY";

/// The text of the header, item by item.
class npy_header_parser {
 public:
  npy_header_parser(std::string_view text, std::string_view path) : text_(text), path_(path) {}

  TAPELESS_COLD npy_header parse() {
    npy_header header;
    int found[3] = {};
    expect("{");
    while (!accept("}")) {
      const std::string_view key = quoted();
      expect(":");
      if (key == "descr" && found[0]++ == 0) {
        header.type = descr();
      } else if (key == "fortran_order" && found[1]++ == 0) {
        header.fortran_order = truth();
      } else if (key == "shape" && found[2]++ == 0) {
        header.shape = shape();
      } else {
        fail({"the key '", shown(key), "' is unknown, or occurs twice"});
      }
      if (!accept(",")) {
        expect("}");
        break;
      }
    }
    if (!found[0] || !found[1] || !found[2])
      fail({"expected the keys 'descr', 'fortran_order' and 'shape', found \"", shown(text_), "\""});
    pass_over_spaces();
    if (at_ != text_.size()) fail({"expected its end, found \"", shown(text_.substr(at_)), "\""});
    const maybe<std::int64_t> bytes = checked_product(header.shape, 8);
    if (!bytes || *bytes > std::numeric_limits<std::ptrdiff_t>::max())
      fail({"the shape ", shape_text(header.shape), " is larger than any memory"});
    header.count = *bytes / 8;
    return header;
  }

 private:
  std::string_view text_, path_;
  std::size_t at_ = 0;

  [[noreturn]] TAPELESS_COLD void fail(std::initializer_list<text_piece> problem) const {
    throw_error({path_, ": NPY header: ", join(problem)});
  }
  [[noreturn]] TAPELESS_COLD void unexpected(std::string_view expected) const {
    fail({"byte ", at_, ": expected ", expected, ", found \"", shown(text_.substr(at_)), "\""});
  }

  void pass_over_spaces() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t')) ++at_;
  }
  bool accept(std::string_view token) {
    pass_over_spaces();
    if (!text_.substr(at_).starts_with(token)) return false;
    at_ += token.size();
    return true;
  }
  void expect(std::string_view token) {
    if (!accept(token)) unexpected(token);
  }

  std::string_view quoted() {
    pass_over_spaces();
    const char quote = at_ < text_.size() ? text_[at_] : ' ';
    if (quote != '\'' && quote != '"') unexpected("a text in quotes");
    const std::size_t end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos) unexpected("a text in quotes");
    const std::string_view text = text_.substr(at_ + 1, end - at_ - 1);
    if (text.find('\\') != std::string_view::npos) unexpected("a text without backslashes");
    at_ = end + 1;
    return text;
  }

  bool truth() {
    if (accept("True")) return true;
    if (!accept("False")) unexpected("True or False");
    return false;
  }

  std::vector<std::int64_t> shape() {
    std::vector<std::int64_t> extents;
    expect("(");
    while (!accept(")")) {
      if (extents.size() == most_axes) fail({"the shape has more than ", most_axes, " axes"});
      pass_over_spaces();
      std::int64_t extent = -1;
      const char* const begin = text_.data() + at_;
      const auto [end, problem] = std::from_chars(begin, text_.data() + text_.size(), extent);
      if (problem != std::errc() || extent < 0) unexpected("an integer from 0 on");
      at_ += static_cast<std::size_t>(end - begin);
      accept("L");  // by Python 2
      extents.push_back(extent);
      if (!accept(",")) {
        expect(")");
        break;
      }
    }
    return extents;
  }

  npy_type descr() {
    pass_over_spaces();
    if (text_.substr(at_).starts_with('['))
      return foreign(fields(), 0, " (named fields: save each by itself)");
    const std::string_view text = quoted();
    npy_type type;
    const char order = text.empty() ? ' ' : text[0];
    type.kind = text.size() < 2 ? ' ' : text[1];
    type.big_endian = order == '>';
    const char* const digits = text.data() + std::min<std::size_t>(text.size(), 2);
    const auto [end, problem] = std::from_chars(digits, text.data() + text.size(), type.size);
    const bool is_known = problem == std::errc() && end == text.data() + text.size() && fit(type);
    const bool is_ordered = order == '<' || order == '>' || order == '=' || (order == '|' && type.size == 1);
    if (is_known && is_ordered) return type;
    const bool has_size = type.kind != 'O' && problem == std::errc() && end == text.data() + text.size() &&
                          type.size > 0;  // objects are pickled: theirs is a pointer's
    return foreign(text, has_size ? type.size : 0, hint_of(type.kind), type.kind);
  }

  // A list of Python's.
  std::string_view fields() {
    const std::size_t begin = at_;
    int depth = 0;
    do {
      if (at_ == text_.size()) unexpected("']'");
      if (text_[at_] == '\'' || text_[at_] == '"') {
        quoted();
        continue;
      }
      depth += text_[at_] == '[' ? 1 : text_[at_] == ']' ? -1 : 0;
      ++at_;
    } while (depth > 0);
    return text_.substr(begin, at_ - begin);
  }

  static npy_type foreign(std::string_view descr, int size, std::string_view hint, char kind = 'V') {
    return {kind, kind == 'U' && size < (1 << 29) ? 4 * size : size, false, element::number,
            join({"'", shown(descr), "'", hint})};
  }

  // What becomes of the elements; numbers of types that do not exist here fit into a larger one.
  static bool fit(npy_type& type) {
    struct known {
      char kind;
      int size;
      element type;
    };
    constexpr known all[] = {{'f', 2, element::f16},     {'f', 4, element::f32}, {'f', 8, element::f64},
                             {'b', 1, element::boolean}, {'u', 1, element::u8},  {'i', 4, element::i32},
                             {'i', 8, element::i64},     {'i', 1, element::i8},  {'i', 2, element::i16},
                             {'u', 4, element::u32},     {'u', 2, element::i32}, {'u', 8, element::i64}};
    for (const known& k : all)
      if (k.kind == type.kind && k.size == type.size) {
        type.type = k.type;
        return true;
      }
    return false;
  }

  static std::string_view hint_of(char kind) {
    return kind == 'O'                  ? " (objects of Python's)"
           : kind == 'U' || kind == 'S' ? " (texts)"
           : kind == 'c'                ? " (complex numbers)"
           : kind == 'M' || kind == 'm' ? " (dates)"
           : kind == 'V'                ? " (bytes without a type, as of bfloat16)"
                                        : "";
  }
};

}  // namespace detail

/// Reads the header, behind which the elements follow, and nothing else: what it says fits what is left of
/// the stream. Throws tl::error with the stream's name, what was expected and what was found; where elements
/// are of a type that tensors lack, unless `of_any_type`.
TAPELESS_COLD inline npy_header read_npy_header(byte_stream& from, bool of_any_type = false) {
  std::byte begin[8] = {};  // the magic string and the version
  if (from.left() < 10)
    throw_error({from.name(), ": expected an NPY file, found only ", from.left(), " bytes"});
  from.read_exactly(begin);
  const std::string_view magic(reinterpret_cast<const char*>(begin), detail::npy_magic.size());
  if (magic != detail::npy_magic)
    throw_error(
        {from.name(), ": expected an NPY file, which begins with \"?NUMPY\", found \"", shown(magic), "\""});
  const int version = std::to_integer<int>(begin[6]), minor = std::to_integer<int>(begin[7]);
  if (version < 1 || version > 3 || minor != 0)
    throw_error({from.name(), ": expected version 1.0, 2.0 or 3.0 of NPY, found ", version, ".", minor});
  std::byte digits[4] = {};
  from.read_exactly({digits, version == 1 ? 2u : 4u});
  std::uint64_t length = 0;
  for (std::size_t i = 0; i < 4; ++i) length |= std::to_integer<std::uint64_t>(digits[i]) << 8 * i;
  const std::uint64_t most = std::min<std::uint64_t>(from.left(), 1 << 16);
  if (length > most)
    throw_error({from.name(), ": the NPY header would take ", length, " bytes where at most ", most,
                 " are possible"});
  std::string text(static_cast<std::size_t>(length), '\0');
  from.read_exactly({reinterpret_cast<std::byte*>(text.data()), text.size()});
  npy_header header = detail::npy_header_parser(text, from.name()).parse();
  if (!of_any_type && !header.type.foreign.empty())
    throw_error({from.name(), ": NPY header: elements of type ", header.type.foreign,
                 "; expected numbers: f2, f4, f8, i1 to i8, u1 to u8 or b1, as by .astype('float32')"});
  if (header.type.size == 0) return header;
  const maybe<std::int64_t> size = checked_product(header.shape, header.type.size);
  if (!size || static_cast<std::uint64_t>(*size) != from.left())
    throw_error({from.name(), ": expected ", size ? text_piece(*size) : "more than 2^63",
                 " bytes for elements of ", header.type.size, " bytes and shape ", shape_text(header.shape),
                 ", found ", from.left()});
  return header;
}

/// The header of a file of version 1.0 whose elements are of this type and shape, in row-major order; the
/// elements then begin at a multiple of 64 bytes. Pre-condition: NumPy knows the type.
TAPELESS_COLD inline std::string npy_header_text(element type, array_view<const std::int64_t> shape) {
  std::string extents;
  for (const std::int64_t extent : shape) append(extents, {extent, shape.size() == 1 ? "," : ", "});
  if (shape.size() > 1) extents.resize(extents.size() - 2);
  std::string text =
      join({"{'descr': '", npy_descr(type), "', 'fortran_order': False, 'shape': (", extents, "), }"});
  constexpr std::size_t before = 10;
  text.resize((text.size() + before + 64) / 64 * 64 - before, ' ');
  text.back() = '\n';
  std::string header(detail::npy_magic);
  header += {'\1', '\0', static_cast<char>(text.size() & 0xff), static_cast<char>(text.size() >> 8)};
  return header + text;
}

}  // namespace tapeless::io
