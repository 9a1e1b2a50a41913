// SPDX-License-Identifier: BSL-1.0
// Text as overlapping windows of characters, and for each character the one that follows.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <tapeless/data/dataset.hpp>
#include <tapeless/error.hpp>
#include <tapeless/io/file.hpp>

namespace tapeless::data {

/// All windows of `context` characters (bytes, 0 to 255) of the file at `path`: columns "text" and "next",
/// which lies one character further on, std::int32_t [context] each. Throws tl::error with the path if the
/// file cannot be read or is shorter than `context + 1` characters, and if `context` is not positive.
inline dataset text_windows(const std::string& path, std::int64_t context) {
  if (context < 1) throw error({"text_windows: expected a context from 1 on, found ", context});
  const std::vector<std::byte> bytes = io::read_file(path);
  const auto length = static_cast<std::int64_t>(bytes.size());
  if (length <= context) {
    throw error({path, ": expected more than ", context,
                 " characters, one window and the next character, found ", length});
  }
  std::vector<std::int32_t> characters(bytes.size());
  std::transform(bytes.begin(), bytes.end(), characters.begin(),
                 [](std::byte byte) { return std::to_integer<std::int32_t>(byte); });
  const auto storage = std::make_shared<const std::vector<std::int32_t>>(std::move(characters));
  const std::int64_t count = length - context;
  dataset result;
  result.add("text", {context}, storage, {.first = 0, .count = count, .stride = 1});
  result.add("next", {context}, storage, {.first = 1, .count = count, .stride = 1});
  return result;
}

}  // namespace tapeless::data
