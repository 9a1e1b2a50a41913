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

/// A name by which hyperparameters are meant, where there are several: "rest.learning_rate" is the one whose
/// full name it is, and not "matrices.rest.learning_rate"; "learning_rate" means all of that name.
class wanted_name {
 public:
  /// Among `count` of them, of which label(i) is the full name of number i.
  template <class Label>
  constexpr wanted_name(std::string_view wanted, std::size_t count, const Label& label) : wanted_(wanted) {
    bool has_group = false;
    for (char c : wanted) has_group = has_group || c == '.';
    for (std::size_t i = 0; has_group && !is_full_ && i < count; ++i) is_full_ = is_full(label(i));
  }

  constexpr bool means(std::string_view full) const {
    return is_full_ ? is_full(full) : is_called(full, wanted_);
  }

 private:
  std::string_view wanted_;
  bool is_full_ = false;

  constexpr bool is_full(std::string_view full) const {
    return full.size() == wanted_.size() && is_called(full, wanted_);
  }
};

}  // namespace tapeless::detail
