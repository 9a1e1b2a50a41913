// SPDX-License-Identifier: BSL-1.0
// Lines of cells as a table of text.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/train/loop/measurement_text.hpp>

namespace tapeless::detail {

/// Cells, line after line, that stand in columns. A template, so that programs without a table compile
/// nothing of it.
template <class Text>
class columns_of_cells {
 public:
  /// Where a cell stands in its column: at the left or the right, or with its decimal point below others.
  enum class align { left, right, point };

  /// Adds a cell to the line.
  void add(Text text, align where) {
    if (at_ == widths_.size()) widths_.push_back({});
    width& w = widths_[at_++];
    const int all = columns_of(text), before = before_point(text);
    if (where == align::point) {
      w.before = std::max(w.before, before);
      w.behind = std::max(w.behind, all - before);
    } else {
      w.whole = std::max(w.whole, all);
    }
    cells_.push_back({std::move(text), where});
  }

  /// What is added from now on is the next line.
  void end_line() {
    ends_.push_back(cells_.size());
    at_ = 0;
  }

  /// The lines, without a line break at the end.
  TAPELESS_COLD std::string text() const {
    std::string all;
    std::size_t number = 0;
    for (const std::size_t end : ends_) {
      if (number > 0) all += '\n';
      std::string line;
      for (std::size_t column = 0; number < end; ++column, ++number) {
        const cell& c = cells_[number];
        const width& w = widths_[column];
        const int room = std::max(w.whole, w.before + w.behind), taken = columns_of(c.text);
        const int before = c.where == align::left    ? 0
                           : c.where == align::right ? room - taken
                                                     : w.before - before_point(c.text);
        if (column > 0) line += "  ";
        line.append(static_cast<std::size_t>(before), ' ');
        line += c.text;
        line.append(static_cast<std::size_t>(room - before - taken), ' ');
      }
      line.erase(line.find_last_not_of(' ') + 1);
      all += line;
    }
    return all;
  }

 private:
  struct cell {
    Text text;
    align where;
  };
  struct width {
    int whole = 0, before = 0, behind = 0;
  };
  std::vector<cell> cells_;
  std::vector<std::size_t> ends_;  // of lines, in cells_
  std::vector<width> widths_;
  std::size_t at_ = 0;

  // Columns of text before its decimal point, or its first number's end.
  static int before_point(std::string_view text) {
    return columns_of(text.substr(0, text.find_first_of(".+e", 1)));
  }
};

using text_columns = columns_of_cells<std::string>;

}  // namespace tapeless::detail
