// SPDX-License-Identifier: BSL-1.0
// From JSON text to a value: recursive descent that accepts RFC 8259 and nothing else.
#pragma once

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <tapeless/error.hpp>
#include <tapeless/graph/list.hpp>
#include <tapeless/io/json.hpp>
#include <tapeless/io/similar_names.hpp>
#include <tapeless/io/utf8.hpp>

namespace tapeless::io {

namespace detail {

class json_reader {
 public:
  json_reader(std::string_view text, std::string_view source) : text_(text), source_(source) {}

  json document() {
    json result = value(0);
    skip_spaces();
    if (at_ != text_.size()) fail("the end");
    return result;
  }

 private:
  static constexpr int deepest = 64;

  json value(int depth) {
    skip_spaces();
    const bool nests = peek() == '{' || peek() == '[';
    if (nests && depth == deepest) fail(join({"at most ", deepest, " levels"}));
    switch (peek()) {
      case '{':
        return object(depth);
      case '[':
        return array(depth);
      case '"':
        return string();
      case 't':
        return word("true", true);
      case 'f':
        return word("false", false);
      case 'n':
        return word("null", nullptr);
      default:
        return number();
    }
  }

  json::object object(int depth) {
    json::object members;
    const std::size_t begin = at_++;
    if (accept('}')) return members;
    do {
      skip_spaces();
      if (peek() != '"') fail("a name in quotes");
      std::string name = string();
      expect(':');
      members.push_back({std::move(name), value(depth + 1)});
    } while (accept(','));
    expect('}');
    require_distinct_names(members, begin);
    return members;
  }

  void require_distinct_names(const json::object& members, std::size_t begin) {
    list<std::string_view> names;
    for (const json_member& member : members) names.push(member.name);
    if (const std::string_view* twice = repeated_name(names))
      throw error({place(begin), "the name \"", *twice, "\" occurs twice in this object"});
  }

  json::array array(int depth) {
    json::array values;
    ++at_;
    if (accept(']')) return values;
    do {
      values.push_back(value(depth + 1));
    } while (accept(','));
    expect(']');
    return values;
  }

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

  json number() {
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
    std::int64_t integer = 0;
    if (whole && std::from_chars(first, last, integer).ec == std::errc()) return integer;
    double real = 0;
    if (!to_double(first, last, real)) {
      at_ = begin;
      fail("a number in the range of double");
    }
    return real;
  }

  void digits(std::string_view expected) {
    if (!is_digit()) fail(expected);
    while (is_digit()) ++at_;
  }

  bool is_digit() const { return peek() >= '0' && peek() <= '9'; }

  // Not every standard library has from_chars for double yet; strtod depends on the program's locale.
  static bool to_double(const char* first, const char* last, double& result) {
#if defined(__cpp_lib_to_chars)
    return std::from_chars(first, last, result).ec == std::errc();
#else
    result = std::strtod(std::string(first, last).c_str(), nullptr);
    return std::abs(result) <= std::numeric_limits<double>::max();
#endif
  }

  json word(std::string_view spelling, json result) {
    if (text_.substr(at_, spelling.size()) != spelling) fail("a value");
    at_ += spelling.size();
    return result;
  }

  // A NUL stands for the end: in JSON it may occur nowhere, so whoever meets it fails, and looks again.
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  void skip_spaces() {
    while (peek() == ' ' || peek() == '\t' || peek() == '\n' || peek() == '\r') ++at_;
  }

  bool accept(char c) {
    skip_spaces();
    if (peek() != c) return false;
    ++at_;
    return true;
  }

  void expect(char c) {
    if (!accept(c)) fail(std::string{'\'', c, '\''});
  }

  std::string place(std::size_t at) const { return join({source_, ": byte ", at, ": "}); }

  [[noreturn]] void fail(std::string_view expected) const {
    std::string found = "the end";
    if (at_ < text_.size()) {
      const auto code = static_cast<unsigned char>(text_[at_]);
      found = code >= 0x20 && code < 0x7f ? std::string{'\'', text_[at_], '\''} : join({"byte value ", code});
    }
    throw error({place(at_), "expected ", expected, ", found ", found});
  }

  std::string_view text_;
  std::string_view source_;
  std::size_t at_ = 0;
};

}  // namespace detail

/// The value that `text` spells; throws tl::error with `source` (the name of the text), the byte offset, what
/// was expected and what is there. Names must be distinct, strings UTF-8, and nesting at most 64 deep.
inline json read_json(std::string_view text, std::string_view source) {
  return detail::json_reader(text, source).document();
}

}  // namespace tapeless::io
