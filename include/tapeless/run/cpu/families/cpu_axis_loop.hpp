// SPDX-License-Identifier: BSL-1.0
// Loops over elements along an axis, run by run of the innermost one.
#pragma once

#include <algorithm>
#include <cstdint>

#include <tapeless/error.hpp>
#include <tapeless/plan/families/planned_axis_loop.hpp>

namespace tapeless::cpu_kernels {

namespace detail {

// Rows that an index picks from more memory than this are fetched so many rows ahead: processors do not guess
// them.
inline constexpr std::int64_t far_bytes = std::int64_t{1} << 20, rows_ahead = 8;

// Fetches so many elements from place start + i * along on, or the first of them where they are many:
// processors go on by themselves. Nothing need be there: i is an index that is not checked yet, whose place
// may wrap. Inlined, as whatever calls it: g++ takes the call for one that does nothing.
template <class T, class Index>
[[gnu::always_inline]] inline void fetch_elements([[maybe_unused]] const T* from,
                                                  [[maybe_unused]] std::int64_t start,
                                                  [[maybe_unused]] Index i,
                                                  [[maybe_unused]] std::int64_t along,
                                                  [[maybe_unused]] std::int64_t count) {
#ifdef __GNUC__
  constexpr std::int64_t line = 64, most = 16 * line;
  const std::int64_t bytes = std::min(count * static_cast<std::int64_t>(sizeof(T)), most);
  const auto place = static_cast<std::uintptr_t>(start) +
                     static_cast<std::uintptr_t>(i) * static_cast<std::uintptr_t>(along);
  const auto begin = reinterpret_cast<std::uintptr_t>(from) + place * sizeof(T);
  for (std::int64_t at = 0; at < bytes; at += line)
    __builtin_prefetch(reinterpret_cast<const void*>(begin + static_cast<std::uintptr_t>(at)));
#endif
}

// Calls f(offsets of source, index and target) at the start of each run along the last axis; fetch(the same)
// so many runs before, where that is not 0.
template <class F, class Fetch>
void for_each_run(const axis_loop_arguments& arguments, F f, std::int64_t ahead, Fetch fetch) {
  std::int64_t source = 0, index = 0, target = 0, position[max_rank] = {};
  if (arguments.is_empty()) return;
  const int across = arguments.rank - 2;  // the axis across the runs, which is a loop of its own
  const std::int64_t runs = across < 0 ? 1 : arguments.extents[across];
  const auto step_of = [&](const strided_operand& o) { return across < 0 ? 0 : o.strides[across]; };
  const std::int64_t source_step = step_of(arguments.source), index_step = step_of(arguments.index),
                     target_step = step_of(arguments.target);
  while (true) {
    for (std::int64_t k = 0; k < runs; ++k) {
      if (const std::int64_t next = k + ahead; ahead != 0 && next < runs)
        fetch(source + next * source_step, index + next * index_step, target + next * target_step);
      f(source + k * source_step, index + k * index_step, target + k * target_step);
    }
    int d = across - 1;
    for (; d >= 0; --d) {
      source += arguments.source.strides[d];
      index += arguments.index.strides[d];
      target += arguments.target.strides[d];
      if (++position[d] < arguments.extents[d]) break;
      source -= arguments.extents[d] * arguments.source.strides[d];
      index -= arguments.extents[d] * arguments.index.strides[d];
      target -= arguments.extents[d] * arguments.target.strides[d];
      position[d] = 0;
    }
    if (d < 0) return;
  }
}
template <class F>
void for_each_run(const axis_loop_arguments& arguments, F f) {
  for_each_run(arguments, f, 0, [](std::int64_t, std::int64_t, std::int64_t) {});
}

// The same loops, of which neighbours are one where all operands step through them alike.
inline axis_loop_arguments joined(const axis_loop_arguments& loops) {
  axis_loop_arguments all = loops;
  for (int d = all.rank - 2; d >= 0; --d) {
    const auto goes_on = [&](const strided_operand& o) {
      return o.strides[d] == o.strides[d + 1] * all.extents[d + 1];
    };
    if (!goes_on(all.source) || !goes_on(all.index) || !goes_on(all.target)) continue;
    all.extents[d] *= all.extents[d + 1];
    --all.rank;
    for (strided_operand* o : {&all.source, &all.index, &all.target}) {
      o->strides[d] = o->strides[d + 1];
      for (int e = d + 1; e < all.rank; ++e) o->strides[e] = o->strides[e + 1];
    }
    for (int e = d + 1; e < all.rank; ++e) all.extents[e] = all.extents[e + 1];
  }
  return all;
}

// Calls f(to[k], from[k]) for elements that are so far apart: those that are not at all by a loop of their
// own.
template <class T, class F>
void for_elements(std::int64_t count, T* to, std::int64_t to_step, const T* from, std::int64_t from_step,
                  F f) {
  if (to_step == 1 && from_step == 1) {
    for (std::int64_t k = 0; k < count; ++k) f(to[k], from[k]);
  } else {
    for (std::int64_t k = 0; k < count; ++k) f(to[k * to_step], from[k * from_step]);
  }
}

// Calls f(offsets of source and target) at the start of so many runs, which are numbered like for_each_run's.
template <class F>
void for_lines(const axis_loop_arguments& arguments, std::int64_t begin, std::int64_t count, F f) {
  for (std::int64_t line = begin; line < begin + count; ++line) {
    std::int64_t source = 0, target = 0, rest = line;
    for (int d = arguments.rank - 2; d >= 0; --d) {
      const std::int64_t position = rest % arguments.extents[d];
      source += position * arguments.source.strides[d];
      target += position * arguments.target.strides[d];
      rest /= arguments.extents[d];
    }
    f(source, target);
  }
}

template <class Index>
std::int64_t checked(Index i, std::int64_t bound) {
  if (i < 0 || i >= bound) throw_error({"an index is ", i, ", but must be from 0 to below ", bound});
  return static_cast<std::int64_t>(i);
}

}  // namespace detail

}  // namespace tapeless::cpu_kernels
