// SPDX-License-Identifier: BSL-1.0
// The order in which a fused kernel's reductions are added up on the CPU, in loops over tables and in
// straight-line code, which have the same bits so.
//
// Where the innermost loop is reduced, its element i goes to lane i mod W, where W is the width of the
// kernel's vectors, or 1. Lanes are combined by halves, 0 with W/2, 1 with W/2 + 1, ... Loops around the
// innermost one are either added up in the memory of the result, one total of a row after the other, or with
// it in the same accumulators, as outer_loops says. Where the innermost loop is not reduced, each of its
// elements is added to its own result, row after row.
//
// Accumulators have levels, each of which adds up whole blocks of the one before, so that long sums lose
// little: a block is so many iterations of the innermost loop, or so many rows. At last the levels are added
// to the first one, from the lowest to the highest.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

#include <tapeless/graph/core/node.hpp>
#include <tapeless/ops/reduction/sum.hpp>

namespace tapeless {

inline constexpr int iterations_of_a_block = 256;
inline constexpr int level_count = 3;

/// What accumulators begin with: combined with it, a number keeps its bits. The sum of no number is 0, but
/// 0 + -0 is not -0.
template <class Reduction, class T>
constexpr T neutral_number() {
  if constexpr (std::is_same_v<Reduction, sum_operation> && std::is_floating_point_v<T>) {
    return T(-0.0);
  } else {
    return static_cast<T>(Reduction::template identity<T>);
  }
}

/// Which levels hold something.
class level_counts {
 public:
  constexpr bool first_is_empty() const { return iterations_ == 0; }
  constexpr bool holds(int level) const {
    return level == 0 ? iterations_ > 0 : level == 1 ? blocks_ > 0 : wholes_;
  }
  constexpr int lowest() const { return iterations_ > 0 ? 0 : blocks_ > 0 ? 1 : 2; }
  constexpr int highest() const { return wholes_ ? 2 : blocks_ > 0 ? 1 : 0; }

  /// How many iterations the first level still takes.
  constexpr int room() const { return iterations_of_a_block - iterations_; }

  /// After so many iterations, for which there is room. carry(level, empty) is to add a full level to the
  /// next one, which may be empty.
  template <class F>
  constexpr void next(int iterations, F carry) {
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

/// The levels of one result, or of a vector of them. Held is a number, or a vector of numbers.
template <class Operation, class Held>
class iteration_accumulator {
 public:
  void begin(Held neutral) { levels_[0] = neutral; }
  /// What the iterations add to.
  Held& first_level() { return levels_[0]; }
  void carry(int level, bool empty, Held neutral) {
    levels_[level + 1] = empty ? levels_[level] : combine(levels_[level + 1], levels_[level]);
    levels_[level] = neutral;
  }
  Held total(const level_counts& filled) const {
    Held result = levels_[0];
    for (int level = 1; level <= filled.highest(); ++level)
      if (filled.holds(level)) result = combine(levels_[level], result);
    return result;
  }

 private:
  Held levels_[level_count];

  static Held combine(Held a, Held b) { return static_cast<Held>(Operation::combine(a, b)); }
};

/// So many partial results of a kernel may be added to one another in the memory of the result. Where it is
/// rounded to 16 bits, there are none but the whole result.
constexpr std::int64_t most_sums_in_memory(bool is_rounded, bool innermost_is_reduced) {
  if (!is_rounded) return 1024;
  return innermost_is_reduced ? 1 : 0;
}

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
  /// 2, accumulators are always used. Arguments have rank, extents and reduced.
  template <class Arguments>
  constexpr outer_loops(const Arguments& arguments, std::int64_t most_in_memory)
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
  constexpr bool at_first(const Arguments& arguments, const std::int64_t* position) const {
    for (int j = 0; j < kept; ++j)
      if ((arguments.reduced >> axis[j] & 1u) != 0 && position[axis[j]] != 0) return false;
    return true;
  }
};

}  // namespace tapeless
