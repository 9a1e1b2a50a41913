// SPDX-License-Identifier: BSL-1.0
// Tables in plain text: columns as wide as what is in them.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/train/loop/text_columns.hpp>

namespace tapeless::detail {

/// Rows of cells. The first row is the head; numbers stand at the right of their columns. A template, as much
/// in this room, so that compilers pass over it in programs that do not look inside.
template <class>
class lazy_text_table {
 public:
  /// For each column 'l' or 'r', where its cells stand.
  explicit lazy_text_table(std::string_view columns) : columns_(columns) {}

  /// A row with fewer cells than columns ends early.
  TAPELESS_COLD void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  /// A line across.
  TAPELESS_COLD void add_line() { rows_.emplace_back(); }

  TAPELESS_COLD std::string text() const {
    std::vector<int> widths(columns_.size());
    for (const auto& row : rows_)
      for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], columns_of(row[c]));
    std::size_t all = 2 * (widths.size() - 1);
    for (const int w : widths) all += static_cast<std::size_t>(w);
    std::string text;
    for (const auto& row : rows_) {
      std::string line = row.empty() ? std::string(all, '-') : "";
      for (std::size_t c = 0; c < row.size(); ++c) {
        const std::string space(static_cast<std::size_t>(widths[c] - columns_of(row[c])), ' ');
        append(line,
               {c > 0 ? "  " : "", columns_[c] == 'r' ? space : "", row[c], columns_[c] == 'l' ? space : ""});
      }
      line.erase(line.find_last_not_of(' ') + 1);
      append(text, {line, "\n"});
    }
    return text;
  }

 private:
  std::string_view columns_;
  std::vector<std::vector<std::string>> rows_;
};
using text_table = lazy_text_table<void>;

}  // namespace tapeless::detail
