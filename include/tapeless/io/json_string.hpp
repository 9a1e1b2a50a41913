// SPDX-License-Identifier: BSL-1.0
// The spelling of strings in JSON.
#pragma once

#include <string>
#include <string_view>

#include <tapeless/error.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/io/json_escape.hpp>
#include <tapeless/io/utf8.hpp>

namespace tapeless::io {

/// `text` as a JSON string with its quotes; throws tl::error if it is not UTF-8.
TAPELESS_COLD inline std::string json_string(std::string_view text) {
  if (!is_utf8(text)) throw_error("JSON: a string must be UTF-8, found other bytes");
  std::string result = "\"";
  put_json_escaped(text, [&](char c) { result += c; });
  result += '"';
  return result;
}

}  // namespace tapeless::io
