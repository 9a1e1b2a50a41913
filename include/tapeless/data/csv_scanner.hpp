// SPDX-License-Identifier: BSL-1.0
// A CSV file record by record (RFC 4180), in one pass; only one record is in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <tapeless/error.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/io/gzip.hpp>

namespace tapeless::data::detail {

/// The fields of a record, without their quotes: a text, and where in it each ends, so that a field takes
/// little more memory than its characters.
struct csv_record {
  std::string text;
  std::vector<std::uint32_t> ends;

  std::size_t size() const { return ends.size(); }
  std::string_view operator[](std::size_t i) const {
    const std::size_t begin = i == 0 ? 0 : ends[i - 1];
    return std::string_view(text).substr(begin, ends[i] - begin);
  }
};

/// Fields are separated by one character, records by a line's end (\n, \r\n or \r). A field in quotes may
/// hold all of these, and quotes as two. A byte order mark of UTF-8 is passed over.
class csv_scanner {
 public:
  /// Opens `path` or, if there is no such file, `path + ".gz"`; throws tl::error as io::byte_source does, or
  /// where the separator can be none.
  TAPELESS_COLD csv_scanner(const std::string& path, char separator)
      : source_(path), separator_(separator), block_(std::size_t{1} << 16) {
    if (separator == '"' || separator == '\n' || separator == '\r')
      throw_error({path, ": a separator must be neither a quote nor the end of a line"});
    refill();
    const std::string_view begin(reinterpret_cast<const char*>(block_.data()), count_);
    if (begin.starts_with("\xff\xfe") || begin.starts_with("\xfe\xff"))
      throw_error({source_.path(), ": expected UTF-8, found a byte order mark of UTF-16"});
    if (begin.starts_with("\xef\xbb\xbf")) at_ = 3;
  }

  /// Goes to the next record; false at the end of the file. Throws tl::error with the line where quotes do
  /// not fit, or the record is longer than 64 MiB.
  bool next() {
    record_.text.clear();
    record_.ends.clear();
    line_ = lines_;
    if (peek() < 0) return false;
    while (true) {
      if (peek() == '"') {
        quoted_field();
      } else {
        plain_field();
      }
      record_.ends.push_back(static_cast<std::uint32_t>(record_.text.size()));
      const int end = take();
      if (end == byte_of(separator_)) continue;
      if (end == '\r' && peek() == '\n') take();
      if (end >= 0) ++lines_;
      return true;
    }
  }

  /// The record, until the next one.
  const csv_record& record() const { return record_; }

  /// Whether the record is a line with nothing in it.
  bool is_empty() const { return record_.size() == 1 && record_.text.empty(); }

  /// The line that the record begins in, from 1 on.
  std::int64_t line() const { return line_; }

  /// The file's name, with ".gz" where that one was found.
  const std::string& path() const { return source_.path(); }

 private:
  io::byte_source source_;
  char separator_;
  std::vector<std::byte> block_;
  std::size_t at_ = 0, count_ = 0;
  std::int64_t line_ = 1, lines_ = 1;
  csv_record record_;

  static int byte_of(char c) { return static_cast<unsigned char>(c); }

  void refill() {
    count_ = source_.read(block_);
    at_ = 0;
  }
  int peek() {
    if (at_ == count_) refill();
    return at_ == count_ ? -1 : std::to_integer<int>(block_[at_]);
  }
  int take() {
    const int byte = peek();
    if (byte >= 0) ++at_;
    return byte;
  }

  [[noreturn]] TAPELESS_COLD void fail(std::initializer_list<text_piece> problem) const {
    throw_error({path(), ": line ", lines_, ": ", join(problem)});
  }

  void append(const char* text, std::size_t size) {
    constexpr std::size_t most = std::size_t{1} << 26;
    if (size > most - record_.text.size())
      throw_error(
          {path(), ": line ", line_, ": the record is longer than ", most, " bytes; is a quote missing?"});
    record_.text.append(text, size);
  }

  // Up to what ends it. It comes in pieces where a block of the file ends inside.
  void plain_field() {
    while (peek() >= 0) {
      const auto* const text = reinterpret_cast<const char*>(block_.data());
      const std::size_t begin = at_;
      while (at_ < count_ && text[at_] != separator_ && text[at_] != '\n' && text[at_] != '\r' &&
             text[at_] != '"')
        ++at_;
      append(text + begin, at_ - begin);
      if (at_ == count_) continue;
      if (text[at_] == '"') fail({"a quote in a field that does not begin with one"});
      return;
    }
  }

  void quoted_field() {
    const std::int64_t first = lines_;
    take();
    while (true) {
      const int byte = take();
      if (byte < 0) throw_error({path(), ": the quote that opens in line ", first, " is never closed"});
      if (byte == '\n') ++lines_;
      if (byte == '"' && peek() != '"') break;
      if (byte == '"') take();
      const char c = static_cast<char>(byte);
      append(&c, 1);
    }
    const int next = peek();
    if (next >= 0 && next != byte_of(separator_) && next != '\n' && next != '\r')
      fail({"expected the separator or the end of the line after a closing quote"});
  }
};

}  // namespace tapeless::data::detail
