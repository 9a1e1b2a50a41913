// SPDX-License-Identifier: BSL-1.0
#include "json_reader.hpp"
#include <tapeless/io/json_string.hpp>

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

#include "catch.hpp"
#include "temporary_folder.hpp"

namespace tl = tapeless;
using test::json;

namespace {

json read(std::string_view text) { return test::read_json(text, "text"); }

std::string error_for(std::string_view text) {
  return test::error_of([&] { read(text); });
}

}  // namespace

TEST_CASE("JSON values are read", "[io]") {
  CHECK(read("null").kind() == "null");
  CHECK(read(" true ").as<bool>());
  CHECK_FALSE(read("false").as<bool>());
  CHECK(read("[]").as<json::array>().empty());
  CHECK(read("{ }").as<json::object>().empty());
  CHECK(read("\t[1 ,\r\n2]\n").as<json::array>().size() == 2);
}

TEST_CASE("JSON numbers are integers where they can be", "[io]") {
  CHECK(read("0").as<std::int64_t>() == 0);
  CHECK(read("-12").as<std::int64_t>() == -12);
  CHECK(read("9223372036854775807").as<std::int64_t>() == INT64_MAX);
  CHECK(read("-9223372036854775808").as<std::int64_t>() == INT64_MIN);
  CHECK(read("9223372036854775808").as<double>() == 9223372036854775808.0);
  CHECK(read("1e-08").as<double>() == 1e-08);
  CHECK(read("-0.5E+2").as<double>() == -50.0);
  CHECK(read("2.0").as<double>() == 2.0);
  CHECK(read("1e-400").as<double>() == 0.0);
  CHECK(std::signbit(read("-0.1e-400").as<double>()));
}

TEST_CASE("JSON strings are read with their escapes", "[io]") {
  const auto text = [](std::string_view spelling) { return read(spelling).as<std::string>(); };
  CHECK(text(R"("")") == "");
  CHECK(text(R"("a\"\\\/\b\f\n\r\tz")") == "a\"\\/\b\f\n\r\tz");
  CHECK(text(R"("\u0041\u00fc\u20ac\ud83d\ude00")") == "A\xc3\xbc\xe2\x82\xac\xf0\x9f\x98\x80");
  CHECK(text(R"("\u0000")") == std::string(1, '\0'));
  CHECK(text("\"gr\xc3\xbc\xc3\x9f\"") == "gr\xc3\xbc\xc3\x9f");
}

TEST_CASE("JSON objects keep the order of the text", "[io]") {
  const json value = read(R"({"b": [1, {"c": null}], "a": "x"})");
  const json::object& members = value.as<json::object>();
  REQUIRE(members.size() == 2);
  CHECK(members[0].name == "b");
  CHECK(members[1].name == "a");
  CHECK(value["b"].as<json::array>()[1]["c"].kind() == "null");
}

TEST_CASE("what json_string spells is read back", "[io]") {
  std::string text;
  for (int code = 0; code < 128; ++code) text += static_cast<char>(code);
  CHECK(read(tl::io::json_string(text)).as<std::string>() == text);
}

TEST_CASE("what is no JSON is refused at its byte", "[io]") {
  struct mistake {
    std::string_view text, place, expected, found;
  };
  const mistake mistakes[] = {
      {"", "byte 0", "a value", "the end"},
      {"  ", "byte 2", "a value", "the end"},
      {"[1,]", "byte 3", "a value", "']'"},
      {"[1 2]", "byte 3", "']'", "'2'"},
      {"[1", "byte 2", "']'", "the end"},
      {"{\"a\" 1}", "byte 5", "':'", "'1'"},
      {"{a: 1}", "byte 1", "a name in quotes", "'a'"},
      {"{\"a\":1,}", "byte 7", "a name in quotes", "'}'"},
      {"{\"a\":1", "byte 6", "'}'", "the end"},
      {"1 2", "byte 2", "the end", "'2'"},
      {"tru", "byte 0", "a value", "'t'"},
      {"nul", "byte 0", "a value", "'n'"},
      {"falsch", "byte 0", "a value", "'f'"},
      {"NaN", "byte 0", "a value", "'N'"},
      {"01", "byte 1", "the end", "'1'"},
      {"-", "byte 1", "a value", "the end"},
      {"+1", "byte 0", "a value", "'+'"},
      {".5", "byte 0", "a value", "'.'"},
      {"1.", "byte 2", "a digit", "the end"},
      {"1e", "byte 2", "a digit", "the end"},
      {"[1e999]", "byte 1", "a number in the range of double", "'1'"},
      {"\"a", "byte 2", "a character or '\"'", "the end"},
      {"\"a\nb\"", "byte 2", "a character", "byte value 10"},
      {"\"\xff\"", "byte 1", "a character", "byte value 255"},
      {"\"\xc3", "byte 1", "a character", "byte value 195"},
      {"\"\\x\"", "byte 2", "an escape", "'x'"},
      {"\"\\", "byte 2", "an escape", "the end"},
      {"\"\\u12", "byte 3", "four hexadecimal digits", "'1'"},
      {"\"\\u12g4\"", "byte 3", "four hexadecimal digits", "'1'"},
      {"\"\\u-123\"", "byte 3", "four hexadecimal digits", "'-'"},
      {"\"\\ud800\"", "byte 7", "a surrogate pair", "'\"'"},
      {"\"\\ud800\\u0041\"", "byte 13", "a surrogate pair", "'\"'"},
      {"\"\\udc00\"", "byte 7", "a surrogate pair", "'\"'"},
      {std::string_view("\0", 1), "byte 0", "a value", "byte value 0"},
  };
  for (const mistake& m : mistakes) {
    const std::string expected = "expected " + std::string(m.expected),
                      found = "found " + std::string(m.found);
    CHECK(test::missing_in(error_for(m.text), {"text: " + std::string(m.place) + ": ", expected, found}) ==
          "");
  }
}

TEST_CASE("a JSON object names each member once", "[io]") {
  CHECK(test::missing_in(error_for(R"([{"a":1,"b":2,"\u0061":3}])"), {"byte 1", "\"a\" occurs twice"}) == "");
}

TEST_CASE("JSON nests up to 64 deep", "[io]") {
  const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  CHECK_NOTHROW(read(nested(64)));
  CHECK(test::missing_in(error_for(nested(65)), {"byte 64", "at most 64 levels"}) == "");
  CHECK(test::missing_in(error_for(std::string(1'000'000, '[')), {"at most 64 levels"}) == "");
}

TEST_CASE("JSON has a million values at most", "[io]") {
  std::string text = "[0";
  for (int i = 0; i < 999'998; ++i) text += ",0";
  CHECK(read(text + "]").as<json::array>().size() == 999'999);
  CHECK(test::missing_in(error_for(text + ",0]"), {"expected at most 1000000 values"}) == "");
}

TEST_CASE("no beginning of a JSON text is a JSON text", "[io]") {
  const std::string text = R"({"a\u00e9":[1,-2.5e3,true,false,null,"\ud83d\ude00"],"b":{"c":"d"}})";
  CHECK_NOTHROW(read(text));
  for (std::size_t size = 0; size < text.size(); ++size) {
    CHECK(test::missing_in(error_for(text.substr(0, size)), {"text: byte", "expected"}) == "");
  }
}
