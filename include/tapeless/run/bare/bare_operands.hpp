// SPDX-License-Identifier: BSL-1.0
// What a kernel does, and where its operands begin, apart from each other: equal layers differ in the second
// alone.
#pragma once

#include <cstddef>
#include <cstdint>

#include <tapeless/plan/plan.hpp>
#include <tapeless/run/bare/bare_memory.hpp>

namespace tapeless::bare_kernels {

/// Where something begins that a kernel reads or writes: so many bytes behind a placement's first one, and so
/// many more in each iteration of a loop.
struct bare_operand {
  placement place = {};
  std::ptrdiff_t bytes = 0, iteration_bytes = 0;
  bool is_packed = false;  // it is in the memory for packed operands, without a placement
};

/// The operands of a kernel, each once. In accesses without a place `base` is an operand's number here, and
/// `offset` is from where that operand begins.
template <int Most>
struct bare_operands {
  bare_operand all[Most] = {};
  int count = 0;

  /// The access without its place. It is of elements of this size, so many bytes behind a placement.
  constexpr access without_place(access a, std::size_t size, placement place, std::ptrdiff_t bytes = 0) {
    const auto of_element = static_cast<std::ptrdiff_t>(size);
    bytes += static_cast<std::ptrdiff_t>(a.offset) * of_element;
    a.base = number_of({place, bytes, static_cast<std::ptrdiff_t>(a.iteration_stride) * of_element});
    a.offset = (bytes - all[a.base].bytes) / of_element;
    a.iteration_stride = 0;
    return a;
  }

 private:
  constexpr int number_of(const bare_operand& o) {
    int number = 0;
    while (number < count && !begin_together(all[number], o)) ++number;
    if (number == count) all[count++] = o;
    return number;
  }
  static constexpr bool begin_together(const bare_operand& x, const bare_operand& y) {
    return x.place == y.place && x.iteration_bytes == y.iteration_bytes;
  }
};

/// What is compiled, and what a call is given.
template <class Planned, int Most>
struct bare_parts {
  Planned planned;  // without places
  bare_operands<Most> operands = {};
  std::ptrdiff_t places = 0;  // that a call tells, of an open nest
};

namespace detail {

/// Calls f with each access of a command, and the type of its elements.
template <class F>
constexpr void for_each_access(planned_product& p, const F& f) {
  f(p.a, p.type);
  f(p.b, p.type);
  f(p.c, p.type);
}
template <class F>
constexpr void for_each_access(planned_convolution& p, const F& f) {
  f(p.x, p.type);
  f(p.weight, p.type);
  f(p.y, p.type);
}
template <class F>
constexpr void for_each_access(planned_pooling& p, const F& f) {
  for (int k = 0; k < p.sources; ++k) f(p.source[k], p.type);
  f(p.result, p.type);
}
template <class F>
constexpr void for_each_access(planned_axis_loop& p, const F& f) {
  f(p.source, p.type);
  if (p.index.base >= 0) f(p.index, p.index_type);
  f(p.result, p.type);
}
template <class F>
constexpr void for_each_access(planned_scatter& p, const F& f) {
  for_each_access(static_cast<planned_axis_loop&>(p), f);
  if (p.before.base >= 0) f(p.before, p.type);
}
template <class F>
constexpr void for_each_access(planned_sort& p, const F& f) {
  f(p.source, p.type);
  f(p.result, planned_sort::result_type);
}

}  // namespace detail

/// A command and its operands, apart from each other.
template <class GraphBuilder, class Planned>
constexpr auto parts_of(const Planned& planned) {
  bare_parts<Planned, 4> parts{planned};
  const auto take = [&](access& a, element type) {
    a = parts.operands.without_place(a, size_of(type),
                                     plan_of<GraphBuilder>.place[static_cast<std::size_t>(a.base)]);
  };
  static_assert(
      requires { detail::for_each_access(parts.planned, take); },
      "tapeless: tl::bare has no kernels for this family of operations");
  detail::for_each_access(parts.planned, take);
  return parts;
}

/// The first element of an access without a place.
template <class T>
[[gnu::always_inline]] inline T* begin_of(std::byte* const* operands, const access& a) {
  return reinterpret_cast<T*>(operands[a.base]) + static_cast<std::ptrdiff_t>(a.offset);
}

}  // namespace tapeless::bare_kernels
