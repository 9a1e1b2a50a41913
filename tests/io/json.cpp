// SPDX-License-Identifier: BSL-1.0
#include "json.hpp"

#include <cstdint>
#include <string>

#include "catch.hpp"
#include "temporary_folder.hpp"

namespace tl = tapeless;
using test::json;

TEST_CASE("a JSON value is asked for what it is", "[io]") {
  const json integer{std::int64_t{3}}, real{0.5}, text{std::string("three")}, nothing{nullptr};
  CHECK(integer.as<std::int64_t>() == 3);
  CHECK(integer.number() == 3.0);
  CHECK(real.number() == 0.5);
  CHECK(text.as<std::string>() == "three");
  CHECK(text.get_if<bool>() == nullptr);
  CHECK(nothing.kind() == "null");
}

TEST_CASE("a JSON value that is asked for something else says what it is", "[io]") {
  const json text{std::string("three")};
  CHECK(test::missing_in(test::error_of([&] { text.as<std::int64_t>(); }),
                         {"expected an integer, found a string"}) == "");
  CHECK(test::missing_in(test::error_of([&] { text.as<json::array>(); }),
                         {"expected an array, found a string"}) == "");
  CHECK(test::missing_in(test::error_of([&] { text.number(); }), {"expected a number, found a string"}) ==
        "");
}

TEST_CASE("members of a JSON object are found by name", "[io]") {
  const json object{json::object{{"a", {true}}, {"b", {std::int64_t{2}}}}};
  CHECK(object["b"].as<std::int64_t>() == 2);
  CHECK(object.find("a")->as<bool>());
  CHECK(object.find("c") == nullptr);
  CHECK(object["a"].find("b") == nullptr);
  CHECK(test::missing_in(test::error_of([&] { object["c"]; }),
                         {"expected an object with \"c\", found an object without"}) == "");
  CHECK(test::missing_in(test::error_of([&] { object["a"]["c"]; }), {"with \"c\", found a truth value"}) ==
        "");
}
