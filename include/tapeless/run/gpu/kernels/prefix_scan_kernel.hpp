// SPDX-License-Identifier: BSL-1.0
// Prefix scans. Sums: short lines by a thread each, long ones in pieces by a block each. Every sum is of
// fixed parts in a fixed order, so that it has the same bits in every run. Products, largest elements and
// recurrences: a thread for each line.
#pragma once

#include <algorithm>
#include <type_traits>

#include <tapeless/ops/base/integer_arithmetic.hpp>
#include <tapeless/plan/families/planned_prefix_scan.hpp>
#include <tapeless/run/gpu/kernels/axis_loop_space.hpp>
#include <tapeless/run/gpu/kernels/reduce.hpp>

namespace tapeless::thrust_kernels {

/// What elements are added up in: a line may be so long that sums of float would stand still; integers wrap.
/// Those of 16 bits come as float.
template <class T>
using sum_of_line = std::conditional_t<std::is_integral_v<T>, tapeless::detail::wrapping_type<T>, double>;

/// Lines of elements, so far apart in memory: target(i) = source(0) + ... + source(i).
template <class T>
struct lines_of {
  axis_loop_space lines;
  const T* source;
  T* target;
  std::int64_t count, source_step, target_step;

  constexpr sum_of_line<T> load(const axis_loop_space::place& line, std::int64_t i) const {
    return static_cast<sum_of_line<T>>(source[line.source + i * source_step]);
  }
  constexpr void store(const axis_loop_space::place& line, std::int64_t i, sum_of_line<T> sum) const {
    target[line.target + i * target_step] = static_cast<T>(sum);
  }
};

/// One line, by one thread.
template <class T>
struct cumsum_line {
  lines_of<T> of;

  constexpr void operator()(std::uint32_t item) const {
    const axis_loop_space::place line = of.lines.place_of(item);
    sum_of_line<T> sum = 0;
    for (std::int64_t i = 0; i < of.count; ++i) {
      sum = static_cast<sum_of_line<T>>(sum + of.load(line, i));
      of.store(line, i, sum);
    }
  }
};

/// Item i is piece i % pieces of line i / pieces: `size` elements, or what is left.
template <class T>
struct line_pieces {
  lines_of<T> of;
  divisor pieces;
  std::int64_t size;

  constexpr std::uint32_t line(std::uint32_t item) const { return pieces.quotient(item); }
  constexpr std::int64_t begin(std::uint32_t item) const {
    return (item - line(item) * pieces.value()) * size;
  }
  constexpr std::int64_t end(std::uint32_t item) const {
    return begin(item) + size < of.count ? begin(item) + size : of.count;
  }
};

/// The sum of each piece, by a team.
template <class T>
struct piece_totals {
  using sum_type = sum_of_line<T>;
  struct partial {
    sum_type sum;
    constexpr void begin() { sum = 0; }
    constexpr void combine(const partial& other) { sum = static_cast<sum_type>(sum + other.sum); }
  };

  line_pieces<T> of;
  sum_type* target;

  constexpr void add(std::uint32_t item, int share, int shares, partial& p) const {
    const axis_loop_space::place line = of.of.lines.place_of(of.line(item));
    for (std::int64_t i = of.begin(item) + share; i < of.end(item); i += shares)
      p.sum = static_cast<sum_type>(p.sum + of.of.load(line, i));
  }
  constexpr void finish(std::uint32_t item, const partial& p) const { target[item] = p.sum; }
};

/// The sums within each piece, from that of the pieces before on. The members of a team take neighbouring
/// elements; in each phase a member adds what lies twice as far back as in the phase before (Hillis and
/// Steele, 1986).
template <class T>
struct piece_sums {
  using sum_type = sum_of_line<T>;
  static constexpr int members = largest_team;
  static constexpr int doublings = 8;  // 2^8 members
  static_assert(members == 1 << doublings);

  struct near {
    sum_type before;  // the sum of all elements before these
    sum_type sums[2][members];
  };

  line_pieces<T> of;
  const sum_type* totals;  // of the pieces up to each, or null: lines are whole

  /// For each `members` elements: they are loaded, added up, and stored.
  constexpr int phases(std::uint32_t item) const {
    return static_cast<int>((of.end(item) - of.begin(item) + members - 1) / members) * (doublings + 2);
  }
  constexpr void run(std::uint32_t item, int phase, int member, near& n) const {
    const int tile = phase / (doublings + 2), step = phase - tile * (doublings + 2);
    const std::int64_t i = of.begin(item) + std::int64_t{tile} * members + member;
    if (step == 0) {
      if (member == members - 1)
        n.before = tile == 0 ? before(item) : static_cast<sum_type>(n.before + n.sums[0][members - 1]);
      n.sums[0][member] = i < of.end(item) ? of.of.load(of.of.lines.place_of(of.line(item)), i) : sum_type(0);
    } else if (step <= doublings) {
      const sum_type* from = n.sums[(step - 1) % 2];
      const int back = 1 << (step - 1);
      n.sums[step % 2][member] =
          member < back ? from[member] : static_cast<sum_type>(from[member - back] + from[member]);
    } else if (i < of.end(item)) {
      of.of.store(of.of.lines.place_of(of.line(item)), i,
                  static_cast<sum_type>(n.before + n.sums[0][member]));
    }
  }

 private:
  constexpr sum_type before(std::uint32_t item) const {
    return of.begin(item) == 0 ? sum_type(0) : totals[item - 1];
  }
};

namespace detail {

inline constexpr std::int64_t longest_by_thread = 32, least_by_threads = 1 << 16, usual_piece = 4096;

template <class T>
lines_of<T> lines_along(const prefix_scan_arguments& in_order) {
  const int axis = in_order.axis;
  return {space_of(in_order, axis), elements<const T>(in_order.source), elements<T>(in_order.target),
          in_order.extents[axis],   in_order.source.strides[axis],      in_order.target.strides[axis]};
}

template <class T, class Executor>
void sum_pieces(const lines_of<T>& lines, std::int64_t pieces, std::int64_t size,
                const sum_of_line<T>* totals, Executor& executor) {
  executor.by_phases(lines.lines.space.count * pieces, piece_sums<T>{{lines, divisor(pieces), size}, totals});
}

}  // namespace detail

template <class T, class Executor>
void cumsum(const prefix_scan_arguments& arguments, Executor& executor) {
  if (arguments.is_empty()) return;
  const lines_of<T> lines = detail::lines_along<T>(arguments.in_order<T>());
  const std::int64_t count = lines.lines.space.count;
  if (lines.count <= detail::longest_by_thread || count >= detail::least_by_threads)
    return executor.for_each(count, cumsum_line<T>{lines});

  // Few lines are cut into pieces, as many as there is memory for their totals.
  using sum_type = sum_of_line<T>;
  constexpr auto totals_at_most = workspace_bytes / static_cast<std::int64_t>(sizeof(sum_type));
  const std::int64_t pieces = std::min((lines.count - 1) / detail::usual_piece + 1,
                                       std::max<std::int64_t>(totals_at_most / count, 1));
  const std::int64_t size = (lines.count - 1) / pieces + 1, used = (lines.count - 1) / size + 1;
  if (used == 1) return detail::sum_pieces<T>(lines, 1, lines.count, nullptr, executor);
  auto* const totals = executor.template workspace<sum_type>();
  executor.by_blocks(count * used, piece_totals<T>{{lines, divisor(used), size}, totals});
  lines_of<sum_type> of_totals{{}, totals, totals, used, 1, 1};
  of_totals.lines.source[0] = of_totals.lines.target[0] = used;
  of_totals.lines.space.add_axis(count);
  detail::sum_pieces<sum_type>(of_totals, 1, used, nullptr, executor);
  detail::sum_pieces<T>(lines, used, size, totals, executor);
}

/// One line of a product or a recurrence, by one thread: of a recurrence's elements each has a factor, which
/// from the end is that of the element before.
template <class T, prefix_scan_kind Kind>
struct stepwise_line {
  lines_of<T> of;
  const T* factors;
  std::int64_t factor_step;

  constexpr void operator()(std::uint32_t item) const {
    const axis_loop_space::place line = of.lines.place_of(item);
    sum_of_line<T> held = of.load(line, 0);
    of.store(line, 0, held);
    for (std::int64_t i = 1; i < of.count; ++i) {
      const sum_of_line<T> x = of.load(line, i);
      if constexpr (Kind == prefix_scan_kind::product)
        held = static_cast<sum_of_line<T>>(held * x);
      else if constexpr (Kind == prefix_scan_kind::largest)
        held = static_cast<sum_of_line<T>>(larger(static_cast<T>(held), static_cast<T>(x)));
      else
        held = static_cast<sum_of_line<T>>(x + factors[line.index + i * factor_step] * held);
      of.store(line, i, held);
    }
  }
};

template <class T, prefix_scan_kind Kind, class Executor>
void run_stepwise(const prefix_scan_arguments& arguments, Executor& executor) {
  if (arguments.is_empty()) return;
  const prefix_scan_arguments in_order = arguments.in_order<T>();
  const lines_of<T> lines = detail::lines_along<T>(in_order);
  const std::int64_t factor_step = in_order.index.strides[in_order.axis];
  const T* factors = detail::elements<const T>(in_order.index);
  if (in_order.from_the_end) factors -= factor_step;  // that of the element before
  executor.for_each(lines.lines.space.count, stepwise_line<T, Kind>{lines, factors, factor_step});
}

template <prefix_scan_key Key, class Executor>
constexpr auto kernel_for() {
  using type = storage_of<Key.type>;
  if constexpr (Key.computes == prefix_scan_kind::sum)
    return &cumsum<type, Executor>;
  else
    return &run_stepwise<type, Key.computes, Executor>;
}

}  // namespace tapeless::thrust_kernels
