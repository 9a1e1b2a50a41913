// SPDX-License-Identifier: BSL-1.0
// Names that occur twice and, for messages about one that does not exist, those that look most like it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include <tapeless/error.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/list.hpp>
#include <tapeless/graph/core/maybe.hpp>
#include <tapeless/io/utf8.hpp>

namespace tapeless::io {

namespace detail {

TAPELESS_COLD inline maybe<std::string_view> repeated(array_view<std::string_view> names) {
  std::make_heap(names.begin(), names.end());
  std::sort_heap(names.begin(), names.end());  // not std::sort, which compiles to several times as much
  for (std::size_t i = 1; i < names.size(); ++i)
    if (names[i] == names[i - 1]) return names[i];
  return {};
}

}  // namespace detail

/// A name that several of the items have, nothing if all are different.
template <class Items>
maybe<std::string_view> repeated_name(const Items& items) {
  list<std::string_view> names;
  for (const auto& item : items) names.push(item.name);
  return detail::repeated(names);
}

/// How many characters must be inserted, removed or replaced to make `b` of `a`.
TAPELESS_COLD inline std::size_t edit_distance(std::string_view a, std::string_view b) {
  list<std::size_t> row(b.size() + 1);  // distances of the part of `a` so far to every part of `b`
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min(replaced, std::min(diagonal, row[j]) + 1);
    }
  }
  return row[b.size()];
}

/// The `most` of `names` that look most like `name`, quoted and separated by commas; "none" of no names.
TAPELESS_COLD inline std::string similar_names(std::string_view name,
                                               array_view<const std::string_view> names,
                                               std::size_t most = 3) {
  list<std::size_t> distance(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) distance[i] = edit_distance(name, names[i]);
  const auto is_nearer = [&](std::size_t a, std::size_t b) {
    return distance[a] != distance[b] ? distance[a] < distance[b] : names[a] < names[b];
  };
  std::string text;
  for (std::size_t count = std::min(most, names.size()); count > 0; --count) {
    std::size_t nearest = 0;
    for (std::size_t i = 1; i < names.size(); ++i)
      if (is_nearer(i, nearest)) nearest = i;
    append(text, {text.empty() ? "\"" : ", \"", shown(names[nearest]), "\""});
    distance[nearest] = std::string_view::npos;  // is named already
  }
  return text.empty() ? "none" : text;
}

}  // namespace tapeless::io
