// SPDX-License-Identifier: BSL-1.0
// Ways to keep the tables of a graph or a plan: they are listed once, and kept in lists while they grow, in
// arrays as constants, as numbers where only their sizes matter.
#pragma once

#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/constant_items.hpp>
#include <tapeless/graph/core/list.hpp>

namespace tapeless {

/// Tables that grow.
struct in_lists {
  template <class Item, int Number>
  using table = list<Item>;
};

/// Tables of somebody else's.
struct in_views {
  template <class Item, int Number>
  using table = array_view<const Item>;
};

/// Their sizes alone.
struct in_sizes {
  template <class Item, int Number>
  using table = int;
};

/// The sizes of so many tables, by number.
template <int Tables>
struct table_sizes {
  int of[Tables] = {};
};

/// Tables of just these sizes, which can be constants.
template <auto Sizes>
struct in_arrays {
  template <class Item, int Number>
  using table = constant_items<Item, static_cast<std::size_t>(Sizes.of[Number])>;
};

namespace detail {

/// A byte for each table: to see that none of them was forgotten where they are visited.
struct in_bytes {
  template <class Item, int Number>
  using table = char;
};

/// So many of the first items; there is room for them.
template <class Item>
constexpr void copy_first(const Item* from, int count, Item* to) {
  for (int i = 0; i < count; ++i) to[i] = from[i];
}

}  // namespace detail

}  // namespace tapeless
