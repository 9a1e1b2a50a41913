// SPDX-License-Identifier: BSL-1.0
// The kernel family of elements that are brought to places along an axis. Instantiations differ in element
// types and in what becomes of those that are brought to one place.
#pragma once

#include <algorithm>

#include <tapeless/plan/families/planned_scatter.hpp>
#include <tapeless/run/common/element_types.hpp>
#include <tapeless/run/common/scatter_step.hpp>
#include <tapeless/run/cpu/families/cpu_axis_loop.hpp>

namespace tapeless::cpu_kernels {

/// target = start, or what is replaced; target(.., index(.., i, ..), ..) = next(what is there, source(.., i,
/// ..)). Throws an error where an index is out of range.
template <scatter_kind Kind, class T, class Index>
struct scatter_kernel {
  using step = scatter_step<Kind, T>;

  static void run(const scatter_arguments& arguments) {
    auto* target = reinterpret_cast<T*>(arguments.target.data);
    begin(arguments, target);
    axis_loop_arguments by_index = arguments;
    const std::int64_t along = arguments.target.strides[arguments.axis];
    by_index.target.strides[arguments.axis] = 0;
    const axis_loop_arguments loops = detail::joined(by_index);
    const int last = loops.rank - 1;
    const auto* source = reinterpret_cast<const T*>(loops.source.data);
    const auto* index = reinterpret_cast<const Index*>(loops.index.data);
    const std::int64_t count = loops.extents[last], from_step = loops.source.strides[last],
                       index_step = loops.index.strides[last], to_step = loops.target.strides[last];
    const auto place = [&](Index i) { return along * detail::checked(i, arguments.bound); };
    const auto bring = [](T& to, T from) { to = step::next(to, from); };
    const bool is_far = arguments.target_count * static_cast<std::int64_t>(sizeof(T)) > detail::far_bytes;
    if (index_step == 0)  // one index for the whole run
      return detail::for_each_run(
          loops,
          [&](std::int64_t s, std::int64_t i, std::int64_t t) {
            if (goes_nowhere(index[i])) return;
            detail::for_elements(count, target + t + place(index[i]), to_step, source + s, from_step, bring);
          },
          is_far ? detail::rows_ahead : 0,
          [&](std::int64_t, std::int64_t i, std::int64_t t)
              TAPELESS_INLINED { detail::fetch_elements(target, t, index[i], along, count * to_step); });
    detail::for_each_run(loops, [&](std::int64_t s, std::int64_t i, std::int64_t t) {
      for (std::int64_t k = 0; k < count; ++k)
        if (const Index to = index[i + k * index_step]; !goes_nowhere(to))
          bring(target[t + k * to_step + place(to)], source[s + k * from_step]);
    });
  }

 private:
  static constexpr bool replaces = Kind == scatter_kind::replace;

  static bool goes_nowhere(Index i) { return replaces && i < 0; }
  static void begin(const scatter_arguments& arguments, T* target) {
    if constexpr (replaces) {
      const auto* before = reinterpret_cast<const T*>(arguments.before);
      if (before != target) std::copy_n(before, arguments.target_count, target);
    } else {
      std::fill_n(target, arguments.target_count, step::start);
    }
  }
};

template <scatter_key Key>
constexpr auto kernel_for() {
  return &scatter_kernel<Key.computes, storage_of<Key.type>, storage_of<Key.index_type>>::run;
}

}  // namespace tapeless::cpu_kernels
