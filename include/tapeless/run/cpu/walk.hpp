// SPDX-License-Identifier: BSL-1.0
// The kernel family of walks: elements that an index picks or adds to, axes turned around, sums along an
// axis. Instances differ in element types only.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <tapeless/error.hpp>
#include <tapeless/run/common/launch_arguments.hpp>
#include <tapeless/run/cpu/running_sum.hpp>

namespace tapeless::cpu_kernels {

namespace detail {

// Calls f(offsets of source, index and target) at the start of each run along the last axis.
template <class F>
void for_each_run(const walk_arguments& arguments, F f) {
  std::int64_t source = 0, index = 0, target = 0, position[max_rank] = {};
  for (int d = 0; d < arguments.rank; ++d)
    if (arguments.extents[d] == 0) return;
  while (true) {
    f(source, index, target, position);
    int d = arguments.rank - 2;
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

template <class Index>
std::int64_t checked(Index i, std::int64_t bound) {
  if (i < 0 || i >= bound) throw error({"an index is ", i, ", but must be from 0 to below ", bound});
  return static_cast<std::int64_t>(i);
}

}  // namespace detail

/// target(.., i, ..) = source(.., index(.., i, ..), ..). Throws an error where an index is out of range.
template <class T, class Index>
struct gather_kernel {
  static void run(const walk_arguments& arguments) {
    walk_arguments by_index = arguments;
    const std::int64_t along = arguments.source.strides[arguments.axis];
    by_index.source.strides[arguments.axis] = 0;
    const int last = arguments.rank - 1;
    const auto* source = reinterpret_cast<const T*>(arguments.source.data);
    const auto* index = reinterpret_cast<const Index*>(arguments.index.data);
    auto* target = reinterpret_cast<T*>(arguments.target.data);
    const std::int64_t count = arguments.extents[last], from_step = by_index.source.strides[last],
                       index_step = arguments.index.strides[last], to_step = arguments.target.strides[last];
    detail::for_each_run(by_index, [&](std::int64_t s, std::int64_t i, std::int64_t t, const std::int64_t*) {
      if (index_step == 0) {  // one index for the whole run
        const T* from = source + s + along * detail::checked(index[i], arguments.bound);
        for (std::int64_t k = 0; k < count; ++k) target[t + k * to_step] = from[k * from_step];
      } else {
        for (std::int64_t k = 0; k < count; ++k)
          target[t + k * to_step] =
              source[s + k * from_step + along * detail::checked(index[i + k * index_step], arguments.bound)];
      }
    });
  }
};

/// target = 0; target(.., index(.., i, ..), ..) += source(.., i, ..). Throws an error where an index is out
/// of range.
template <class T, class Index>
struct scatter_add_kernel {
  static void run(const walk_arguments& arguments) {
    auto* target = reinterpret_cast<T*>(arguments.target.data);
    for (std::int64_t k = 0; k < arguments.target_count; ++k) target[k] = T(0);
    walk_arguments by_index = arguments;
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
          to[k * to_step] = static_cast<T>(to[k * to_step] + source[s + k * from_step]);
      } else {
        for (std::int64_t k = 0; k < count; ++k) {
          T& to =
              target[t + k * to_step + along * detail::checked(index[i + k * index_step], arguments.bound)];
          to = static_cast<T>(to + source[s + k * from_step]);
        }
      }
    });
  }
};

/// target(.., i, ..) = source(.., extent - 1 - i, ..).
template <class T>
struct flip_kernel {
  static void run(const walk_arguments& arguments) {
    walk_arguments turned = arguments;
    std::int64_t& step = turned.source.strides[arguments.axis];
    const auto* source =
        reinterpret_cast<const T*>(arguments.source.data) + (arguments.extents[arguments.axis] - 1) * step;
    step = -step;
    auto* target = reinterpret_cast<T*>(arguments.target.data);
    const int last = arguments.rank - 1;
    detail::for_each_run(turned, [&](std::int64_t s, std::int64_t, std::int64_t t, const std::int64_t*) {
      for (std::int64_t k = 0; k < arguments.extents[last]; ++k)
        target[t + k * arguments.target.strides[last]] = source[s + k * turned.source.strides[last]];
    });
  }
};

/// target(.., i, ..) = source(.., 0, ..) + ... + source(.., i, ..), or of i to the last.
template <class T>
struct cumsum_kernel {
  static void run(const walk_arguments& arguments) {
    walk_arguments turned = arguments;
    const auto* source = reinterpret_cast<const T*>(arguments.source.data);
    auto* target = reinterpret_cast<T*>(arguments.target.data);
    std::int64_t &from = turned.source.strides[arguments.axis], &to = turned.target.strides[arguments.axis];
    if (arguments.from_the_end) {
      source += (arguments.extents[arguments.axis] - 1) * from;
      target += (arguments.extents[arguments.axis] - 1) * to;
      from = -from;
      to = -to;
    }
    const int last = arguments.rank - 1;
    const std::int64_t count = arguments.extents[arguments.axis];
    if (count == 0) return;
    turned.extents[arguments.axis] = 1;
    const std::int64_t lines = turned.extents[last];
    const std::int64_t next_source = turned.source.strides[last], next_target = turned.target.strides[last];
    detail::for_each_run(turned, [&](std::int64_t s, std::int64_t, std::int64_t t, const std::int64_t*) {
      if (arguments.axis == last) return add_up<1>(1, count, source + s, from, 0, target + t, to, 0);
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

}  // namespace tapeless::cpu_kernels
