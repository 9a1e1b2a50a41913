// SPDX-License-Identifier: BSL-1.0
// How JSON spells characters in its strings, at run time and while compiling.
#pragma once

#include <initializer_list>
#include <string_view>

namespace tapeless::io {

/// Calls put(c) with each character that stands for `text` between the quotes of a JSON string.
template <class Put>
constexpr void put_json_escaped(std::string_view text, Put put) {
  constexpr std::string_view digits = "0123456789abcdef";
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (code < 0x20) {
      for (const char of_code : {'\\', 'u', '0', '0', digits[code >> 4], digits[code & 15]}) put(of_code);
    } else {
      if (c == '"' || c == '\\') put('\\');
      put(c);
    }
  }
}

}  // namespace tapeless::io
