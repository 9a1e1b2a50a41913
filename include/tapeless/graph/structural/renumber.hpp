// SPDX-License-Identifier: BSL-1.0
// What comes along where a graph is copied node by node: all its other tables.
#pragma once

#include <tapeless/graph/core/graph.hpp>

namespace tapeless {

namespace detail {

template <class Item>
constexpr void copy_unnumbered(const list<Item>& from, list<Item>& to) {
  if constexpr (!refers_to_nodes<Item>)
    for (const Item& item : from) to.push(item);
}
constexpr void copy_unnumbered(const list<node>& from, list<node>& to) { to.reserve(from.size()); }
constexpr void copy_unnumbered(const extent_table& from, extent_table& to) {
  for (const derived_extent& e : from.entries()) to.intern(e);
}

template <class Item, class Number>
constexpr void copy_renumbered(const list<Item>& from, list<Item>& to, const Number& number) {
  if constexpr (refers_to_nodes<Item>)
    for (Item item : from)
      if (item.renumber(number)) to.push(item);
}
template <class Number>
constexpr void copy_renumbered(const extent_table&, extent_table&, const Number&) {}

}  // namespace detail

/// Copies what refers to no node: extents, initial values, loops, and how many numbers are given out. Nodes
/// of `to` may then be made of those of `from`.
constexpr void copy_unnumbered(const graph& from, graph& to) {
  for_each_graph_table([](const auto& table, auto& copy) { detail::copy_unnumbered(table, copy); }, from, to);
  static_cast<graph_counters&>(to) = from;
}

/// Copies what refers to nodes: outputs, effects, bounds of indices and carries. number(id) is the number in
/// `to` of node id, or -1 where it is not there.
template <class Number>
constexpr void copy_renumbered(const graph& from, graph& to, Number number) {
  const auto renumbered = [&](int id) { return id < 0 ? -1 : number(id); };
  for_each_graph_table(
      [&](const auto& table, auto& copy) { detail::copy_renumbered(table, copy, renumbered); }, from, to);
}

}  // namespace tapeless
