// SPDX-License-Identifier: BSL-1.0
// JSON text piece by piece, exactly as RFC 8259 has it. The caller decides what is kept, so that a text
// cannot take more memory than that.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>

#include <tapeless/error.hpp>
#include <tapeless/io/decimal.hpp>
#include <tapeless/io/utf8.hpp>

namespace tapeless::io {

/// A number in JSON: an integer of 64 bits where it is one, otherwise the nearest double.
struct json_number {
  bool is_integer = false;
  std::int64_t integer = 0;
  double real = 0;
};

/// Reads a JSON text from its beginning. Everything throws tl::error with the name of the text, the byte
/// offset, what was expected and what is there.
class json_scanner {
 public:
  /// `source` is the name of the text in messages; both outlive the scanner.
  json_scanner(std::string_view text, std::string_view source) : text_(text), source_(source) {}

  /// How deep arrays and objects may nest.
  static constexpr int deepest = 64;

  /// The first character of what comes next, 0 at the end.
  char next() {
    while (peek() == ' ' || peek() == '\t' || peek() == '\n' || peek() == '\r') ++at_;
    return peek();
  }

  /// Whether `c` comes next, which is then passed.
  bool accept(char c) {
    if (next() != c) return false;
    ++at_;
    return true;
  }

  /// Passes `c`.
  void expect(char c) {
    if (!accept(c)) fail(std::string{'\'', c, '\''});
  }

  /// Passes a name of an object's member, and the colon behind it.
  std::string name() {
    if (next() != '"') fail("a name in quotes");
    std::string result = string();
    expect(':');
    return result;
  }

  /// Passes a string, which begins here.
  std::string string() {
    std::string result;
    ++at_;
    while (peek() != '"') {
      if (peek() == '\\') {
        escape(result);
        continue;
      }
      const std::size_t length = utf8_length(text_.substr(at_));
      if (length == 0 || static_cast<unsigned char>(text_[at_]) < 0x20) fail("a character or '\"'");
      result += text_.substr(at_, length);
      at_ += length;
    }
    ++at_;
    return result;
  }

  /// Passes a number, which begins here.
  json_number number() {
    const std::size_t begin = at_;
    if (peek() == '-') ++at_;
    if (peek() == '0') {
      ++at_;
    } else {
      digits("a value");
    }
    bool whole = true;
    if (peek() == '.') {
      whole = false;
      ++at_;
      digits("a digit");
    }
    if (peek() == 'e' || peek() == 'E') {
      whole = false;
      ++at_;
      if (peek() == '+' || peek() == '-') ++at_;
      digits("a digit");
    }
    const char *first = text_.data() + begin, *last = text_.data() + at_;
    json_number result;
    result.is_integer = whole && std::from_chars(first, last, result.integer).ec == std::errc();
    if (!result.is_integer && read_decimal(first, last, result.real) != std::errc()) {
      at_ = begin;
      fail("a number in the range of double");
    }
    return result;
  }

  /// Passes a word: true, false or null.
  void word(std::string_view spelling) {
    if (text_.substr(at_, spelling.size()) != spelling) fail("a value");
    at_ += spelling.size();
  }

  /// Passes a value of any kind, which lies in `depth` others, and says what it was: "an array"; equal names
  /// in an object are not found.
  std::string_view skip(int depth = 0) {
    switch (next()) {
      case '{':
        skip_items(depth);
        return "an object";
      case '[':
        skip_items(depth);
        return "an array";
      case '"':
        string();
        return "a string";
      case 't':
        word("true");
        return "a truth value";
      case 'f':
        word("false");
        return "a truth value";
      case 'n':
        word("null");
        return "null";
      default:
        return number().is_integer ? "an integer" : "a number";
    }
  }

  /// Passes the end of the text.
  void end() {
    next();
    if (at_ != text_.size()) fail("the end");
  }

  /// Throws if an array or object here would lie in too many others.
  void require_depth(int depth) const {
    if (depth == deepest) fail(join({"at most ", deepest, " levels"}));
  }

  /// Where the next character is: "text: byte 3: ".
  std::string place() const { return join({source_, ": byte ", at_, ": "}); }

  /// Throws: expected this, and what is there instead.
  [[noreturn]] void fail(std::string_view expected) const {
    std::string found = "the end";
    if (at_ < text_.size()) {
      const auto code = static_cast<unsigned char>(text_[at_]);
      found = code >= 0x20 && code < 0x7f ? std::string{'\'', text_[at_], '\''} : join({"byte value ", code});
    }
    throw_error({place(), "expected ", expected, ", found ", found});
  }

 private:
  void skip_items(int depth) {
    require_depth(depth);
    const bool has_names = accept('{');
    if (!has_names) expect('[');
    const char close = has_names ? '}' : ']';
    if (accept(close)) return;
    do {
      if (has_names) name();
      skip(depth + 1);
    } while (accept(','));
    expect(close);
  }

  void escape(std::string& result) {
    constexpr std::string_view letters = "\"\\/bfnrt", meanings = "\"\\/\b\f\n\r\t";
    ++at_;
    if (peek() == 'u') {
      ++at_;
      append_utf8(result, escaped_character());
      return;
    }
    const std::size_t which = at_ < text_.size() ? letters.find(text_[at_]) : std::string_view::npos;
    if (which == std::string_view::npos) fail("an escape");
    result += meanings[which];
    ++at_;
  }

  char32_t escaped_character() {
    const char32_t first = four_digits();
    if (first < 0xd800 || first > 0xdfff) return first;
    if (first > 0xdbff || text_.substr(at_, 2) != "\\u") fail("a surrogate pair");
    at_ += 2;
    const char32_t second = four_digits();
    if (second < 0xdc00 || second > 0xdfff) fail("a surrogate pair");
    return 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00);
  }

  char32_t four_digits() {
    const char *begin = text_.data() + at_, *end = begin + std::min<std::size_t>(4, text_.size() - at_);
    std::uint32_t code = 0;
    const auto [stop, problem] = std::from_chars(begin, end, code, 16);
    if (problem != std::errc() || stop != begin + 4) fail("four hexadecimal digits");
    at_ += 4;
    return code;
  }

  void digits(std::string_view expected) {
    if (!is_digit()) fail(expected);
    while (is_digit()) ++at_;
  }

  bool is_digit() const { return peek() >= '0' && peek() <= '9'; }

  // A NUL stands for the end: in JSON it may occur nowhere, so whoever meets it fails, and looks again.
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  std::string_view text_;
  std::string_view source_;
  std::size_t at_ = 0;
};

}  // namespace tapeless::io
