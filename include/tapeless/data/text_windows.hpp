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
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/io/file.hpp>

namespace tapeless::data {

namespace detail {

/// The bytes of the file as numbers; throws tl::error if there are not more than `context`.
template <class Element>
std::vector<Element> read_characters(const std::string& path, std::int64_t context) {
  io::file_reader file(path);
  if (file.size() <= static_cast<std::uint64_t>(context)) {
    throw_error({path, ": expected more than ", context,
                 " characters, one window and the next character, found ", file.size()});
  }
  const auto size = static_cast<std::size_t>(file.size());
  std::vector<Element> characters;
  characters.reserve(size);
  std::vector<std::byte> block(std::min(size, std::size_t{1} << 16));
  while (characters.size() < size) {
    const array_view<std::byte> part(block.data(), std::min(block.size(), size - characters.size()));
    file.read_exactly(part);
    for (const std::byte byte : part) characters.push_back(std::to_integer<Element>(byte));
  }
  return characters;
}

}  // namespace detail

/// All windows of `context` characters (bytes, 0 to 255) of the file at `path`: columns "text" and "next",
/// which lies one character further on, std::int32_t [context] each. Throws tl::error with the path if the
/// file cannot be read, is shorter than `context + 1` characters or too large for memory. Throws as well if
/// `context` is not positive.
template <class Element = std::int32_t>
dataset text_windows(const std::string& path, std::int64_t context) {
  if (context < 1) throw_error({"text_windows: expected a context from 1 on, found ", context});
  auto characters =
      io::with_memory_for(path, [&] { return detail::read_characters<Element>(path, context); });
  const std::int64_t count = static_cast<std::int64_t>(characters.size()) - context;
  const auto storage = std::make_shared<const std::vector<Element>>(std::move(characters));
  dataset result;
  result.add("text", {context}, storage, {.first = 0, .count = count, .stride = 1});
  result.add("next", {context}, storage, {.first = 1, .count = count, .stride = 1});
  return result;
}

}  // namespace tapeless::data
