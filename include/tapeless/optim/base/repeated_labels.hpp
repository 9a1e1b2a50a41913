// SPDX-License-Identifier: BSL-1.0
// Names for what a rule has several times: trace.buffer and trace_2.buffer, trace.momentum and
// trace_2.momentum.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include <tapeless/graph/core/name.hpp>

namespace tapeless::detail {

constexpr void append_to(name& n, std::string_view text) {
  int size = n.size();
  for (char c : text) n.characters[size++] = c;
}

/// The label with a number, from 2 on, behind its first part: "trace_2.buffer". One that would get too long
/// stays as it is.
constexpr name numbered(const name& label, int number) {
  if (number == 1 || label.size() + 5 >= name::capacity) return label;
  const std::string_view all = label.view();
  std::size_t part = 0;  // g++ 12 takes no find for a constant
  while (part < all.size() && all[part] != '.') ++part;
  name result;
  append_to(result, all.substr(0, part));
  result = result + "_" + number;
  append_to(result, all.substr(part));
  return result;
}

/// A part of a chain: its label, and where its hyperparameters are among those of all.
struct labelled_part {
  std::string_view label;
  std::size_t first = 0, count = 0;
};

/// Where parts have their label and the names of their hyperparameters in common, their label stands before
/// these, with a number from the second part on.
template <std::size_t Names, std::size_t Parts>
constexpr void tell_apart(std::array<name, Names>& names, const std::array<labelled_part, Parts>& parts) {
  const auto own = names;
  const auto are_equal = [&](const labelled_part& a, const labelled_part& b) {
    if (a.label != b.label || a.count != b.count) return false;
    for (std::size_t i = 0; i < a.count; ++i)
      if (own[a.first + i] != own[b.first + i]) return false;
    return true;
  };
  for (std::size_t p = 0; p < Parts; ++p) {
    if (parts[p].label.empty() || parts[p].count == 0) continue;
    int number = 1, all = 0;
    for (std::size_t other = 0; other < Parts; ++other) {
      if (!are_equal(parts[p], parts[other])) continue;
      number += other < p ? 1 : 0;
      ++all;
    }
    if (all == 1 || parts[p].label.size() + 5 >= name::capacity) continue;
    name label;
    append_to(label, parts[p].label);
    label = numbered(label, number) + ".";
    for (std::size_t i = parts[p].first; i < parts[p].first + parts[p].count; ++i)
      if (label.size() + own[i].size() < name::capacity) names[i] = label + own[i];
  }
}

}  // namespace tapeless::detail
