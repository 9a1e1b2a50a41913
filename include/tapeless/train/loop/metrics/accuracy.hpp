// SPDX-License-Identifier: BSL-1.0
// accuracy<"logits", "label">: how often the largest logit is the right one.
#pragma once

#include <tapeless/graph/core/name.hpp>
#include <tapeless/train/loop/measurement.hpp>

namespace tapeless {

/// The share of rows of the output Logits [..., classes] whose largest element is the one that the input
/// Labels [...] names.
template <name Logits, name Labels>
class accuracy {
 public:
  static constexpr std::string_view label = "accuracy";
  static constexpr direction improves = direction::up;

  void clear() { hits_ = count_ = 0; }

  /// Adds a batch: a run's result and what was bound to it.
  template <class Result, class Batch>
  void add(const Result& result, const Batch& batch) {
    const auto logits = result.template get<Logits>();
    const auto labels = batch.template get<Labels>();
    const std::int64_t classes = logits.shape()[logits.shape().size() - 1];
    const auto* row = logits.begin();
    for (const auto right : labels) {
      std::int64_t largest = 0;
      for (std::int64_t i = 1; i < classes; ++i)
        if (row[i] > row[largest]) largest = i;
      hits_ += largest == right ? 1 : 0;
      row += classes;
    }
    count_ += static_cast<std::int64_t>(labels.size());
  }

  measurement get() const { return share_of(hits_, count_); }

  template <class State>
  void state(State& s) {
    s("hits", hits_), s("count", count_);
  }

 private:
  std::int64_t hits_ = 0, count_ = 0;
};

}  // namespace tapeless
