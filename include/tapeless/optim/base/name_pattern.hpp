// SPDX-License-Identifier: BSL-1.0
// Patterns of parameters' names, and names of hyperparameters in groups.
#pragma once

#include <string_view>

namespace tapeless::detail {

/// Whether the text fits the pattern, where * stands for any characters and ? for any one.
constexpr bool fits(std::string_view pattern, std::string_view text) {
  std::size_t p = 0, star = pattern.size(), begin = 0;
  for (std::size_t i = 0; i < text.size() || p < pattern.size();) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      begin = i;
    } else if (i < text.size() && p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[i])) {
      ++p, ++i;
    } else if (star < pattern.size() && begin < text.size()) {
      p = star + 1;
      i = ++begin;
    } else {
      return false;
    }
  }
  return true;
}

/// Whether a hyperparameter of that full name, "decoder.learning_rate", is meant by "learning_rate", or by
/// its full name. One by one, as there may be no library that compares characters.
constexpr bool is_called(std::string_view full, std::string_view wanted) {
  if (full.size() < wanted.size()) return false;
  const std::size_t begin = full.size() - wanted.size();
  for (std::size_t i = 0; i < wanted.size(); ++i)
    if (full[begin + i] != wanted[i]) return false;
  return begin == 0 || full[begin - 1] == '.';
}

}  // namespace tapeless::detail
