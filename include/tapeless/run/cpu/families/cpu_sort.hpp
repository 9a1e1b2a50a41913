// SPDX-License-Identifier: BSL-1.0
// The kernel family of the order of elements along the last axis. Instantiations differ in element types and
// direction.
#pragma once

#include <algorithm>

#include <tapeless/plan/families/planned_sort.hpp>
#include <tapeless/run/common/element_types.hpp>
#include <tapeless/run/cpu/families/cpu_axis_loop.hpp>

namespace tapeless::cpu_kernels {

/// Places are sorted where they stand, so that no memory is needed: equal elements are told apart by their
/// places.
template <element Type, bool Downward>
struct sort_kernel {
  static void run(const sort_arguments& arguments) {
    const int last = arguments.rank - 1;
    const std::int64_t count = arguments.extents[last], step = arguments.source.strides[last];
    const auto* source = reinterpret_cast<const storage_of<Type>*>(arguments.source.data);
    auto* target = reinterpret_cast<std::int64_t*>(arguments.target.data);
    detail::for_each_run(arguments, [&](std::int64_t s, std::int64_t, std::int64_t t, const std::int64_t*) {
      const auto* line = source + s;
      std::int64_t* places = target + t;
      for (std::int64_t i = 0; i < count; ++i) places[i] = i;
      std::sort(places, places + count, [line, step](std::int64_t a, std::int64_t b) {
        const auto x = static_cast<computed_as<Type>>(line[a * step]);
        const auto y = static_cast<computed_as<Type>>(line[b * step]);
        if (sorts_before<Downward>(x, y)) return true;
        return a < b && !sorts_before<Downward>(y, x);
      });
    });
  }
};

template <sort_key Key>
constexpr auto kernel_for() {
  return &sort_kernel<Key.type, Key.downward>::run;
}

}  // namespace tapeless::cpu_kernels
