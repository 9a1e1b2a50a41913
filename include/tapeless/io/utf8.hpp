// SPDX-License-Identifier: BSL-1.0
// UTF-8: recognised and written one character at a time.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <tapeless/graph/core/compiler.hpp>

namespace tapeless::io {

/// Bytes of the well-formed UTF-8 character that `text` begins with, 1 to 4; 0 if there is none.
constexpr std::size_t utf8_length(std::string_view text) {
  const auto byte = [text](std::size_t i) -> unsigned {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0;
  };
  if (text.empty()) return 0;
  const unsigned lead = byte(0), second = byte(1);
  if (lead < 0x80) return 1;
  const std::size_t length = lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  const bool overlong = (lead == 0xe0 && second < 0xa0) || (lead == 0xf0 && second < 0x90);
  const bool surrogate = lead == 0xed && second >= 0xa0;
  const bool beyond_unicode = lead == 0xf4 && second >= 0x90;
  return overlong || surrogate || beyond_unicode ? 0 : length;
}

/// Whether all of `text` is well-formed UTF-8.
constexpr bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

/// A text from a file as messages have it: 80 characters at most, and '?' for what would control a terminal.
TAPELESS_COLD inline std::string shown(std::string_view text) {
  std::string result;
  for (int count = 0; !text.empty(); ++count) {
    if (count == 80) return result + "...";
    const std::size_t length = utf8_length(text);
    const auto lead = static_cast<unsigned char>(text[0]);
    const bool high_control = length == 2 && lead == 0xc2 && static_cast<unsigned char>(text[1]) < 0xa0;
    const bool is_shown = length > 0 && lead >= 0x20 && lead != 0x7f && !high_control;
    result += is_shown ? text.substr(0, length) : "?";
    text.remove_prefix(length > 0 ? length : 1);
  }
  return result;
}

/// Appends the character `code`, at most 0x10ffff and no surrogate.
inline void append_utf8(std::string& text, char32_t code) {
  const auto continuation = [&](int shift) { text += static_cast<char>(0x80 | ((code >> shift) & 0x3f)); };
  if (code < 0x80) {
    text += static_cast<char>(code);
  } else if (code < 0x800) {
    text += static_cast<char>(0xc0 | (code >> 6));
    continuation(0);
  } else if (code < 0x10000) {
    text += static_cast<char>(0xe0 | (code >> 12));
    continuation(6);
    continuation(0);
  } else {
    text += static_cast<char>(0xf0 | (code >> 18));
    continuation(12);
    continuation(6);
    continuation(0);
  }
}

}  // namespace tapeless::io
