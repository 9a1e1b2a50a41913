// SPDX-License-Identifier: BSL-1.0
#include <tapeless/io/utf8.hpp>

#include <string>
#include <string_view>

#include "catch.hpp"

namespace io = tapeless::io;

TEST_CASE("every character is written and recognised", "[io]") {
  for (char32_t code = 0; code <= 0x10ffff; ++code) {
    if (code >= 0xd800 && code <= 0xdfff) continue;
    std::string text;
    io::append_utf8(text, code);
    const std::size_t length = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    if (text.size() != length || io::utf8_length(text + "a") != length)
      FAIL("character " << static_cast<unsigned>(code));
  }
}

TEST_CASE("bytes that are no character are recognised", "[io]") {
  const std::string_view wrong[] = {"",
                                    "\x80",
                                    "\xbf",
                                    "\xc0\x80",
                                    "\xc1\xbf",
                                    "\xc3",
                                    "\xc3(",
                                    "\xe0\x9f\xbf",
                                    "\xe2\x82",
                                    "\xed\xa0\x80",
                                    "\xed\xbf\xbf",
                                    "\xf0\x8f\xbf\xbf",
                                    "\xf0\x9f",
                                    "\xf0\x9f\x98",
                                    "\xe2\x82(\x80)",
                                    "\xf4\x90\x80\x80",
                                    "\xf5\x80\x80\x80",
                                    "\xff"};
  for (const std::string_view text : wrong) CHECK(io::utf8_length(text) == 0);
}

TEST_CASE("a text is UTF-8 if all of it is", "[io]") {
  CHECK(io::is_utf8(""));
  CHECK(io::is_utf8("gr\xc3\xbc\xc3\x9f"));
  CHECK_FALSE(io::is_utf8("gr\xc3\xbc\xc3"));
}

TEST_CASE("what is shown of a text is short and controls no terminal", "[io]") {
  CHECK(io::shown("fc1.weight \xc3\xbc") == "fc1.weight \xc3\xbc");
  CHECK(io::shown("a\033[2J\n\x7f\xc2\x9b\xff") == "a?[2J????");
  CHECK(io::shown(std::string(80, 'a')) == std::string(80, 'a'));
  CHECK(io::shown(std::string(81, 'a')) == std::string(80, 'a') + "...");
}
