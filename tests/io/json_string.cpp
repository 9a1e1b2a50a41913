// SPDX-License-Identifier: BSL-1.0
#include <tapeless/io/json_string.hpp>

#include <string>

#include "catch.hpp"
#include "temporary_folder.hpp"

namespace tl = tapeless;

TEST_CASE("JSON strings are spelled so that they read back", "[io]") {
  CHECK(tl::io::json_string("plain") == "\"plain\"");
  CHECK(tl::io::json_string("a\"b\\c/") == "\"a\\\"b\\\\c/\"");
  CHECK(tl::io::json_string(std::string("\n\x1f\0", 3)) == "\"\\u000a\\u001f\\u0000\"");
  CHECK(tl::io::json_string("gr\xc3\xbc\xc3\x9f") == "\"gr\xc3\xbc\xc3\x9f\"");
  CHECK(test::missing_in(test::error_of([] { tl::io::json_string("\xff"); }), {"must be UTF-8"}) == "");
}
