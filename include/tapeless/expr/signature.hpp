// SPDX-License-Identifier: BSL-1.0
// What a cell's value is (element type and shape), found by building the cell alone in a small graph. This
// is where a program that does not fit is noticed, at the line that the user wrote.
#pragma once

#include <tapeless/expr/cell.hpp>
#include <tapeless/graph/value.hpp>

namespace tapeless {

inline constexpr int max_arguments = 8;

/// One value's element type and shape, with the derived extents that it mentions.
struct value_signature {
  static constexpr int max_derived = 8;
  element type = element::f32;
  shape_list shape;
  int derived_count = 0;
  derived_extent derived[max_derived] = {};
};

/// A cell's values: one, or several where the cell only gathers operands.
struct signature {
  int count = 0;
  value_signature values[max_arguments] = {};
  text error;
};

/// Numbers of the nodes that a cell's values are.
struct node_list {
  int count = 0;
  int ids[max_arguments] = {};

  constexpr void append(const node_list& more) {
    for (int i = 0; i < more.count && count < max_arguments; ++i) ids[count++] = more.ids[i];
  }
};

namespace detail {

inline constexpr operation placeholder_operation{"placeholder", family::input};

constexpr value_signature signature_of(value v) {
  value_signature s{.type = v.type(), .shape = shape_of(v)};
  const list<derived_extent>& entries = v.owner->extents.entries();
  // Entries refer to earlier ones only, so the first so many are complete in themselves.
  std::int64_t deepest = 0;
  for (int i = 0; i < s.shape.rank; ++i)
    if (s.shape.extents[i] < deepest) deepest = s.shape.extents[i];
  if (-deepest > value_signature::max_derived) {
    v.fail(text() << "a shape mentions more than " << value_signature::max_derived << " run-time extents");
    return s;
  }
  s.derived_count = static_cast<int>(-deepest);
  for (int i = 0; i < s.derived_count; ++i) s.derived[i] = entries[i];
  return s;
}

constexpr value placeholder(graph& g, const value_signature& s, int index) {
  node n;
  n.op = &placeholder_operation;
  n.type = s.type;
  n.rank = s.shape.rank;
  for (int i = 0; i < n.rank; ++i) n.shape[i] = g.extents.import(s.derived, s.shape.extents[i]);
  n.attributes[max_rank - 1] = index;
  return {&g, g.insert(n)};
}

template <class Op, std::size_t... I>
constexpr value build_cell(graph& g, const node_list& x, std::index_sequence<I...>) {
  if constexpr (sizeof...(I) == 0) {
    return Op::build(g);
  } else {
    return Op::build(value{&g, x.ids[I]}...);
  }
}

}  // namespace detail

/// Builds what Op makes of the operands. An Op has `arity` (-1: any number) and build(values...); one that
/// has `gathers` only lists its operands for the next cell.
template <class Op>
constexpr node_list build_cell(graph& g, const node_list& x) {
  if constexpr (requires { Op::gathers; }) {
    return x;
  } else if constexpr (requires { Op::build_all(g, x); }) {
    return Op::build_all(g, x);
  } else {
    return {
        1,
        {detail::build_cell<Op>(g, x, std::make_index_sequence<static_cast<std::size_t>(Op::arity)>()).id}};
  }
}

namespace detail {

template <class Op>
constexpr signature infer(const signature& a, const signature& b) {
  signature result;
  graph g;
  node_list x;
  for (const signature* s : {&a, &b})
    for (int i = 0; i < s->count; ++i) {
      if (x.count == max_arguments) {
        result.error << "more than " << max_arguments << " operands";
        return result;
      }
      x.ids[x.count] = placeholder(g, s->values[i], x.count).id;
      ++x.count;
    }
  node_list values;
  if constexpr (requires { Op::infer(g, x); }) {
    values = Op::infer(g, x);
  } else {
    values = build_cell<Op>(g, x);
  }
  if (!g.failed())
    for (; result.count < values.count; ++result.count)
      result.values[result.count] = signature_of({&g, values.ids[result.count]});
  result.error = g.error;
  return result;
}

template <class E, int Index>
constexpr signature operand_signature();

}  // namespace detail

/// The signature of the chain's last cell.
template <class E>
inline constexpr signature signature_of_cell =
    detail::infer<typename E::op>(detail::operand_signature<E, E::a>(), detail::operand_signature<E, E::b>());

namespace detail {

template <class E, int Index>
constexpr signature operand_signature() {
  if constexpr (Index < 0) {
    return signature{};
  } else {
    return signature_of_cell<first_cells<Index + 1, E>>;
  }
}

}  // namespace detail

}  // namespace tapeless
