// SPDX-License-Identifier: BSL-1.0
// A kernel's shape, and where its operands begin, apart from each other: equal layers differ in the second
// alone, so that kernels, which are templates over the first, are the same.
#pragma once

#include <cstddef>
#include <cstdint>

#include <tapeless/plan/plan.hpp>
#include <tapeless/run/bare/bare_memory.hpp>

namespace tapeless::bare_kernels {

/// What a kernel reads or writes: elements of a placement, from `offset` on, which moves with iterations.
struct bare_operand {
  placement place = {};
  element type = element::f32;
  std::int64_t offset = 0, iteration_stride = 0;
};

/// The operands of a kernel, each once. In the accesses of its shape `base` is an operand's number here, and
/// `offset` is from where that operand begins.
template <int Most>
struct bare_operands {
  bare_operand all[Most] = {};
  int count = 0;

  /// The access as it is in a shape.
  constexpr access without_place(access a, element type, placement place) {
    a.base = number_of({place, type, a.offset, a.iteration_stride});
    a.offset -= all[a.base].offset;
    a.iteration_stride = 0;
    return a;
  }

 private:
  constexpr int number_of(const bare_operand& o) {
    int number = 0;
    while (number < count && !is_same(all[number], o)) ++number;
    if (number == count) all[count++] = o;
    return number;
  }
  static constexpr bool is_same(const bare_operand& x, const bare_operand& y) {
    return x.place.kind == y.place.kind && x.place.index == y.place.index &&
           x.iteration_stride == y.iteration_stride;
  }
};

/// What is compiled, and what a call is given.
template <class Shape, int Most>
struct bare_parts {
  Shape shape;
  bare_operands<Most> operands = {};
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
constexpr void for_each_access(planned_sort& p, const F& f) {
  f(p.source, p.type);
  f(p.result, element::i64);
}

}  // namespace detail

/// A command's shape and its operands.
template <class GraphBuilder, class Planned>
constexpr auto parts_of(const Planned& planned) {
  bare_parts<Planned, 4> parts{planned};
  const auto take = [&](access& a, element type) {
    a = parts.operands.without_place(a, type, plan_of<GraphBuilder>.place[static_cast<std::size_t>(a.base)]);
  };
  static_assert(
      requires { detail::for_each_access(parts.shape, take); },
      "tapeless: tl::bare has no kernels for this family of operations");
  detail::for_each_access(parts.shape, take);
  return parts;
}

/// The first element of an access of a shape.
template <class T>
[[gnu::always_inline]] inline T* begin_of(std::byte* const* operands, const access& a) {
  return reinterpret_cast<T*>(operands[a.base]) + static_cast<std::ptrdiff_t>(a.offset);
}

}  // namespace tapeless::bare_kernels
