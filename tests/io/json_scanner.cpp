// SPDX-License-Identifier: BSL-1.0
#include <tapeless/io/json_scanner.hpp>

#include <string>
#include <string_view>

#include "catch.hpp"
#include "temporary_folder.hpp"

namespace tl = tapeless;
using tl::io::json_scanner;

// What is no JSON, and numbers and strings, are tested with the reader, which is made of the scanner.

TEST_CASE("a JSON text is scanned piece by piece", "[io]") {
  json_scanner from(R"( { "a" : [1, -2.5] , "b": true } )", "text");
  CHECK(from.next() == '{');
  from.expect('{');
  CHECK(from.name() == "a");
  CHECK(from.accept('['));
  CHECK_FALSE(from.accept(']'));
  const tl::io::json_number one = from.number();
  CHECK(one.is_integer);
  CHECK(one.integer == 1);
  CHECK(from.accept(','));
  CHECK(from.next() == '-');
  const tl::io::json_number other = from.number();
  CHECK_FALSE(other.is_integer);
  CHECK(other.real == -2.5);
  from.expect(']');
  from.expect(',');
  CHECK(from.place() == "text: byte 20: ");
  CHECK(from.name() == "b");
  CHECK(from.next() == 't');
  from.word("true");
  from.expect('}');
  from.end();
  CHECK(from.next() == '\0');
}

TEST_CASE("a JSON value that is passed is checked, and its kind said", "[io]") {
  const auto kind = [](std::string_view text) {
    json_scanner from(text, "text");
    const std::string_view found = from.skip();
    from.end();
    return found;
  };
  CHECK(kind("null") == "null");
  CHECK(kind("true") == "a truth value");
  CHECK(kind("false") == "a truth value");
  CHECK(kind("-1") == "an integer");
  CHECK(kind("1.0") == "a number");
  CHECK(kind("\"a\"") == "a string");
  CHECK(kind("[1, [], {}]") == "an array");
  CHECK(kind(R"({"a": {"b": [null]}, "a": 1})") == "an object");
  for (const char* text :
       {"", "nul", "[1", "[1,]", "[1 2]", "{\"a\"}", "{a:1}", "{\"a\":1,}", "1 2", "\"\\x\"", "]"})
    CHECK(test::missing_in(test::error_of([&] { kind(text); }), {"text: byte", "expected"}) == "");
  const std::string deep = std::string(64, '[') + std::string(64, ']');
  CHECK(kind(deep) == "an array");
  CHECK(test::missing_in(test::error_of([&] { kind("[" + deep + "]"); }), {"at most 64 levels"}) == "");
}
