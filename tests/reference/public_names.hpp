// SPDX-License-Identifier: BSL-1.0
// Which functions the library's headers offer: what a generated case calls must exist, or the case fails
// alone.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <string_view>

namespace reference {

namespace detail {

inline std::string identifier_at(std::string_view text, std::size_t at) {
  const auto is_part = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  std::size_t end = at;
  while (end < text.size() && is_part(text[end])) ++end;
  return std::string(text.substr(at, end - at));
}

}  // namespace detail

/// The functions that headers under a folder declare as `constexpr auto NAME(`, each with its header.
class public_names {
 public:
  explicit public_names(const std::filesystem::path& include) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(include / "tapeless" / "ops")) {
      if (entry.path().extension() != ".hpp") continue;
      std::ifstream file(entry.path());
      const std::string text{std::istreambuf_iterator<char>(file), {}};
      constexpr std::string_view before = "constexpr auto ";
      for (std::size_t at = text.find(before); at != std::string::npos; at = text.find(before, at + 1)) {
        const std::string name = detail::identifier_at(text, at + before.size());
        if (text[at + before.size() + name.size()] == '(')
          names_.emplace(name, entry.path().filename().string());
      }
    }
  }

  /// The first function tl::NAME that `statements` calls and no header declares; empty if there is none.
  std::string missing_in(std::string_view statements) const {
    constexpr std::string_view before = "tl::";
    for (std::size_t at = statements.find(before); at != std::string_view::npos;
         at = statements.find(before, at + 1)) {
      const std::string name = detail::identifier_at(statements, at + before.size());
      const char after = statements[at + before.size() + name.size()];
      const bool is_function = (after == '(' || after == '<') && !is_other(name);
      if (is_function && names_.find(name) == names_.end()) return "tl::" + name;
    }
    return {};
  }

 private:
  std::map<std::string, std::string> names_;

  static bool is_other(std::string_view name) {
    for (const char* other : {"input", "param", "constant", "fill", "uniform", "pack", "correction", "order"})
      if (name == other) return true;
    return false;
  }
};

}  // namespace reference
