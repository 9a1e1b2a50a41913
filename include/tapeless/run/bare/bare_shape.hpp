// SPDX-License-Identifier: BSL-1.0
// What a kernel's code depends on, as numbers: kernels are templates over them, and equal ones are the same.
#pragma once

#include <cstdint>

#include <tapeless/plan/plan.hpp>
#include <tapeless/run/bare/bare_loop_nest.hpp>

namespace tapeless::bare_kernels {

/// The numbers of a planned command, one after the other. A planned command is no template argument itself:
/// of arrays g++ 12 names the elements alone that were written, so that {0, 1} and {1, 0} may be the same to
/// it.
template <int Count>
struct bare_shape {
  std::int64_t numbers[Count];
};

namespace detail {

template <class F, class... T>
constexpr void visit_each(const F& f, T&... x) {
  (f(x), ...);
}
template <class F>
constexpr void visit_access(access& a, int rank, const F& f) {
  visit_each(f, a.base, a.offset, a.iteration_stride);
  for (int d = 0; d < rank; ++d) f(a.strides[d]);
}

/// Calls f with each number of a command, the rank before what there is for each axis.
template <class F>
constexpr void visit_numbers(planned_product& p, const F& f) {
  visit_each(f, p.type, p.m, p.n, p.k, p.batch_rank);
  for (int d = 0; d < p.batch_rank; ++d) f(p.batch[d]);
  for (access* a : {&p.a, &p.b, &p.c}) visit_access(*a, p.batch_rank + 2, f);
}
template <class F>
constexpr void visit_numbers(planned_convolution& p, const F& f) {
  visit_each(f, p.computes, p.type, p.groups, p.batch, p.in, p.out);
  for (int s = 0; s < 2; ++s)
    visit_each(f, p.image[s], p.kernel[s], p.positions[s], p.stride[s], p.dilation[s], p.padding[s]);
  for (access* a : {&p.x, &p.weight, &p.y}) visit_access(*a, 0, f);  // contiguous
}
template <class F>
constexpr void visit_numbers(planned_pooling& p, const F& f) {
  visit_each(f, p.computes, p.type, p.counts_padding, p.batch, p.channels, p.sources);
  for (int s = 0; s < 2; ++s)
    visit_each(f, p.image[s], p.kernel[s], p.positions[s], p.stride[s], p.padding[s]);
  for (access& a : p.source) visit_access(a, 0, f);  // contiguous
  visit_access(p.result, 0, f);
}
template <class F>
constexpr void visit_loops(planned_axis_loop& p, const F& f) {
  visit_each(f, p.type, p.index_type, p.rank, p.axis);
  for (int d = 0; d < p.rank; ++d) f(p.extents[d]);
  for (access* a : {&p.source, &p.index, &p.result}) visit_access(*a, p.rank, f);
}
template <class F>
constexpr void visit_numbers(planned_gather& p, const F& f) {
  visit_each(f, p.computes, p.bound);
  visit_loops(p, f);
}
template <class F>
constexpr void visit_numbers(planned_scatter& p, const F& f) {
  visit_each(f, p.computes, p.bound, p.count);
  visit_loops(p, f);
  visit_access(p.before, 0, f);  // contiguous
}
template <class F>
constexpr void visit_numbers(planned_prefix_scan& p, const F& f) {
  visit_each(f, p.computes, p.from_the_end);
  visit_loops(p, f);
}
template <class F>
constexpr void visit_numbers(planned_sort& p, const F& f) {
  f(p.places.downward);
  visit_loops(p, f);
}
template <int Loads, int Stores, class F>
constexpr void visit_numbers(bare_loop_nest<Loads, Stores>& p, const F& f) {
  visit_each(f, p.rank, p.accumulates, p.has_index, p.is_open, p.reduced, p.ordered);
  for (int d = 0; d < p.rank; ++d) f(p.extents[d]);
  for (access& a : p.stores) visit_access(a, p.rank, f);
  for (int k = 0; k < Loads; ++k) {
    visit_access(p.loads[k], p.rank, f);
    f(p.numbers[k]);
  }
}

// What is called with each number: classes of their own, so that to visit a command is compiled once for all
// shapes.
struct number_counter {
  int& count;
  template <class T>
  constexpr void operator()(const T&) const {
    ++count;
  }
};
struct number_writer {
  std::int64_t*& to;
  template <class T>
  constexpr void operator()(const T& x) const {
    *to++ = static_cast<std::int64_t>(x);
  }
};
struct number_reader {
  const std::int64_t*& from;
  template <class T>
  constexpr void operator()(T& x) const {
    x = static_cast<T>(*from++);
  }
};

}  // namespace detail

template <class Planned>
constexpr int count_numbers(Planned p) {
  int count = 0;
  detail::visit_numbers(p, detail::number_counter{count});
  return count;
}
/// Precondition: Count is count_numbers(p).
template <int Count, class Planned>
constexpr bare_shape<Count> shape_of(Planned p) {
  bare_shape<Count> shape{};
  std::int64_t* to = shape.numbers;
  detail::visit_numbers(p, detail::number_writer{to});
  return shape;
}
/// The command whose shape it is.
template <class Planned, auto Shape>
constexpr Planned planned_of() {
  Planned p{};
  const std::int64_t* from = Shape.numbers;
  detail::visit_numbers(p, detail::number_reader{from});
  return p;
}

}  // namespace tapeless::bare_kernels
