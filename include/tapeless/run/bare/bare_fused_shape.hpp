// SPDX-License-Identifier: BSL-1.0
// What is known of a fused kernel while compiling, by its key and its shape: its loops, how it goes along the
// last one, and what it loads, computes and stores, by number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <tapeless/run/bare/bare_loop_order.hpp>
#include <tapeless/run/bare/bare_number.hpp>
#include <tapeless/run/bare/bare_shape.hpp>
#include <tapeless/run/bare/bare_sums.hpp>
#include <tapeless/run/common/kernel_parts.hpp>
#include <tapeless/run/common/products_in_sums.hpp>

namespace tapeless::bare_kernels {

namespace detail {

/// How a fused kernel goes along its last axis.
enum class along_last {
  one_by_one,
  in_vectors,  // each element is a result of its own
  in_parts,    // one result is the sum of all; see bare_sums.hpp
  in_lanes     // the same; see order_of_sums.hpp
};

}  // namespace detail

/// A kernel of this key (a pointer to it) and shape.
template <class Key, auto Shape, class Arithmetic>
struct bare_fused_shape : kernel_parts<std::remove_pointer_t<Key>> {
  using parts = kernel_parts<std::remove_pointer_t<Key>>;
  using parts::load_count, parts::load_of, parts::store_count, parts::store_of;
  using typename parts::number, typename parts::store_numbers;

  static constexpr auto nest = planned_of<bare_loop_nest<load_count, store_count>, Shape>();
  static constexpr detail::loop_order order = detail::order_of(nest);
  static constexpr int kept = order.kept, rank = nest.rank, last = rank - 1;
  static constexpr auto extent_of(int axis) { return static_cast<std::ptrdiff_t>(nest.extents[axis]); }
  static constexpr bool is_open = nest.is_open;

  template <int... Number>
  static constexpr bool stores_are_contiguous(std::integer_sequence<int, Number...>) {
    return ((nest.stores[Number].strides[last] == 1) && ...);
  }
  static constexpr detail::along_last along = [] {
    if constexpr (Arithmetic::sums_as_tables && parts::innermost_reduced && !nest.accumulates) {
      return detail::along_last::in_lanes;
    } else if constexpr (std::is_void_v<number> || rank == 0) {
      return detail::along_last::one_by_one;
    } else if constexpr (kept < rank && order.axis[last] == last) {
      return extent_of(last) >= sum_parts ? detail::along_last::in_parts : detail::along_last::one_by_one;
    } else if constexpr ((nest.ordered >> last & 1u) == 0 && stores_are_contiguous(store_numbers{})) {
      return (is_open || extent_of(last) >= least_vector_width<number>) && vector_width<number> > 1
                 ? detail::along_last::in_vectors
                 : detail::along_last::one_by_one;
    }
    return detail::along_last::one_by_one;
  }();
  // Of a single element the sum is itself.
  static constexpr bool sums_up_one = [] {
    for (int k = kept; k < rank; ++k)
      if (extent_of(order.axis[k]) != 1) return false;
    return true;
  }();
  // What is summed up over axes of one element has no such axis left, but a sum all the same.
  static constexpr bool has_sums = [] {
    for (int k = 0; k < store_count; ++k)
      if (store_of(k).reduction >= 0 && !nest.accumulates) return true;
    return kept < rank;
  }();

  // By how many elements a load moves along the last axis.
  static constexpr std::int64_t stride_of(int number) {
    return load_of(number).kind == lane::number || rank == 0
               ? 0
               : nest.loads[number].strides[rank == 0 ? 0 : last];
  }
  // The loads, with those first that are the same for all places of the last axis.
  struct sorted_loads {
    int fixed = 0;
    int number[load_count + 1] = {};
  };
  static constexpr sorted_loads sorted = [] {
    sorted_loads s;
    int next = 0;
    for (const bool fixed : {true, false}) {
      for (int k = 0; k < load_count; ++k)
        if ((stride_of(k) == 0 && load_of(k).kind != lane::index) == fixed) s.number[next++] = k;
      if (fixed) s.fixed = next;
    }
    return s;
  }();

  static constexpr product_in_sum part_of([[maybe_unused]] int number) {
    if constexpr (Arithmetic::has_multiply_add && !std::is_void_v<typename parts::number>)
      return products_in_sums<typename parts::key_type>[static_cast<std::size_t>(number)];
    return product_in_sum{};
  }
};

}  // namespace tapeless::bare_kernels
