// SPDX-License-Identifier: BSL-1.0
// Numbers that are kept in order while more come: how many are below another one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <tapeless/graph/core/array_view.hpp>

namespace tapeless::detail {

/// Numbers in sorted runs, each of which has at least twice as many as the next: to add n numbers one batch
/// after the other takes n log n time, to find a place among them log^2 n (Bentley and Saxe, "Decomposable
/// searching problems", 1980). So a metric of ranks can be read after every batch. A template, so that
/// programs without one compile nothing of it.
template <class Number>
class sorted_runs {
 public:
  void clear() {
    items_.clear();
    begins_.clear();
  }

  std::size_t size() const { return items_.size(); }

  /// Adds numbers, in any order; none of them is NaN.
  void add(array_view<const Number> more) {
    if (more.empty()) return;
    begins_.push_back(static_cast<std::int64_t>(items_.size()));
    items_.insert(items_.end(), more.begin(), more.end());
    Number* const first = items_.data() + begins_.back();
    Number* const last = items_.data() + items_.size();
    std::make_heap(first, last);
    std::sort_heap(first, last);  // not std::sort, which compiles to several times as much
    while (begins_.size() > 1 && length(begins_.size() - 2) < 2 * length(begins_.size() - 1)) merge_last();
  }

  /// Twice how many are smaller than x, and once how many are equal: an equal one is half below.
  std::int64_t twice_below(Number x) const {
    std::int64_t twice = 0;
    for (std::size_t run = 0; run < begins_.size(); ++run) {
      const Number* const first = items_.data() + begins_[run];
      const Number* const last = first + length(run);
      twice += std::lower_bound(first, last, x) - first;
      twice += std::upper_bound(first, last, x) - first;
    }
    return twice;
  }

  /// All of them, in no order that means anything.
  const std::vector<Number>& items() const { return items_; }

 private:
  std::vector<Number> items_, merged_;
  std::vector<std::int64_t> begins_;  // of the runs in items_

  std::size_t begin(std::size_t run) const { return static_cast<std::size_t>(begins_[run]); }
  std::size_t length(std::size_t run) const {
    return (run + 1 < begins_.size() ? begin(run + 1) : items_.size()) - begin(run);
  }

  void merge_last() {
    const Number* const half = items_.data() + begins_.back();
    begins_.pop_back();
    Number* const first = items_.data() + begins_.back();
    merged_.resize(items_.size() - begin(begins_.size() - 1));
    std::merge(static_cast<const Number*>(first), half, half,
               static_cast<const Number*>(items_.data() + items_.size()), merged_.data());
    std::copy(merged_.begin(), merged_.end(), first);
  }
};

}  // namespace tapeless::detail
