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

/// "GROUP.NAME"; a name that would get too long, and one of no group, stays as it is.
constexpr name in_group(const name& group, const name& n) {
  return group.size() > 0 && group.size() + 1 + n.size() < name::capacity ? group + "." + n : n;
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

/// Where parts have their label in common, and the name of the first hyperparameter, which has a group's name
/// before it, their label stands before the names of all, with a number from the second part on.
template <std::size_t Names, std::size_t Parts>
constexpr void tell_apart(std::array<name, Names>& names, const std::array<labelled_part, Parts>& parts) {
  const auto own = names;
  for (std::size_t p = 0; p < Parts; ++p) {
    const labelled_part& part = parts[p];
    if (part.label.empty() || part.count == 0 || part.label.size() + 5 >= name::capacity) continue;
    int before = 0, equal = 0;
    for (std::size_t q = 0; q < Parts; ++q) {
      const labelled_part& other = parts[q];
      if (other.count == 0 || other.label != part.label || own[other.first] != own[part.first]) continue;
      before += q < p ? 1 : 0;
      ++equal;
    }
    if (equal == 1) continue;
    name label;
    append_to(label, part.label);
    label = numbered(label, before + 1) + ".";
    for (std::size_t i = part.first; i < part.first + part.count; ++i)
      if (label.size() + own[i].size() < name::capacity) names[i] = label + own[i];
  }
}

}  // namespace tapeless::detail
