// SPDX-License-Identifier: BSL-1.0
// From JSON text to a value: recursive descent that accepts RFC 8259 and nothing else.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include <tapeless/error.hpp>
#include <tapeless/io/json_scanner.hpp>
#include <tapeless/io/similar_names.hpp>
#include <tapeless/io/utf8.hpp>

#include "json.hpp"

namespace test {

class json_reader {
 public:
  json_reader(std::string_view text, std::string_view source) : from_(text, source) {}

  json document() {
    json result = value(0);
    from_.end();
    return result;
  }

 private:
  static constexpr int most_values = 1'000'000;  // each takes some fifty times the memory of its text

  json value(int depth) {
    if (++values_ > most_values) from_.fail(tapeless::join({"at most ", most_values, " values"}));
    switch (from_.next()) {
      case '{':
        return object(depth);
      case '[':
        return array(depth);
      case '"':
        return from_.string();
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
    from_.require_depth(depth);
    const std::string begin = from_.place();
    json::object members;
    from_.expect('{');
    if (from_.accept('}')) return members;
    do {
      std::string name = from_.name();
      members.push_back({std::move(name), value(depth + 1)});
    } while (from_.accept(','));
    from_.expect('}');
    if (const auto twice = tapeless::io::repeated_name(members))
      tapeless::throw_error(
          {begin, "the name \"", tapeless::io::shown(*twice), "\" occurs twice in this object"});
    return members;
  }

  json::array array(int depth) {
    from_.require_depth(depth);
    json::array values;
    from_.expect('[');
    if (from_.accept(']')) return values;
    do {
      values.push_back(value(depth + 1));
    } while (from_.accept(','));
    from_.expect(']');
    return values;
  }

  json number() {
    const tapeless::io::json_number read = from_.number();
    return read.is_integer ? json(read.integer) : json(read.real);
  }

  json word(std::string_view spelling, json result) {
    from_.word(spelling);
    return result;
  }

  tapeless::io::json_scanner from_;
  int values_ = 0;
};

/// The value that `text` spells; throws tl::error with `source` (the name of the text), the byte offset, what
/// was expected and what is there. Names must be distinct, strings UTF-8, nesting at most 64 deep, and values
/// a million at most.
inline json read_json(std::string_view text, std::string_view source) {
  return json_reader(text, source).document();
}

}  // namespace test
