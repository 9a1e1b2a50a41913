// SPDX-License-Identifier: BSL-1.0
// One node of the graph: an operation, its operands by number, and the shape of its result.
#pragma once

#include <bit>
#include <cstdint>

#include <tapeless/graph/core/element.hpp>
#include <tapeless/graph/core/name.hpp>
#include <tapeless/graph/core/operation.hpp>

namespace tapeless {

inline constexpr int max_rank = 8;
inline constexpr int max_operands = 5;

struct node {
  const operation* op = nullptr;
  element type = element::f32;
  int rank = 0;
  int operand_count = 0;
  int operands[max_operands] = {-1, -1, -1, -1, -1};
  std::int64_t shape[max_rank] = {};       // as the graph's extent table numbers them
  std::int64_t attributes[max_rank] = {};  // axes, offsets, steps: read and set by functions with names
  double number = 0;                       // a constant's value
  const name* label = nullptr;             // an input's, parameter's or state's name
  int region = 0;                          // the loop whose body the node belongs to; 0 outside
  int rematerialization = 0;               // which one of several equal nodes, where it is computed again
  int home = -1;                           // the node in whose memory this one's elements are, when planned

  // Only what counts, 0 and -0 apart, and without a loop over attributes: compilers compare the nodes of a
  // graph when equal ones are looked for, and each step costs.
  friend constexpr bool operator==(const node& a, const node& b) {
    if (a.op != b.op || a.type != b.type || a.rank != b.rank || a.operand_count != b.operand_count ||
        a.number != b.number || a.label != b.label || a.region != b.region ||
        a.rematerialization != b.rematerialization || a.home != b.home)
      return false;
    for (int i = 0; i < a.operand_count; ++i)
      if (a.operands[i] != b.operands[i]) return false;
    for (int i = 0; i < a.rank; ++i)
      if (a.shape[i] != b.shape[i]) return false;
    static_assert(max_rank == 8);
    const std::int64_t *const x = a.attributes, *const y = b.attributes;
    return x[0] == y[0] && x[1] == y[1] && x[2] == y[2] && x[3] == y[3] && x[4] == y[4] && x[5] == y[5] &&
           x[6] == y[6] && x[7] == y[7] &&
           (a.number != 0 ||
            std::bit_cast<std::uint64_t>(a.number) == std::bit_cast<std::uint64_t>(b.number));
  }
};

/// A carry's place among the carries of its graph.
constexpr int carry_number(const node& n) { return static_cast<int>(n.attributes[0]); }
constexpr void set_carry_number(node& n, int number) { n.attributes[0] = number; }

/// For the graph's table of nodes.
constexpr std::uint64_t hash_of(const node& n) {
  constexpr std::uint64_t factor = 0x9e3779b97f4a7c15u;
  std::uint64_t hash = n.op->hash + static_cast<std::uint64_t>(n.type) +
                       64 * static_cast<std::uint64_t>(n.region + 64 * n.rematerialization);
  for (int i = 0; i < n.operand_count; ++i)
    hash = (hash + static_cast<std::uint64_t>(n.operands[i])) * factor;
  for (int i = 0; i < n.rank; ++i)
    hash =
        (hash + static_cast<std::uint64_t>(n.shape[i]) + 31 * static_cast<std::uint64_t>(n.attributes[i])) *
        factor;
  hash = (hash + static_cast<std::uint64_t>(n.attributes[0])) * factor;
  if (n.number != 0) hash = (hash + std::bit_cast<std::uint64_t>(n.number)) * factor;  // -0 as 0
  // states have numbers
  if (n.label != nullptr && n.op->kind != family::state) hash += hash_of(n.label->view());
  return hash ^ hash >> 32;
}

}  // namespace tapeless
