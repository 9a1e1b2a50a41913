// SPDX-License-Identifier: BSL-1.0
// Text as overlapping windows of characters, and for each character the one that follows.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <tapeless/data/dataset.hpp>
#include <tapeless/error.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/element.hpp>
#include <tapeless/io/file.hpp>

namespace tapeless::data {

namespace detail {

template <class T>
constexpr bool has_fractions = std::is_floating_point_v<T>;
template <element_type T>
constexpr bool has_fractions<T> = is_floating(element_of<T>);

/// A character's byte, or a number as it is; throws tl::error with its place where Element, of
/// whole numbers, does not hold it.
template <class Element, class Character>
Element number_of(Character c, std::string_view what, std::size_t place) {
  if constexpr (std::is_same_v<Character, char> || std::is_same_v<Character, std::byte>) {
    return number_of<Element>(static_cast<unsigned char>(c), what, place);
  } else if constexpr (std::is_enum_v<Character>) {
    return number_of<Element>(static_cast<std::underlying_type_t<Character>>(c), what, place);
  } else {
    constexpr bool loses_fractions = has_fractions<Character> && !has_fractions<Element>;
    static_assert(!loses_fractions,
                  "tapeless: numbers with fractions would be cut off to integers: "
                  "tl::data::windows_of<float>(numbers, context) has windows of float");
    if constexpr (!loses_fractions && std::is_integral_v<Element>) {
      if (!std::in_range<Element>(+c))
        throw_error({what, ": ", +c, ", at place ", place, ", is no ", name_of(element_of<Element>)});
    }
    return static_cast<Element>(c);
  }
}

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
    for (const std::byte byte : part) characters.push_back(number_of<Element>(byte, path, characters.size()));
  }
  return characters;
}

TAPELESS_COLD inline void require_context(std::string_view what, std::int64_t context) {
  if (context < 1) throw_error({what, ": expected a context from 1 on, found ", context});
}

template <class Element>
dataset windows_into(std::vector<Element> characters, std::int64_t context) {
  const std::int64_t count = static_cast<std::int64_t>(characters.size()) - context;
  const auto storage = std::make_shared<const std::vector<Element>>(std::move(characters));
  dataset result;
  result.add("text", {context}, storage, {.first = 0, .count = count, .stride = 1});
  result.add("next", {context}, storage, {.first = 1, .count = count, .stride = 1});
  return result;
}

}  // namespace detail

/// All windows of `context` characters (bytes, 0 to 255) of the file at `path`: columns "text" and "next",
/// which lies one character further on, std::int32_t [context] each. Throws tl::error with the path if the
/// file cannot be read, is shorter than `context + 1` characters or too large for memory, or has one that
/// Element, of whole numbers, does not hold. Throws as well if `context` is not positive.
template <class Element = std::int32_t>
dataset text_windows(const std::string& path, std::int64_t context) {
  detail::require_context("text_windows", context);
  return detail::windows_into<Element>(
      io::with_memory_for(path, [&] { return detail::read_characters<Element>(path, context); }), context);
}

/// The same of a text that is in memory, or of numbers that stand for its parts, such as those of a
/// tokenizer. Throws tl::error where there are not more than `context`, if that is not positive, and with the
/// place of a number that Element, of whole numbers, does not hold.
template <class Element = std::int32_t, class Characters>
dataset windows_of(const Characters& characters, std::int64_t context) {
  if constexpr (std::is_convertible_v<const Characters&, const char*>) {
    return windows_of<Element>(std::string_view(characters), context);  // without a literal's 0
  } else {
    detail::require_context("windows_of", context);
    const auto count = static_cast<std::int64_t>(std::size(characters));
    if (count <= context)
      throw_error({"windows_of: expected more than ", context,
                   " characters, one window and the next character, found ", count});
    std::vector<Element> numbers;
    numbers.reserve(static_cast<std::size_t>(count));
    for (const auto character : characters)
      numbers.push_back(detail::number_of<Element>(character, "windows_of", numbers.size()));
    return detail::windows_into<Element>(std::move(numbers), context);
  }
}

}  // namespace tapeless::data
