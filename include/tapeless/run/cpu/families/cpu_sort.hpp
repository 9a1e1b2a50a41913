// SPDX-License-Identifier: BSL-1.0
// The kernel family of the order of elements along the last axis, split over the team by lines. Elements of
// up to 32 bits are sorted as keys.
#pragma once

#include <algorithm>
#include <cstdint>

#include <tapeless/graph/core/cmath.hpp>
#include <tapeless/plan/families/planned_sort.hpp>
#include <tapeless/run/common/element_types.hpp>
#include <tapeless/run/common/launch_arguments.hpp>
#include <tapeless/run/cpu/families/cpu_axis_loop.hpp>
#include <tapeless/run/cpu/families/sort_keys.hpp>
#include <tapeless/run/cpu/threads/thread_team.hpp>

namespace tapeless::cpu_kernels {

namespace detail {

/// Puts the first places of an order in front, the others behind them in any order.
template <class T, class Before>
void sort_first(T* begin, std::int64_t count, std::int64_t first, Before before) {
  if (first == count) {
    std::sort(begin, begin + count, before);
  } else if (first <= count / 16) {  // few numbers meet the heap of those that are kept
    std::partial_sort(begin, begin + first, begin + count, before);
  } else {
    std::nth_element(begin, begin + first, begin + count, before);
    std::sort(begin, begin + first, before);
  }
}

inline std::int64_t count_of_lines(const sort_arguments& arguments) {
  const std::int64_t count = arguments.extents[arguments.rank - 1];
  return count == 0 ? 0 : iterations_of(arguments) / count;
}

}  // namespace detail

/// How many threads a sort takes.
inline int threads_of(const sort_arguments& arguments, const thread_team& team) {
  const auto count = static_cast<double>(arguments.extents[arguments.rank - 1]);
  const std::int64_t lines = detail::count_of_lines(arguments);
  const int threads = team.threads_for(static_cast<double>(lines) * count * (2 + std::log2(count + 1)));
  return static_cast<int>(std::clamp<std::int64_t>(threads, 1, std::max<std::int64_t>(lines, 1)));
}

template <element Type, bool Downward>
struct sort_kernel {
  static constexpr bool has_keys = sizeof(storage_of<Type>) <= 4;

  static void run(const sort_arguments& arguments, const thread_team& team) {
    const int last = arguments.rank - 1, parts = threads_of(arguments, team);
    const std::int64_t step = arguments.source.strides[last];
    const auto* source = reinterpret_cast<const storage_of<Type>*>(arguments.source.data);
    auto* target = reinterpret_cast<std::int64_t*>(arguments.target.data);
    team.run(parts, [&](int part) {
      const range_part lines = part_of(detail::count_of_lines(arguments), parts, part, 1);
      detail::for_lines(arguments, lines.begin, lines.size, [&](std::int64_t s, std::int64_t t) {
        sort_line(arguments, source + s, step, target + t, team.workspace(part));
      });
    });
  }
  static std::int64_t workspace_bytes(const sort_arguments& arguments) {
    const std::int64_t count = arguments.extents[arguments.rank - 1];
    const bool takes = has_keys && arguments.first == count && count >= least_sorted_by_digits;
    return takes ? count * std::int64_t{sizeof(std::uint64_t)} : 0;
  }

 private:
  using number = computed_as<Type>;

  static void sort_line(const sort_arguments& arguments, const storage_of<Type>* line, std::int64_t step,
                        std::int64_t* places, std::byte* room) {
    const std::int64_t count = arguments.extents[arguments.rank - 1];
    if (has_keys && count <= most_sorted_by_keys) {
      // A key and its place fill the element that the place will have.
      auto* keys = reinterpret_cast<std::uint64_t*>(places);
      for (std::int64_t i = 0; i < count; ++i)
        keys[i] = key_with_place<Downward>(static_cast<number>(line[i * step]), i);
      if (arguments.first == count && count >= least_sorted_by_digits) {
        sort_by_digits(keys, count, reinterpret_cast<std::uint64_t*>(room));
      } else {
        detail::sort_first(keys, count, arguments.first,
                           [](std::uint64_t a, std::uint64_t b) { return a < b; });
      }
      for (std::int64_t i = 0; i < count; ++i) keys[i] = place_of_key(keys[i]);
    } else {
      for (std::int64_t i = 0; i < count; ++i) places[i] = i;
      detail::sort_first(places, count, arguments.first, [line, step](std::int64_t a, std::int64_t b) {
        const auto x = static_cast<number>(line[a * step]), y = static_cast<number>(line[b * step]);
        if (sorts_before<Downward>(x, y)) return true;
        return a < b && !sorts_before<Downward>(y, x);
      });
    }
  }
};

template <sort_key Key>
std::int64_t workspace_bytes(const sort_arguments& arguments) {
  return sort_kernel<Key.type, Key.downward>::workspace_bytes(arguments);
}

template <sort_key Key>
constexpr auto kernel_for() {
  return &sort_kernel<Key.type, Key.downward>::run;
}

}  // namespace tapeless::cpu_kernels
