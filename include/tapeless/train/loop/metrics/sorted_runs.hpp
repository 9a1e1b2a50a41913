// SPDX-License-Identifier: BSL-1.0
// Numbers that are kept in order while more come: how many are below another one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/compiler.hpp>

namespace tapeless::detail {

/// A number, and how often it counts.
template <class Number>
struct ranked {
  Number number;
  Number weight = 1;
  Number below = 0;  // the weight of those before it in its run
};

/// Numbers in sorted runs, each of which has at least twice as many as the next: to add n numbers one batch
/// after the other takes n log n time, to find a place among them log^2 n (Bentley and Saxe, "Decomposable
/// searching problems", 1980). So a metric of ranks can be read after every batch. A template, so that
/// programs without one compile nothing of it.
template <class Number>
class sorted_runs {
 public:
  std::size_t size() const { return items_.size(); }

  /// Adds numbers, in any order; none of them is NaN.
  void add(array_view<const ranked<Number>> more) {
    if (more.empty()) return;
    begins_.push_back(static_cast<std::int64_t>(items_.size()));
    items_.insert(items_.end(), more.begin(), more.end());
    ranked<Number>* const first = items_.data() + begins_.back();
    ranked<Number>* const last = items_.data() + items_.size();
    std::make_heap(first, last, comes_before);
    std::sort_heap(first, last, comes_before);  // not std::sort, which compiles to several times as much
    while (begins_.size() > 1 && length(begins_.size() - 2) < 2 * length(begins_.size() - 1)) merge_last();
    add_up(begins_.size() - 1);
  }

  /// Adds a run as it was in another object, in order. So sums are of the same terms, and no bit differs.
  /// Pre-condition: it is not empty.
  TAPELESS_COLD void add_run(array_view<const ranked<Number>> run) {
    begins_.push_back(static_cast<std::int64_t>(items_.size()));
    items_.insert(items_.end(), run.begin(), run.end());
    add_up(begins_.size() - 1);
  }
  std::size_t runs() const { return begins_.size(); }
  std::size_t length(std::size_t run) const {
    return (run + 1 < begins_.size() ? begin(run + 1) : items_.size()) - begin(run);
  }

  /// Twice the weight of those that are smaller than x, and once of those that are equal: an equal one is
  /// half below.
  Number twice_below(Number x) const {
    Number twice = 0;
    for (std::size_t run = 0; run < begins_.size(); ++run) {
      const ranked<Number>* const first = items_.data() + begins_[run];
      const ranked<Number>* const last = first + length(run);
      const auto below = [&](const ranked<Number>* to) {
        return to == last ? to[-1].below + to[-1].weight : to->below;
      };
      twice += below(std::lower_bound(first, last, ranked<Number>{x}, comes_before));
      twice += below(std::upper_bound(first, last, ranked<Number>{x}, comes_before));
    }
    return twice;
  }

  /// All of them, run after run.
  const std::vector<ranked<Number>>& items() const { return items_; }

 private:
  std::vector<ranked<Number>> items_, merged_;
  std::vector<std::int64_t> begins_;  // of the runs in items_

  std::size_t begin(std::size_t run) const { return static_cast<std::size_t>(begins_[run]); }

  static bool comes_before(const ranked<Number>& a, const ranked<Number>& b) { return a.number < b.number; }

  void add_up(std::size_t run) {
    Number sum = 0;
    for (std::size_t i = begin(run); i < begin(run) + length(run); ++i) {
      items_[i].below = sum;
      sum += items_[i].weight;
    }
  }

  void merge_last() {
    const ranked<Number>* const half = items_.data() + begins_.back();
    begins_.pop_back();
    ranked<Number>* const first = items_.data() + begins_.back();
    merged_.resize(items_.size() - begin(begins_.size() - 1));
    std::merge(static_cast<const ranked<Number>*>(first), half, half,
               static_cast<const ranked<Number>*>(items_.data() + items_.size()), merged_.data(),
               comes_before);
    std::copy(merged_.begin(), merged_.end(), first);
  }
};

}  // namespace tapeless::detail
