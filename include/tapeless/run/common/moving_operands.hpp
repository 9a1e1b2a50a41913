// SPDX-License-Identifier: BSL-1.0
// Operands that are somewhere else in each run, or in each iteration of a loop.
#pragma once

#include <algorithm>
#include <cstddef>

#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/list.hpp>
#include <tapeless/run/common/launch_arguments.hpp>

namespace tapeless {

/// Where inputs and hyperparameters start is known when a program runs; where the operands of a loop's
/// commands are, when its iteration comes. The pointers and indices that are kept here are set then.
class moving_operands {
 public:
  /// Post-condition: there is nothing, and room for so many operands that move with a loop.
  void clear(int room) {
    starts_.clear();
    first_.clear();
    iteration_strides_.clear();
    iteration_strides_.reserve(room);  // starts point into it
  }

  /// data is so many bytes behind where the plan's input `source` starts, or behind the hyperparameters, for
  /// -1.
  void add_start(std::byte** data, int source, std::int64_t bytes) { starts_.push({data, source, bytes}); }
  /// data moves so many bytes from iteration to iteration; all that moves with a loop is added before what
  /// moves with another. Returns what is to be where it is in iteration 0.
  std::byte** add_iteration_stride(std::size_t loop, std::byte** data, std::int64_t bytes) {
    return &iteration_strides_[add({loop, data, nullptr, nullptr, 0, bytes})].base;
  }
  /// The same of an index.
  void add_iteration_stride(std::size_t loop, std::int64_t* index, std::int64_t step) {
    add({loop, nullptr, index, nullptr, *index, step});
  }

  /// Before a run.
  void set_starts(array_view<const std::byte* const> inputs, const std::byte* hyperparameters) {
    for (const start& s : starts_) {
      const std::byte* from = s.source < 0 ? hyperparameters : inputs[static_cast<std::size_t>(s.source)];
      *s.data = moved(const_cast<std::byte*>(from), s.bytes);
    }
  }
  /// Before an iteration.
  void set_iteration(std::size_t loop, std::int64_t iteration) {
    if (loop >= static_cast<std::size_t>(first_.size()) || first_[loop] < 0) return;
    for (int i = first_[loop]; i < iteration_strides_.size(); ++i) {
      const iteration_stride& t = iteration_strides_[i];
      if (t.loop != loop) return;
      if (t.data != nullptr) *t.data = moved(t.base, iteration * t.step);
      if (t.index != nullptr) *t.index = t.first_index + iteration * t.step;
    }
  }

 private:
  struct start {
    std::byte** data;
    int source;
    std::int64_t bytes;
  };
  struct iteration_stride {
    std::size_t loop;
    std::byte** data;
    std::int64_t* index;
    std::byte* base;
    std::int64_t first_index;
    std::int64_t step;  // in bytes, or in indices
  };

  list<start> starts_;
  list<iteration_stride> iteration_strides_;  // those of one loop follow one another
  list<int> first_;                           // by loop; -1 where nothing moves

  int add(const iteration_stride& t) {
    first_.resize(std::max(first_.size(), static_cast<int>(t.loop) + 1), -1);
    if (first_[t.loop] < 0) first_[t.loop] = iteration_strides_.size();
    return iteration_strides_.push(t);
  }
};

}  // namespace tapeless
