// SPDX-License-Identifier: BSL-1.0
// A fused kernel as nested loops with constant extents and strides: what is reduced comes innermost, so that
// sums stay in registers. The last axis goes in vectors where the machine has them, with the same bits: its
// elements are summed up in so many parts everywhere, or in the lanes of tables' vectors.
#pragma once

#include <cstddef>
#include <type_traits>

#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/run/bare/bare_fused_elements.hpp>
#include <tapeless/run/bare/bare_fused_sums.hpp>

namespace tapeless::bare_kernels {

/// A kernel of this key (a pointer to it) and shape. Vectors have the lanes, and so the functions, of
/// Arithmetic, and sums have its order.
template <class Key, auto Shape, class Arithmetic = own_arithmetic>
struct bare_fused_kernel : bare_fused_elements<Key, Shape, Arithmetic> {
  /// The number is in which iteration of the plan's loop this is or, where the nest is open, how many places
  /// it has more.
  [[gnu::always_inline]] static void run(std::byte* const* operands, std::ptrdiff_t number) {
    outer<0>({operands, number});
  }

 private:
  using base = bare_fused_elements<Key, Shape, Arithmetic>;
  using typename base::context, typename base::number;
  using instruction_numbers = typename base::instruction_numbers;
  using store_numbers = typename base::store_numbers;
  using base::along, base::begin_sums, base::extent_of, base::has_sums, base::is_open, base::kept, base::last,
      base::order, base::rank;
  using sums_as_tables = bare_fused_sums<Key, Shape, Arithmetic>;
  template <int Width>
  using sums = typename base::template sums<Width>;
  template <int Width>
  using values = typename base::template values<Width>;

  // The loops outside of those that are reduced, and of that in vectors.
  static constexpr int outside = along == detail::along_last::in_vectors ? kept - 1 : kept;

  // In what follows i[k] is the place in loop order.axis[k], the first one of a vector.

  template <int Depth, class... Places>
  [[gnu::always_inline]] static void outer(const context& c, Places... i) {
    if constexpr (Depth < outside) {
      const std::ptrdiff_t extent = extent_of(order.axis[Depth]) + c.places();
      for (std::ptrdiff_t now = 0; now < extent; ++now) outer<Depth + 1>(c, i..., now);
    } else if constexpr (along == detail::along_last::in_vectors) {
      in_vectors<vector_width<number>, 0>(c, i...);
    } else if constexpr (along == detail::along_last::in_lanes) {
      sums_as_tables::reduce_in_lanes(c, i...);
    } else if constexpr (has_sums) {
      reduce<1>(c, i...);
    } else {
      const std::ptrdiff_t here[max_rank] = {i...};
      sums<1> none;
      base::template compute<1>(c, here, none);
    }
  }

  // The places of the last axis from Begin on, in vectors of Width numbers; then the rest in smaller ones.
  // Those of a call come first.
  template <int Width, std::ptrdiff_t Begin, class... Places>
  [[gnu::always_inline]] static void in_vectors(const context& c, Places... i) {
    constexpr std::ptrdiff_t extent = extent_of(last), end = Begin + (extent - Begin) / Width * Width;
    constexpr bool is_first = Width == vector_width<number>;
    if constexpr (end > Begin || (is_open && is_first)) {
      const std::ptrdiff_t begin = is_first ? 0 : Begin + c.places();
      const std::ptrdiff_t first[max_rank] = {i..., begin};
      values<Width> r;  // instructions leave what was loaded as it is
      if constexpr (!has_sums) base::template load_fixed<Width>(c, first, r);
      for (std::ptrdiff_t now = begin; now < end + c.places(); now += Width) {
        if constexpr (!has_sums) {
          const std::ptrdiff_t here[max_rank] = {i..., now};
          sums<Width> none;
          base::template load_varying<Width>(c, here, r);
          base::template execute_and_store<Width>(c, here, r, none, instruction_numbers{}, store_numbers{});
        } else {
          reduce<Width>(c, i..., now);
        }
      }
    }
    if constexpr (end < extent) in_vectors<next_width<Width>, end>(c, i...);
  }
  template <int Width>
  static constexpr int next_width = Width / 2 < least_vector_width<number> ? 1 : Width / 2;

  template <int Width, class... Places>
  [[gnu::always_inline]] static void reduce(const context& c, Places... i) {
    if constexpr (Arithmetic::sums_as_tables && kept < rank) {
      sums_as_tables::template reduce_rows<Width>(c, i...);
    } else {
      const std::ptrdiff_t here[max_rank] = {i...};
      sums<Width> s;
      begin_sums(s, store_numbers{});
      inner<Width, kept>(c, s, i...);
      base::template end_sums<Width>(c, here, s, store_numbers{});
    }
  }

  template <int Width, int Depth, class... Places>
  [[gnu::always_inline]] static void inner(const context& c, sums<Width>& s, Places... i) {
    if constexpr (Depth == last && along == detail::along_last::in_parts) {
      in_parts(c, s, i...);
    } else if constexpr (Depth < rank) {
      constexpr std::ptrdiff_t extent = extent_of(order.axis[Depth]);
      for (std::ptrdiff_t now = 0; now < extent; ++now) inner<Width, Depth + 1>(c, s, i..., now);
    } else {
      const std::ptrdiff_t here[max_rank] = {i...};
      base::template compute<Width>(c, here, s);
    }
  }

  template <class... Places>
  [[gnu::always_inline]] static void in_parts(const context& c, sums<1>& s, Places... i) {
    constexpr int width = bare_sum<number>::width;
    constexpr std::ptrdiff_t extent = extent_of(last), whole = extent / sum_parts * sum_parts;
    for (std::ptrdiff_t now = 0; now < whole; now += sum_parts)
      for_each_part<number>([&](auto part) TAPELESS_INLINED {
        const std::ptrdiff_t here[max_rank] = {i..., now + part * width};
        base::template compute<width>(c, here, s, part);
      });
    for (std::ptrdiff_t now = whole; now < extent; ++now) {
      const std::ptrdiff_t here[max_rank] = {i..., now};
      base::template compute<1>(c, here, s);
    }
  }
};

}  // namespace tapeless::bare_kernels
