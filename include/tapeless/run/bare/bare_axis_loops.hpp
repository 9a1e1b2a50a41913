// SPDX-License-Identifier: BSL-1.0
// Gathers, scatters, prefix scans and sorts as nested loops with constant extents and strides.
#pragma once

#include <cstddef>
#include <limits>

#include <tapeless/graph/core/infinity.hpp>
#include <tapeless/ops/base/integer_arithmetic.hpp>
#include <tapeless/run/bare/bare_shape.hpp>
#include <tapeless/run/common/element_types.hpp>
#include <tapeless/run/common/prefix_steps.hpp>
#include <tapeless/run/common/scatter_step.hpp>

namespace tapeless::bare_kernels {

/// The kernel of this shape, of one of the kernel families.
template <class Planned, auto Shape, class Arithmetic>
struct bare_family;

namespace detail {

/// Calls f with the place in each of the loops, in order.
template <int Depth, class F>
inline void for_each_place(const planned_axis_loop& p, std::ptrdiff_t* here, const F& f) {
  if (Depth == p.rank) return f();
  if constexpr (Depth < max_rank)
    for (here[Depth] = 0; here[Depth] < static_cast<std::ptrdiff_t>(p.extents[Depth]); ++here[Depth])
      for_each_place<Depth + 1>(p, here, f);
}

/// How far it is to there, without the steps along one axis.
constexpr std::ptrdiff_t distance_but_along(const access& a, int rank, int but, const std::ptrdiff_t* here) {
  std::ptrdiff_t elements = 0;
  for (int d = 0; d < rank; ++d)
    if (d != but) elements += here[d] * static_cast<std::ptrdiff_t>(a.strides[d]);
  return elements;
}

/// What stands for an element that an index out of range asks for.
template <class T>
constexpr T no_element() {
  if constexpr (std::numeric_limits<T>::has_quiet_NaN) return no_number<T>;
  return T{};
}

}  // namespace detail

/// target(.., i, ..) = source(.., index(.., i, ..), ..), NaN where the index is out of range; or
/// source(.., extent - 1 - i, ..).
template <auto Shape, class Arithmetic>
struct bare_family<planned_gather, Shape, Arithmetic> {
  static constexpr auto p = planned_of<planned_gather, Shape>();

  static void run(std::byte* const* operands, std::ptrdiff_t) {
    using value = storage_of<p.type>;
    const auto* source = begin_of<const value>(operands, p.source);
    auto* target = begin_of<value>(operands, p.result);
    constexpr auto step = static_cast<std::ptrdiff_t>(p.source.strides[p.axis]);
    std::ptrdiff_t here[max_rank] = {};
    if constexpr (p.computes == gather_kind::flip) {
      detail::for_each_place<0>(p, here, [&] {
        const auto from = static_cast<std::ptrdiff_t>(p.extents[p.axis]) - 1 - here[p.axis];
        target[detail::distance_but_along(p.result, p.rank, -1, here)] =
            source[detail::distance_but_along(p.source, p.rank, p.axis, here) + from * step];
      });
    } else {
      const auto* index = begin_of<const storage_of<p.index_type>>(operands, p.index);
      detail::for_each_place<0>(p, here, [&] {
        const auto from =
            static_cast<std::ptrdiff_t>(index[detail::distance_but_along(p.index, p.rank, -1, here)]);
        target[detail::distance_but_along(p.result, p.rank, -1, here)] =
            from >= 0 && from < static_cast<std::ptrdiff_t>(p.bound)
                ? source[detail::distance_but_along(p.source, p.rank, p.axis, here) + from * step]
                : detail::no_element<value>();
      });
    }
  }
};

/// target = start, or what is replaced; target(.., index(.., i, ..), ..) = next(what is there, source(.., i,
/// ..)). Where the index is out of range the element goes nowhere.
template <auto Shape, class Arithmetic>
struct bare_family<planned_scatter, Shape, Arithmetic> {
  static constexpr auto p = planned_of<planned_scatter, Shape>();

  static void run(std::byte* const* operands, std::ptrdiff_t) {
    using value = storage_of<p.type>;
    using step = scatter_step<p.computes, value>;
    const auto* source = begin_of<const value>(operands, p.source);
    const auto* index = begin_of<const storage_of<p.index_type>>(operands, p.index);
    auto* target = begin_of<value>(operands, p.result);
    constexpr auto count = static_cast<std::ptrdiff_t>(p.count);
    if constexpr (p.computes == scatter_kind::replace) {
      const auto* before = begin_of<const value>(operands, p.before);
      if (before != target)
        for (std::ptrdiff_t i = 0; i < count; ++i) target[i] = before[i];
    } else {
      for (std::ptrdiff_t i = 0; i < count; ++i) target[i] = step::start;
    }
    std::ptrdiff_t here[max_rank] = {};
    detail::for_each_place<0>(p, here, [&] {
      const auto to =
          static_cast<std::ptrdiff_t>(index[detail::distance_but_along(p.index, p.rank, -1, here)]);
      if (to < 0 || to >= static_cast<std::ptrdiff_t>(p.bound)) return;
      value& there = target[detail::distance_but_along(p.result, p.rank, p.axis, here) +
                            to * static_cast<std::ptrdiff_t>(p.result.strides[p.axis])];
      there = step::next(there, source[detail::distance_but_along(p.source, p.rank, -1, here)]);
    });
  }
};

/// target(.., i, ..) from source(.., i, ..) and target(.., i - 1, ..), or that of i + 1 from the end: the
/// sum, the product, the larger one, or source + factor target, where the factor is that of i, or of i + 1
/// from the end.
template <auto Shape, class Arithmetic>
struct bare_family<planned_prefix_scan, Shape, Arithmetic> {
  static constexpr auto p = planned_of<planned_prefix_scan, Shape>();
  using stored = storage_of<p.type>;
  using number = computed_as<p.type>;

  static void run(std::byte* const* operands, std::ptrdiff_t) {
    if (count == 0) return;
    const auto* source = begin_of<const stored>(operands, p.source);
    auto* target = begin_of<stored>(operands, p.result);
    const stored* factors = source;
    if constexpr (p.computes == prefix_scan_kind::recurrence)
      factors = begin_of<const stored>(operands, p.index);
    constexpr planned_axis_loop lines = [] {
      planned_axis_loop all = p;
      all.extents[p.axis] = 1;
      return all;
    }();
    std::ptrdiff_t here[max_rank] = {};
    detail::for_each_place<0>(lines, here, [&] {
      const stored* x = source + detail::distance_but_along(p.source, p.rank, p.axis, here);
      const stored* a = factors + detail::distance_but_along(p.index, p.rank, p.axis, here);
      stored* y = target + detail::distance_but_along(p.result, p.rank, p.axis, here);
      if constexpr (Arithmetic::sums_as_tables)
        run_as_tables(x, a, y);
      else
        run_line(x, a, y);
    });
  }

 private:
  static constexpr auto count = static_cast<std::ptrdiff_t>(p.extents[p.axis]);
  // A line by the steps of tables.
  static void run_as_tables(const stored* x, const stored* a, stored* y) {
    constexpr std::ptrdiff_t first = p.from_the_end ? count - 1 : 0, next = p.from_the_end ? -1 : 1;
    constexpr std::ptrdiff_t source = next * step(p.source), factor = next * step(p.index),
                             target = next * step(p.result);
    x += first * step(p.source);
    a += (p.from_the_end ? first + 1 : 0) * step(p.index);  // the factor is that of the element before
    y += first * step(p.result);
    if constexpr (p.computes == prefix_scan_kind::sum) {
      running_sums<stored> sums(1);
      for (std::ptrdiff_t i = 0; i < count; ++i) {
        y[i * target] = sums.add(0, x[i * source]);
        sums.next(1);
      }
    } else {
      using steps = prefix_step<p.computes, stored>;
      auto before = static_cast<typename steps::held>(*x);
      *y = *x;
      for (std::ptrdiff_t i = 1; i < count; ++i) {
        before = steps::next(before, x[i * source], a[i * factor]);
        y[i * target] = static_cast<stored>(before);
      }
    }
  }
  static void run_line(const stored* x, const stored* a, stored* y) {
    number before{};
    for (std::ptrdiff_t i = 0; i < count; ++i) {
      const std::ptrdiff_t at = p.from_the_end ? count - 1 - i : i;
      const auto now = static_cast<number>(x[at * step(p.source)]);
      before = i == 0 ? now : next(before, now, a[(p.from_the_end ? at + 1 : at) * step(p.index)]);
      y[at * step(p.result)] = static_cast<stored>(before);
    }
  }
  static constexpr auto step(const access& a) { return static_cast<std::ptrdiff_t>(a.strides[p.axis]); }
  static constexpr number next(number before, number now, [[maybe_unused]] stored factor) {
    if constexpr (p.computes == prefix_scan_kind::sum) return tapeless::detail::wrapped_sum(before, now);
    if constexpr (p.computes == prefix_scan_kind::product)
      return tapeless::detail::wrapped_product(before, now);
    if constexpr (p.computes == prefix_scan_kind::largest) return tapeless::larger(before, now);
    if constexpr (p.computes == prefix_scan_kind::recurrence)
      return static_cast<number>(now + static_cast<number>(factor) * before);
  }
};

/// Where the elements of each line stand in their order: each counts those before it.
template <auto Shape, class Arithmetic>
struct bare_family<planned_sort, Shape, Arithmetic> {
  static constexpr auto p = planned_of<planned_sort, Shape>();
  using number = computed_as<p.type>;

  static void run(std::byte* const* operands, std::ptrdiff_t) {
    const auto* source = begin_of<const storage_of<p.type>>(operands, p.source);
    auto* target = begin_of<std::int64_t>(operands, p.result);
    constexpr auto from = static_cast<std::ptrdiff_t>(p.source.strides[p.axis]);
    constexpr auto to = static_cast<std::ptrdiff_t>(p.result.strides[p.axis]);
    std::ptrdiff_t here[max_rank] = {};
    detail::for_each_place<0>(p, here, [&] {
      const auto* line = source + detail::distance_but_along(p.source, p.rank, p.axis, here);
      const std::ptrdiff_t own = here[p.axis];
      const auto x = static_cast<number>(line[own * from]);
      std::ptrdiff_t rank = 0;
      for (std::ptrdiff_t i = 0; i < static_cast<std::ptrdiff_t>(p.extents[p.axis]); ++i) {
        const auto y = static_cast<number>(line[i * from]);
        if (sorts_before<p.places.downward>(y, x) || (i < own && !sorts_before<p.places.downward>(x, y)))
          ++rank;
      }
      target[detail::distance_but_along(p.result, p.rank, p.axis, here) + rank * to] = own;
    });
  }
};

}  // namespace tapeless::bare_kernels
