// SPDX-License-Identifier: BSL-1.0
// The kernel family of elements that are added to places along an axis. Instantiations differ in element
// types only.
#pragma once

#include <type_traits>

#include <tapeless/ops/base/integer_arithmetic.hpp>
#include <tapeless/plan/families/planned_scatter.hpp>
#include <tapeless/run/common/element_types.hpp>
#include <tapeless/run/cpu/families/cpu_axis_loop.hpp>

namespace tapeless::cpu_kernels {

/// target = 0; target(.., index(.., i, ..), ..) += source(.., i, ..). Throws an error where an index is out
/// of range.
template <class T, class Index>
struct scatter_add_kernel {
  static void run(const scatter_arguments& arguments) {
    auto* target = reinterpret_cast<T*>(arguments.target.data);
    for (std::int64_t k = 0; k < arguments.target_count; ++k) target[k] = T(0);
    axis_loop_arguments by_index = arguments;
    const std::int64_t along = arguments.target.strides[arguments.axis];
    by_index.target.strides[arguments.axis] = 0;
    const int last = arguments.rank - 1;
    const auto* source = reinterpret_cast<const T*>(arguments.source.data);
    const auto* index = reinterpret_cast<const Index*>(arguments.index.data);
    const std::int64_t count = arguments.extents[last], from_step = arguments.source.strides[last],
                       index_step = arguments.index.strides[last], to_step = by_index.target.strides[last];
    detail::for_each_run(by_index, [&](std::int64_t s, std::int64_t i, std::int64_t t, const std::int64_t*) {
      if (index_step == 0) {
        T* to = target + t + along * detail::checked(index[i], arguments.bound);
        for (std::int64_t k = 0; k < count; ++k)
          to[k * to_step] = sum(to[k * to_step], source[s + k * from_step]);
      } else {
        for (std::int64_t k = 0; k < count; ++k) {
          T& to =
              target[t + k * to_step + along * detail::checked(index[i + k * index_step], arguments.bound)];
          to = sum(to, source[s + k * from_step]);
        }
      }
    });
  }

 private:
  static T sum(T a, T b) {
    if constexpr (std::is_integral_v<T>)
      return tapeless::detail::wrapped_sum(a, b);
    else
      return static_cast<T>(a + b);
  }
};

template <scatter_key Key>
constexpr auto kernel_for() {
  return &scatter_add_kernel<storage_of<Key.type>, storage_of<Key.index_type>>::run;
}

}  // namespace tapeless::cpu_kernels
