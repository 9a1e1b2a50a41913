// SPDX-License-Identifier: BSL-1.0
// The kernel family of elements that are combined with all before them along an axis. Instantiations differ
// in element types only.
#pragma once

#include <algorithm>
#include <type_traits>
#include <utility>

#include <tapeless/plan/families/planned_prefix_scan.hpp>
#include <tapeless/run/common/element_types.hpp>
#include <tapeless/run/common/prefix_steps.hpp>
#include <tapeless/run/cpu/families/cpu_axis_loop.hpp>

namespace tapeless::cpu_kernels {

/// target(.., i, ..) = source(.., 0, ..) + ... + source(.., i, ..), or of i to the last.
template <class T>
struct cumsum_kernel {
  static void run(const prefix_scan_arguments& arguments) {
    if (arguments.is_empty()) return;
    axis_loop_arguments loops = arguments.in_order<T>();
    const auto* source = reinterpret_cast<const T*>(loops.source.data);
    auto* target = reinterpret_cast<T*>(loops.target.data);
    const int axis = loops.axis, last = loops.rank - 1;
    const std::int64_t from = loops.source.strides[axis], to = loops.target.strides[axis];
    const std::int64_t count = std::exchange(loops.extents[axis], 1);
    const std::int64_t lines = loops.extents[last];
    const std::int64_t next_source = loops.source.strides[last], next_target = loops.target.strides[last];
    detail::for_each_run(loops, [&](std::int64_t s, std::int64_t, std::int64_t t) {
      if (axis == last) return add_up<1>(1, count, source + s, from, 0, target + t, to, 0);
      for (std::int64_t k = 0; k < lines; k += neighbours)
        add_up<neighbours>(static_cast<int>(std::min(lines - k, neighbours)), count,
                           source + s + k * next_source, from, next_source, target + t + k * next_target, to,
                           next_target);
    });
  }

 private:
  static constexpr std::int64_t neighbours = 256;  // neighbouring lines, whose numbers are read together

  template <int Most>
  static void add_up(int lines, std::int64_t count, const T* source, std::int64_t from,
                     std::int64_t next_source, T* target, std::int64_t to, std::int64_t next_target) {
    running_sums<T, Most> sums(lines);
    for (std::int64_t i = 0; i < count; ++i, source += from, target += to) {
      for (int k = 0; k < lines; ++k) target[k * next_target] = sums.add(k, source[k * next_source]);
      sums.next(lines);
    }
  }
};

/// Lines of which each element comes from the one before it by Step, the first from nothing.
template <class T, class Step>
struct stepwise_kernel {
  static void run(const prefix_scan_arguments& arguments) {
    if (arguments.is_empty()) return;
    axis_loop_arguments lines = arguments.in_order<T>();
    const auto* source = reinterpret_cast<const T*>(lines.source.data);
    const auto* factors = lines.index.data == nullptr ? source : reinterpret_cast<const T*>(lines.index.data);
    auto* target = reinterpret_cast<T*>(lines.target.data);
    const int axis = lines.axis, last = lines.rank - 1;
    const std::int64_t from = lines.source.strides[axis], factor = lines.index.strides[axis],
                       to = lines.target.strides[axis];
    const std::int64_t count = std::exchange(lines.extents[axis], 1);
    if (axis == last && last > 0) neighbours_are_rows(lines);
    const std::int64_t next_source = lines.source.strides[last], next_factor = lines.index.strides[last],
                       next_target = lines.target.strides[last];
    detail::for_each_run(lines, [&](std::int64_t s, std::int64_t f, std::int64_t t) {
      // The factor from the end is that of the element before.
      const T *x = source + s, *a = factors + f - (arguments.from_the_end ? factor : 0);
      T* y = target + t;
      const std::int64_t all = lines.extents[last];
      std::int64_t k = 0;
      while (k < all) {
        const auto step = [&]<int Lines>(std::integral_constant<int, Lines>) {
          step_beside<Lines>(count, x + k * next_source, from, next_source, a + k * next_factor, factor,
                             next_factor, y + k * next_target, to, next_target);
          k += Lines;
        };
        if (axis != last && all - k >= neighbours)
          step(std::integral_constant<int, neighbours>{});
        else if (all - k >= 4)
          step(std::integral_constant<int, 4>{});
        else
          step(std::integral_constant<int, 1>{});
      }
    });
  }

 private:
  static constexpr int neighbours = 256;  // as above

  // Lines along the last axis have rows beside them: four at once, so that none waits for its own element.
  static void neighbours_are_rows(axis_loop_arguments& lines) {
    const int last = lines.rank - 1;
    std::swap(lines.extents[last], lines.extents[last - 1]);
    for (strided_operand* o : {&lines.source, &lines.index, &lines.target})
      std::swap(o->strides[last], o->strides[last - 1]);
  }

  // Neighbouring lines, all of them from one element to the next.
  template <int Lines>
  static void step_beside(std::int64_t count, const T* x, std::int64_t from, std::int64_t next_source,
                          const T* a, std::int64_t factor, std::int64_t next_factor, T* y, std::int64_t to,
                          std::int64_t next_target) {
    typename Step::held before[Lines];
    for (int k = 0; k < Lines; ++k) {
      before[k] = static_cast<typename Step::held>(x[k * next_source]);
      y[k * next_target] = x[k * next_source];
    }
    for (std::int64_t i = 1; i < count; ++i) {
      x += from, a += factor, y += to;
      for (int k = 0; k < Lines; ++k) {
        before[k] = Step::next(before[k], x[k * next_source], a[k * next_factor]);
        y[k * next_target] = static_cast<T>(before[k]);
      }
    }
  }
};

template <prefix_scan_key Key>
constexpr auto kernel_for() {
  using type = storage_of<Key.type>;
  if constexpr (Key.computes == prefix_scan_kind::sum)
    return &cumsum_kernel<type>::run;
  else
    return &stepwise_kernel<type, prefix_step<Key.computes, type>>::run;
}

}  // namespace tapeless::cpu_kernels
