// SPDX-License-Identifier: BSL-1.0
// The spelling of strings in JSON.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <tapeless/error.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/io/utf8.hpp>

namespace tapeless::io {

/// `text` as a JSON string with its quotes; throws tl::error if it is not UTF-8.
TAPELESS_COLD inline std::string json_string(std::string_view text) {
  if (!is_utf8(text)) throw_error("JSON: a string must be UTF-8, found other bytes");
  constexpr std::string_view digits = "0123456789abcdef";
  std::string result = "\"";
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const auto code = static_cast<unsigned char>(c);
    if (code < 0x20) {
      append(result, {"\\u00", digits.substr(code >> 4, 1), digits.substr(code & 15, 1)});
    } else {
      append(result, {c == '"' || c == '\\' ? "\\" : "", text.substr(i, 1)});
    }
  }
  append(result, {"\""});
  return result;
}

}  // namespace tapeless::io
