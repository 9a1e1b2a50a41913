// SPDX-License-Identifier: BSL-1.0
// The kernel family of elements that are picked along an axis. Instantiations differ in element types only.
#pragma once

#include <algorithm>

#include <tapeless/plan/families/planned_gather.hpp>
#include <tapeless/run/common/element_types.hpp>
#include <tapeless/run/cpu/families/cpu_axis_loop.hpp>

namespace tapeless::cpu_kernels {

/// target(.., i, ..) = source(.., index(.., i, ..), ..). Throws an error where an index is out of range.
template <class T, class Index>
struct gather_kernel {
  static void run(const gather_arguments& arguments) {
    axis_loop_arguments by_index = arguments;
    const std::int64_t along = arguments.source.strides[arguments.axis];
    by_index.source.strides[arguments.axis] = 0;
    const axis_loop_arguments loops = detail::joined(by_index);
    const int last = loops.rank - 1;
    const auto* source = reinterpret_cast<const T*>(loops.source.data);
    const auto* index = reinterpret_cast<const Index*>(loops.index.data);
    auto* target = reinterpret_cast<T*>(loops.target.data);
    const std::int64_t count = loops.extents[last], from_step = loops.source.strides[last],
                       index_step = loops.index.strides[last], to_step = loops.target.strides[last];
    const auto place = [&](Index i) { return along * detail::checked(i, arguments.bound); };
    if (index_step == 0)  // one index for the whole run
      return detail::for_each_run(
          loops,
          [&](std::int64_t s, std::int64_t i, std::int64_t t) {
            const T* from = source + s + place(index[i]);
            if (to_step == 1 && from_step == 1) return void(std::copy_n(from, count, target + t));
            for (std::int64_t k = 0; k < count; ++k) target[t + k * to_step] = from[k * from_step];
          },
          is_far(arguments) ? detail::rows_ahead : 0,
          [&](std::int64_t s, std::int64_t i, std::int64_t)
              TAPELESS_INLINED { detail::fetch_elements(source, s, index[i], along, count * from_step); });
    detail::for_each_run(loops, [&](std::int64_t s, std::int64_t i, std::int64_t t) {
      for (std::int64_t k = 0; k < count; ++k)
        target[t + k * to_step] = source[s + k * from_step + place(index[i + k * index_step])];
    });
  }

 private:
  static bool is_far(const gather_arguments& arguments) {
    return arguments.bound * arguments.source.strides[arguments.axis] * static_cast<std::int64_t>(sizeof(T)) >
           detail::far_bytes;
  }
};

/// target(.., i, ..) = source(.., extent - 1 - i, ..).
template <class T>
struct flip_kernel {
  static void run(const gather_arguments& arguments) {
    if (arguments.is_empty()) return;
    axis_loop_arguments reversed = arguments;
    arguments.reverse<T>(reversed.source);
    const auto* source = reinterpret_cast<const T*>(reversed.source.data);
    auto* target = reinterpret_cast<T*>(arguments.target.data);
    const int last = arguments.rank - 1;
    detail::for_each_run(reversed, [&](std::int64_t s, std::int64_t, std::int64_t t) {
      for (std::int64_t k = 0; k < arguments.extents[last]; ++k)
        target[t + k * arguments.target.strides[last]] = source[s + k * reversed.source.strides[last]];
    });
  }
};

template <gather_key Key>
constexpr auto kernel_for() {
  using value = storage_of<Key.type>;
  if constexpr (Key.computes == gather_kind::flip) {
    return &flip_kernel<value>::run;
  } else {
    static_assert(Key.computes == gather_kind::by_index);
    return &gather_kernel<value, storage_of<Key.index_type>>::run;
  }
}

}  // namespace tapeless::cpu_kernels
