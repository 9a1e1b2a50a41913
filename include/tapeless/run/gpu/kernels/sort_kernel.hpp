// SPDX-License-Identifier: BSL-1.0
// The order of elements along the last axis. Each element counts those that stand before it, on as many
// threads as there are elements: time that grows with the square of a line's length, fine up to some
// thousand.
#pragma once

#include <tapeless/plan/families/planned_sort.hpp>
#include <tapeless/run/gpu/kernels/axis_loop_space.hpp>

namespace tapeless::thrust_kernels {

template <element Type, bool Downward>
struct rank_in_line {
  axis_loop_space lines;
  divisor count;
  const storage_of<Type>* source;
  std::int64_t* target;
  std::int64_t source_step, target_step;

  constexpr computed_as<Type> at(const axis_loop_space::place& line, std::uint32_t i) const {
    return static_cast<computed_as<Type>>(source[line.source + i * source_step]);
  }
  constexpr void operator()(std::uint32_t item) const {
    const std::uint32_t number = count.quotient(item), own = item - number * count.value();
    const axis_loop_space::place line = lines.place_of(number);
    const computed_as<Type> x = at(line, own);
    std::int64_t rank = 0;
    for (std::uint32_t i = 0; i < count.value(); ++i) {
      const computed_as<Type> y = at(line, i);
      rank += sorts_before<Downward>(y, x) || (i < own && !sorts_before<Downward>(x, y)) ? 1 : 0;
    }
    target[line.target + rank * target_step] = own;
  }
};

template <element Type, bool Downward, class Executor>
void sort(const sort_arguments& arguments, Executor& executor) {
  const int last = arguments.rank - 1;
  const std::int64_t count = arguments.extents[last];
  if (count == 0) return;
  const axis_loop_space lines = detail::space_of(arguments, last);
  executor.for_each(lines.space.count * count,
                    rank_in_line<Type, Downward>{
                        lines, divisor(count), detail::elements<const storage_of<Type>>(arguments.source),
                        detail::elements<std::int64_t>(arguments.target), arguments.source.strides[last],
                        arguments.target.strides[last]});
}

template <sort_key Key, class Executor>
constexpr auto kernel_for() {
  return &sort<Key.type, Key.downward, Executor>;
}

}  // namespace tapeless::thrust_kernels
