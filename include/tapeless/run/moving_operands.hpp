// SPDX-License-Identifier: BSL-1.0
// Operands that are somewhere else in each run, or in each turn of a loop.
#pragma once

#include <cstddef>

#include <tapeless/graph/array_view.hpp>
#include <tapeless/graph/list.hpp>
#include <tapeless/run/calls.hpp>

namespace tapeless {

/// Where inputs and hyperparameters start is known when a program runs; where the operands of a loop's steps
/// are, when its turn comes. The pointers and indices that are kept here are set then.
class moving_operands {
 public:
  /// Post-condition: there is nothing, and room for so many operands that move with a loop.
  void clear(int room) {
    starts_.clear();
    turns_.clear();
    turns_.reserve(room);  // starts point into it
  }

  /// data is so many bytes behind where the plan's input `source` starts, or behind the hyperparameters, for
  /// -1.
  void add_start(std::byte** data, int source, std::int64_t bytes) { starts_.push({data, source, bytes}); }
  /// data moves so many bytes from turn to turn. Returns what is to be where it is in turn 0.
  std::byte** add_turns(std::size_t loop, std::byte** data, std::int64_t bytes) {
    return &turns_[turns_.push({loop, data, nullptr, nullptr, 0, bytes})].base;
  }
  /// The same of an index.
  void add_turns(std::size_t loop, std::int64_t* index, std::int64_t step) {
    turns_.push({loop, nullptr, index, nullptr, *index, step});
  }

  /// Before a run.
  void set_starts(array_view<const std::byte* const> inputs, const std::byte* hyperparameters) {
    for (const start& s : starts_) {
      const std::byte* from = s.source < 0 ? hyperparameters : inputs[static_cast<std::size_t>(s.source)];
      *s.data = moved(const_cast<std::byte*>(from), s.bytes);
    }
  }
  /// Before a turn.
  void set_turn(std::size_t loop, std::int64_t turn) {
    for (const turns& t : turns_) {
      if (t.loop != loop) continue;
      if (t.data != nullptr) *t.data = moved(t.base, turn * t.step);
      if (t.index != nullptr) *t.index = t.first_index + turn * t.step;
    }
  }

 private:
  struct start {
    std::byte** data;
    int source;
    std::int64_t bytes;
  };
  struct turns {
    std::size_t loop;
    std::byte** data;
    std::int64_t* index;
    std::byte* base;
    std::int64_t first_index;
    std::int64_t step;  // in bytes, or in indices
  };

  list<start> starts_;
  list<turns> turns_;
};

}  // namespace tapeless
