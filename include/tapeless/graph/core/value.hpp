// SPDX-License-Identifier: BSL-1.0
// A handle on one node of a graph that is being built: what operations and update rules compute with.
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

#include <tapeless/graph/core/graph.hpp>

namespace tapeless {

struct value {
  graph* builder = nullptr;
  int id = -1;

  /// False for the absent cotangent, which stands for zero.
  constexpr bool exists() const { return builder != nullptr; }
  constexpr const node& get() const { return builder->nodes[id]; }
  // Not by get(): these are most of the calls in which compilers build a graph, and each one counts.
  constexpr int rank() const { return builder->nodes[id].rank; }
  constexpr element type() const { return builder->nodes[id].type; }
  constexpr bool is(const operation& op) const { return builder->nodes[id].op == &op; }
  constexpr bool is(family kind) const { return builder->nodes[id].op->kind == kind; }
  constexpr bool is(operation_kind auto kind) const { return get().op->is(kind); }
  constexpr value operand(int k) const { return {builder, builder->nodes[id].operands[k]}; }
  constexpr value fail(const text& sentence) const { return {builder, builder->fail(sentence)}; }
  constexpr value insert(const node& n) const { return {builder, builder->add(n)}; }
};

template <class X>
concept is_value = std::is_same<std::remove_cvref_t<X>, value>::value;

/// Extents of one shape, as the graph's table numbers them.
struct shape_list {
  int rank = 0;
  std::int64_t extents[max_rank] = {};
  friend constexpr bool operator==(const shape_list& a, const shape_list& b) {
    for (int i = 0; i < a.rank && a.rank == b.rank; ++i)
      if (a.extents[i] != b.extents[i]) return false;
    return a.rank == b.rank;
  }
};

constexpr shape_list shape_of(value v) {
  const node& n = v.get();
  shape_list s{.rank = n.rank};
  for (int i = 0; i < n.rank; ++i) s.extents[i] = n.shape[i];
  return s;
}

constexpr void set_shape(node& n, const shape_list& s) {
  n.rank = s.rank;
  for (int i = 0; i < s.rank; ++i) n.shape[i] = s.extents[i];
}

constexpr std::int64_t element_count(graph& g, const shape_list& s) {
  std::int64_t count = 1;
  for (int i = 0; i < s.rank; ++i) count = g.extents.multiply(count, s.extents[i]);
  return count;
}

/// An axis counted from the end where it is negative. Post-condition: 0 <= axis < rank, or -1 if there is
/// none.
constexpr int normal_axis(int axis, int rank) {
  const int a = axis < 0 ? axis + rank : axis;
  return a >= 0 && a < rank ? a : -1;
}

/// Whether x is a scalar, and the axis one that PyTorch lets a scalar have.
constexpr bool is_axis_of_scalar(value x, int axis) { return x.rank() == 0 && (axis == 0 || axis == -1); }

namespace detail {

/// Extents from the last axis on: the shape becomes as long as that of so many, the new ones are 1.
constexpr void lengthen(shape_list& shape, int rank) {
  const int more = rank - shape.rank;
  for (int i = rank - 1; i >= 0; --i) shape.extents[i] = i < more ? 1 : shape.extents[i - more];
  shape.rank = rank;
}

}  // namespace detail

/// The shape becomes the one that NumPy's broadcasting gives for it and for these extents; false where they
/// do not fit.
constexpr bool broadcast(shape_list& shape, int rank, const std::int64_t* extents) {
  if (rank > shape.rank) detail::lengthen(shape, rank);
  std::int64_t* const own = shape.extents + (shape.rank - rank);
  for (int i = 0; i < rank; ++i) {
    if (own[i] == extents[i] || extents[i] == 1) continue;
    if (own[i] != 1) return false;
    own[i] = extents[i];
  }
  return true;
}
constexpr bool broadcast(shape_list& shape, const node& n) { return broadcast(shape, n.rank, n.shape); }

/// The same for two shapes, as a third one.
constexpr bool broadcast(const shape_list& a, const shape_list& b, shape_list& result) {
  result = a;
  return broadcast(result, b.rank, b.extents);
}

}  // namespace tapeless
