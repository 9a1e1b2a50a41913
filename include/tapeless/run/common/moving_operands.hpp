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
    loops_.clear();
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
  /// Before an iteration; the next ones come after it, or, if `back`, before it.
  void set_iteration(std::size_t loop, std::int64_t iteration, bool back = false) {
    for (iteration_stride& t : of_loop(loop)) {
      const std::int64_t step = back ? -t.step : t.step;
      if (t.data == nullptr) {
        *t.index = t.first_index + iteration * t.step;
        t.to_next = step;
      } else {
        *t.data = moved(t.base, iteration * t.step);
        t.to_next = t.base == nullptr ? 0 : step;
      }
    }
  }
  /// Before the iteration that comes next.
  void next_iteration(std::size_t loop) {
    for (const iteration_stride& t : of_loop(loop)) {
      if (t.data != nullptr) {
        *t.data += t.to_next;
      } else {
        *t.index += t.to_next;
      }
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
    std::int64_t to_next = 0;
  };

  list<start> starts_;
  list<iteration_stride> iteration_strides_;  // those of one loop follow one another
  struct range {
    int first = 0, count = 0;
  };
  list<range> loops_;  // by loop

  array_view<iteration_stride> of_loop(std::size_t loop) {
    if (loop >= static_cast<std::size_t>(loops_.size())) return {};
    return {iteration_strides_.data() + loops_[loop].first, static_cast<std::size_t>(loops_[loop].count)};
  }
  int add(const iteration_stride& t) {
    loops_.resize(std::max(loops_.size(), static_cast<int>(t.loop) + 1), {});
    range& all = loops_[t.loop];
    if (all.count == 0) all.first = iteration_strides_.size();
    ++all.count;
    return iteration_strides_.push(t);
  }
};

}  // namespace tapeless
