// SPDX-License-Identifier: BSL-1.0
// Sums of reductions, in levels: each level adds up whole blocks of the one before, so that long sums lose
// little. And the order of a fused kernel's loops that goes with it.
#pragma once

#include <cstddef>
#include <cstdint>

#include <tapeless/graph/core/node.hpp>

namespace tapeless::cpu_kernels {

/// So many iterations go into one level before it is added to the next.
inline constexpr int iterations_of_a_block = 256;
inline constexpr int level_count = 3;

/// Which levels hold something.
class level_counts {
 public:
  bool first_is_empty() const { return iterations_ == 0; }
  bool holds(int level) const { return level == 0 ? iterations_ > 0 : level == 1 ? blocks_ > 0 : wholes_; }
  int highest() const { return wholes_ ? 2 : blocks_ > 0 ? 1 : 0; }

  /// How many iterations the first level still takes.
  int room() const { return iterations_of_a_block - iterations_; }

  /// After so many iterations. carry(level, empty) is to add a full level to the next one, which may be
  /// empty.
  template <class F>
  void next(int iterations, F carry) {
    iterations_ += iterations;
    if (iterations_ < iterations_of_a_block) return;
    carry(0, blocks_ == 0);
    iterations_ = 0;
    if (++blocks_ < iterations_of_a_block) return;
    carry(1, !wholes_);
    blocks_ = 0;
    wholes_ = true;
  }

 private:
  int iterations_ = 0, blocks_ = 0;
  bool wholes_ = false;
};

struct no_accumulator {};

/// A reduction along the innermost loop. Held is a number, or a vector of them.
template <class Operation, class Held>
class iteration_accumulator {
 public:
  void begin(Held identity) { levels_[0] = identity; }
  /// What the iterations add to.
  Held& first_level() { return levels_[0]; }
  void carry(int level, bool empty, Held identity) {
    levels_[level + 1] = empty ? levels_[level] : combine(levels_[level + 1], levels_[level]);
    levels_[level] = identity;
  }
  Held total(const level_counts& filled) const {
    Held result = levels_[0];
    for (int level = 1; level <= filled.highest(); ++level)
      if (filled.holds(level)) result = combine(result, levels_[level]);
    return result;
  }

 private:
  Held levels_[level_count];

  static Held combine(Held a, Held b) { return static_cast<Held>(Operation::combine(a, b)); }
};

/// A reduction along the loops around the innermost one, of so many neighbours at a time.
inline constexpr std::int64_t tile_bytes = 1 << 14;
template <class Operation, class T>
class row_accumulator {
 public:
  /// What the iterations add to; the first iteration of each block overwrites it.
  T* first_level() { return levels_[0]; }

  void carry(int level, bool empty, std::int64_t size) {
    if (empty) {
      for (std::int64_t i = 0; i < size; ++i) levels_[level + 1][i] = levels_[level][i];
    } else {
      add(level, level + 1, size);
    }
  }
  const T* total(const level_counts& filled, std::int64_t size) {
    const int top = filled.highest();
    for (int level = 0; level < top; ++level)
      if (filled.holds(level)) add(level, top, size);
    return levels_[top];
  }

 private:
  T levels_[level_count][tile_bytes / sizeof(T)];

  void add(int from, int to, std::int64_t size) {
    for (std::int64_t i = 0; i < size; ++i)
      levels_[to][i] = static_cast<T>(Operation::combine(levels_[to][i], levels_[from][i]));
  }
};

/// The loops around the innermost one, in the order in which they are run. Either
///   as they come: reductions are added up in memory
///   or those first that are not reduced: the others add up in accumulators
struct outer_loops {
  int axis[max_rank] = {};
  int kept = 0;
  int count = 0;
  bool in_accumulators = false;

  /// Accumulators are used where more iterations are reduced than `most_in_memory`. Where the loops would
  /// have to be reordered, which takes memory out of order, eight times as many are needed. Where it is below
  /// 2, accumulators are always used.
  template <class Arguments>
  outer_loops(const Arguments& arguments, std::int64_t most_in_memory)
      : count(arguments.rank == 0 ? 0 : arguments.rank - 1) {
    std::int64_t reduced_iterations = 1;
    bool in_order = true;  // what is reduced comes last
    for (int d = 0; d < count; ++d)
      if ((arguments.reduced >> d & 1u) != 0) {
        reduced_iterations *= arguments.extents[d];
      } else {
        in_order = in_order && reduced_iterations == 1;
      }
    const bool in_memory = reduced_iterations <= most_in_memory;
    const bool rather_in_memory = most_in_memory > 1 && !in_order && reduced_iterations <= 8 * most_in_memory;
    in_accumulators = !in_memory && !rather_in_memory;
    for (int d = 0; d < count; ++d)
      if (!in_accumulators || (arguments.reduced >> d & 1u) == 0) axis[kept++] = d;
    int next = kept;
    for (int d = 0; in_accumulators && d < count; ++d)
      if ((arguments.reduced >> d & 1u) != 0) axis[next++] = d;
  }

  /// Whether nothing has been reduced yet, by the loops that are kept.
  template <class Arguments>
  bool at_first(const Arguments& arguments, const std::int64_t* position) const {
    for (int j = 0; j < kept; ++j)
      if ((arguments.reduced >> axis[j] & 1u) != 0 && position[axis[j]] != 0) return false;
    return true;
  }
};

}  // namespace tapeless::cpu_kernels
