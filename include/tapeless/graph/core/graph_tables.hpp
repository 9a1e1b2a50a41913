// SPDX-License-Identifier: BSL-1.0
// The tables of a graph: the one list of them, and what is in each.
#pragma once

#include <cstdint>
#include <limits>

#include <tapeless/graph/core/extent.hpp>
#include <tapeless/graph/core/node.hpp>
#include <tapeless/graph/core/table_storage.hpp>

namespace tapeless {

namespace detail {

struct same_number {
  constexpr int operator()(int id) const { return id; }
};

}  // namespace detail

/// An item that refers to nodes has renumber(number), where number(id) is a node's number in another graph,
/// or -1 where it is not there. The result is whether the item is still needed.
template <class Item>
concept refers_to_nodes = requires(Item item) { item.renumber(detail::same_number{}); };

/// The numbers of an array, in row-major order.
struct given_values {
  double (*at)(std::int64_t);
  std::int64_t count;
  int rank;
  std::int64_t extents[max_rank]{};
};

/// How a parameter starts.
struct initializer {
  enum class kind : std::uint8_t {
    constant,    // `value`, everywhere
    uniform,     // in [-value, value]
    normal,      // around 0 with deviation `value`
    orthogonal,  // the rows of a matrix, or its columns, are orthogonal and of length `value`
    norm,        // each element is the length of the part of parameter `of` that it stands for
    values       // those of `given`
  } kind = kind::constant;
  double value = 0;
  const name* of = nullptr;
  bool stacked = false;  // the first axis only counts the loop's iterations, each with a parameter of its own
  const given_values* given = nullptr;

  /// Whether elements know of one another, so that they are computed and not drawn one by one.
  constexpr bool is_computed() const { return kind == kind::orthogonal || kind == kind::norm; }
  /// Whether it is for parameters of some shapes only.
  constexpr bool is_for_a_shape() const { return is_computed() || kind == kind::values; }
  friend constexpr bool operator==(const initializer&, const initializer&) = default;
};

/// A value that leaves the program, with the name that it is asked for by (none for the loss).
struct graph_output {
  int node = -1;
  const name* label = nullptr;

  template <class Number>
  constexpr bool renumber(Number number) {
    node = number(node);
    return true;
  }
};

/// A draw of random numbers, by its name.
struct graph_draw : graph_output {
  int like = -1;  // whose shape it has, where it is drawn like another value
};

/// A parameter or state that takes a new value at the end of the step.
struct graph_effect {
  int target = -1;
  int node = -1;
  int gradient = -1;  // what it comes from, where that is a parameter's gradient

  template <class Number>
  constexpr bool renumber(Number number) {
    target = number(target);
    node = number(node);
    gradient = number(gradient);
    return true;
  }
};

/// Which elements of an input, in row-major order, a slice of it has; by default all. All numbers but the
/// step are extents.
struct sliced_elements {
  std::int64_t inner = 1;   ///< elements for each place along the slice's axis
  std::int64_t extent = 1;  ///< of that axis
  std::int64_t begin = 0, step = 1, count = 1;

  /// Whether no extent is a run-time one.
  constexpr bool are_known() const { return inner >= 0 && extent >= 0 && begin >= 0 && count >= 0; }
  /// Precondition: they are known.
  constexpr bool has(std::int64_t element) const {
    const std::int64_t place = element / inner % extent - begin;
    return place >= 0 && place % step == 0 && place / step < count;
  }
  friend constexpr bool operator==(const sliced_elements&, const sliced_elements&) = default;
};

/// An input whose elements are used as indices, and must be from 0 to below the bound, or `ignored`.
struct index_bound {
  static constexpr std::int64_t none = std::numeric_limits<std::int64_t>::min();
  int node = -1;
  std::int64_t bound = 0;
  std::int64_t ignored = none;
  sliced_elements elements = {};

  /// f(e) for each of its numbers that may be an extent of run time.
  template <class F>
  constexpr void for_each_extent(F f) {
    f(bound), f(elements.inner), f(elements.extent), f(elements.begin), f(elements.count);
  }
  friend constexpr bool operator==(const index_bound&, const index_bound&) = default;
  template <class Number>
  constexpr bool renumber(Number number) {
    node = number(node);
    return node >= 0;
  }
};

/// A loop: its body is computed `count` times.
struct loop_region {
  std::int64_t count = 0;  // as the graph's extent table numbers it
  bool reversed = false;   // from the last iteration to the first
  bool stacks = false;     // every iteration has parameters of its own, which are stacked
};

/// At the end of an iteration, `carry` takes the value of `next`.
struct loop_carry {
  int carry = -1;
  int next = -1;

  template <class Number>
  constexpr bool renumber(Number number) {  // one that is gone stays: a carry's node holds its place
    carry = number(carry);
    next = carry < 0 ? -1 : number(next);
    return true;
  }
};

/// How many numbers are given out.
struct graph_counters {
  int states = 0;
  int random_streams = 0;      // independent streams of random numbers
  int rematerializations = 0;  // how often something was computed again
};

/// The tables of a graph; Storage says how they are kept. A new one is a line here, and its name below.
template <class Storage>
struct graph_tables {
  template <class Item, int Number>
  using table = typename Storage::template table<Item, Number>;

  table<node, 0> nodes{};
  table<derived_extent, 1> extents{};
  table<initializer, 2> initializers{};  // parameter nodes refer to them by their first attribute
  table<graph_output, 3> outputs{};
  table<graph_effect, 4> effects{};
  table<index_bound, 5> index_bounds{};
  table<loop_region, 6> regions{};  // region r is regions[r - 1]
  table<loop_carry, 7> carries{};
};

/// Calls f with each table of a graph; or with the first tables of several graphs, their second ones, and so
/// on.
template <class F, class... Graphs>
constexpr void for_each_graph_table(const F& f, Graphs&&... g) {
  f(g.nodes...);
  f(g.extents...);
  f(g.initializers...);
  f(g.outputs...);
  f(g.effects...);
  f(g.index_bounds...);
  f(g.regions...);
  f(g.carries...);
}

namespace detail {

constexpr int count_graph_tables() {
  int count = 0;
  for_each_graph_table([&](char) { ++count; }, graph_tables<in_bytes>{});
  return count;
}

}  // namespace detail

inline constexpr int graph_table_count = detail::count_graph_tables();
static_assert(sizeof(graph_tables<detail::in_bytes>) == graph_table_count, "a table is not visited");

}  // namespace tapeless
