// SPDX-License-Identifier: BSL-1.0
// What operations along axes carry, by name. Only this file knows in which attribute it stands.
#pragma once

#include <bit>

#include <tapeless/graph/core/node.hpp>

namespace tapeless {

/// The axis that an iota, concat, gather, scatter or flip goes along.
constexpr int axis_of(const node& n) { return static_cast<int>(n.attributes[0]); }
constexpr void set_axis(node& n, int axis) { n.attributes[0] = axis; }

/// The axes that a reduction takes, or a softmax is over: bit i stands for axis i of the operand.
constexpr unsigned axes_of(const node& n) { return static_cast<unsigned>(n.attributes[0]); }
constexpr void set_axes(node& n, unsigned axes) { n.attributes[0] = axes; }

/// The axis of the operand that a permute makes axis i.
constexpr int permuted_axis(const node& n, int i) { return static_cast<int>(n.attributes[i]); }
constexpr void set_permutation(node& n, const int* axes) {
  for (int i = 0; i < n.rank; ++i) n.attributes[i] = axes[i];
}

/// Places begin, begin + step, ... along an axis. Begin is an extent as the graph's table numbers it.
struct slice_places {
  int axis = 0;
  std::int64_t begin = 0, step = 1;
};
/// Where in its operand a slice's elements are; where in a pad the operand's elements are.
constexpr slice_places slice_of(const node& n) {
  return {static_cast<int>(n.attributes[0]), n.attributes[1], n.attributes[2]};
}
constexpr void set_slice(node& n, const slice_places& s) {
  n.attributes[0] = s.axis;
  n.attributes[1] = s.begin;
  n.attributes[2] = s.step;
}

/// Whether a sort begins with the largest element, and how many places of the order are looked at, all where
/// 0: the others may have the rest in any order. Its axis is the last one.
struct sort_places {
  bool downward = false;
  std::int64_t first = 0;
};
constexpr sort_places sort_of(const node& n) { return {n.attributes[0] != 0, n.attributes[1]}; }
constexpr void set_sort(node& n, const sort_places& s) {
  n.attributes[0] = s.downward ? 1 : 0;
  n.attributes[1] = s.first;
}

/// The axis of a prefix scan, and whether it goes from the last element to the first.
struct scan_places {
  int axis = 0;
  bool from_the_end = false;
};
constexpr scan_places prefix_scan_of(const node& n) {
  return {static_cast<int>(n.attributes[0]), n.attributes[1] != 0};
}
constexpr void set_prefix_scan(node& n, const scan_places& s) {
  n.attributes[0] = s.axis;
  n.attributes[1] = s.from_the_end ? 1 : 0;
}

/// Which keys the queries of an attention attend to, and what is made of its scores and weights.
struct attention_scores {
  bool causal = false;      // those whose index is not above the query's
  std::int64_t window = 0;  // those less than so many places away; 0: all
  bool masked = false;      // those that a mask says, or by as much as it says
  double scale = 1;
  bool adds = false;         // the mask's numbers are added to the scaled scores
  double dropout = 0;        // how likely a weight is 0; the others are 1 / (1 - dropout) times as large
  std::int64_t sloping = 0;  // of so many heads the scores fall with the distance; 0: of none
  int head_axes = 1;         // that these heads have

  constexpr bool drops() const { return dropout > 0; }
};
constexpr attention_scores attention_scores_of(const node& n) {
  return {.causal = n.attributes[0] != 0,
          .window = n.attributes[1],
          .masked = n.attributes[2] != 0,
          .scale = n.number,
          .adds = n.attributes[3] != 0,
          .dropout = std::bit_cast<double>(n.attributes[4]),
          .sloping = n.attributes[5],
          .head_axes = static_cast<int>(n.attributes[6])};
}
constexpr void set_attention_scores(node& n, const attention_scores& s) {
  n.attributes[0] = s.causal ? 1 : 0;
  n.attributes[1] = s.window;
  n.attributes[2] = s.masked ? 1 : 0;
  n.attributes[3] = s.adds ? 1 : 0;
  n.attributes[4] = std::bit_cast<std::int64_t>(s.dropout);
  n.attributes[5] = s.sloping;
  n.attributes[6] = s.head_axes;
  n.number = s.scale;
}

/// Which operands of an attention are what; those below 0 it has not. Five are the most that a node has: keys
/// and values stand side by side in one, where six were needed.
struct attention_places {
  int values = 2, result = -1, mask = -1, random = -1;
  constexpr bool together() const { return values == 1; }
};
constexpr attention_places attention_places_of(const attention_scores& s, bool of_gradients) {
  attention_places p;
  if (of_gradients && s.masked && s.drops()) p.values = 1;
  int next = p.values + 1;
  if (of_gradients) p.result = next++;
  if (s.masked) p.mask = next++;
  if (s.drops()) p.random = next++;
  return p;
}

/// How many columns the result of an attention has, of which the first value_width are p v. The next two are
/// what makes scores weights; of 16 bits they are floats in four, which are there where value_width is a
/// multiple of 8. The others let rows begin at multiples of 8.
constexpr std::int64_t attention_columns(std::int64_t value_width) { return (value_width + 2 + 7) / 8 * 8; }

/// Which triangle of its matrix a triangular solve looks at, and whether the diagonal stands for ones.
struct triangle {
  bool upper = false;
  bool unit = false;
};
constexpr triangle triangle_of(const node& n) { return {n.attributes[0] != 0, n.attributes[1] != 0}; }
constexpr void set_triangle(node& n, const triangle& t) {
  n.attributes[0] = t.upper ? 1 : 0;
  n.attributes[1] = t.unit ? 1 : 0;
}

}  // namespace tapeless
