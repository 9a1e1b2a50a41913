// SPDX-License-Identifier: BSL-1.0
// Messages against the bytes of the format's own documentation, and of its official implementation.
#include <tapeless/io/protobuf.hpp>

#include "catch.hpp"

namespace {

using tapeless::io::protobuf_message;

std::string hex(const protobuf_message& m) {
  std::string text;
  for (const char c : m.bytes()) {
    const auto byte = static_cast<unsigned char>(c);
    if (!text.empty()) text += ' ';
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 15];
  }
  return text;
}

}  // namespace

TEST_CASE("integers are varints") {
  protobuf_message m;
  m.add_integer(1, 150);
  CHECK(hex(m) == "08 96 01");
  protobuf_message ends;
  ends.add_integer(16, 127);
  ends.add_integer(2, 0);
  CHECK(hex(ends) == "80 01 7f 10 00");
  protobuf_message negative;
  negative.add_integer(2, -2);
  CHECK(hex(negative) == "10 fe ff ff ff ff ff ff ff ff 01");
}

TEST_CASE("texts and messages have their length in front") {
  protobuf_message text, outer, inner, empty;
  text.add_text(2, "testing");
  CHECK(hex(text) == "12 07 74 65 73 74 69 6e 67");
  inner.add_integer(1, 150);
  outer.add_message(3, inner);
  outer.add_message(3, empty);
  CHECK(hex(outer) == "1a 03 08 96 01 1a 00");
}

TEST_CASE("numbers are little-endian") {
  protobuf_message m;
  m.add_float(2, -2.5f);
  m.add_double(1, 1.5);
  CHECK(hex(m) == "15 00 00 20 c0 09 00 00 00 00 00 00 f8 3f");
}

TEST_CASE("a field can be announced, and written later") {
  protobuf_message m;
  m.announce(4, 300);
  CHECK(hex(m) == "22 ac 02");
  CHECK(m.bytes().size() == 3);
  CHECK(!m.empty());
}

TEST_CASE("fields of two messages can be joined") {
  protobuf_message m, more;
  CHECK(m.empty());
  m.add_integer(1, 1);
  more.add_integer(2, 2);
  m.append(more);
  CHECK(hex(m) == "08 01 10 02");
}
