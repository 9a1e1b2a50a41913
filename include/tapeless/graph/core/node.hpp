// SPDX-License-Identifier: BSL-1.0
// One node of the graph: an operation, its operands by number, and the shape of its result.
#pragma once

#include <cstdint>
#include <string_view>

#include <tapeless/graph/core/element.hpp>
#include <tapeless/graph/core/name.hpp>

namespace tapeless {

struct value;
struct node;

inline constexpr int max_rank = 8;
inline constexpr int max_operands = 4;

/// What kind of work a node is: a policy has one kernel family for each kind that is not a leaf or a view.
enum class family : std::uint8_t {
  input,           // bound when the program runs
  parameter,       // owned by the trainer
  state,           // what a rule keeps for a parameter
  hyperparameter,  // a number in the run-time buffer
  constant,        // a number in the program
  size,            // an extent as a number
  iota,            // the index along one axis
  pointwise,       // element by element, with broadcasting
  reduction,       // over some axes
  product,         // matrix product over the last two axes
  convolution,     // over one or two spatial axes, and its transposes
  pooling,         // over windows of one or two spatial axes
  view,            // the operand's elements, seen otherwise
  pad,             // the operand within zeros
  concat,          // the operands end to end
  overlap,         // windows, added up where they overlap
  walk,            // element after element: picked by an index, or added up along an axis
  alias,           // the operand itself, with another derivative
  carry,           // what an iteration of a loop hands to the next; the operand is what the first one gets
  stacked          // the operand's values in all iterations of its loop, along a new first axis
};

/// The shape of an operation's Jacobian decides how forward mode goes through it.
enum class jacobian : std::uint8_t {
  none,      // no derivative exists: an error in the path
  diagonal,  // the cotangent's formula, applied to a tangent, is the tangent's
  linear,    // linear in each operand alone: the operation itself carries tangents
  general    // neither: forward mode transposes the cotangent's formula
};

/// An operation's identity (its address), and the rule of its derivative.
struct operation {
  std::string_view name;
  family kind;
  jacobian structure = jacobian::none;
  /// The cotangent of operand k, from that of the result g, the operands and the result y; {} where it is
  /// zero. May be of the result's shape where the operand was broadcast.
  value (*cotangent)(int k, value g, const value* operands, value y) = nullptr;
  /// The result in terms of other operations, for backends that have no kernel for this one.
  value (*expansion)(const value* operands, const node& y) = nullptr;
};

struct node {
  const operation* op = nullptr;
  element type = element::f32;
  int rank = 0;
  int operand_count = 0;
  int operands[max_operands] = {-1, -1, -1, -1};
  std::int64_t shape[max_rank] = {};       // as the graph's extent table numbers them
  std::int64_t attributes[max_rank] = {};  // axes, offsets, steps: as the operation has them
  double number = 0;                       // a constant's value
  const name* label = nullptr;             // an input's, parameter's or state's name
  int region = 0;                          // the loop whose body the node belongs to; 0 outside
  int rematerialization = 0;               // which one of several equal nodes, where it is computed again
  int home = -1;                           // the node in whose memory this one's elements are, when planned

  friend constexpr bool operator==(const node&, const node&) = default;
};

constexpr std::uint64_t hash_of(const node& n) {
  std::uint64_t hash = hash_of(n.op->name) + static_cast<std::uint64_t>(n.type);
  const auto mix = [&hash](std::int64_t part) {
    hash = (hash ^ static_cast<std::uint64_t>(part)) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 29;
  };
  for (int i = 0; i < n.operand_count; ++i) mix(n.operands[i]);
  for (int i = 0; i < n.rank; ++i) mix(n.shape[i] + 31 * n.attributes[i]);
  mix(n.attributes[0]);
  mix(static_cast<std::int64_t>(n.number * 4096.0 < 1e15 && n.number * 4096.0 > -1e15 ? n.number * 4096.0
                                                                                      : 1));
  mix(n.region + 64 * n.rematerialization);
  if (n.label != nullptr) mix(static_cast<std::int64_t>(hash_of(n.label->view()) >> 1));
  return hash;
}

}  // namespace tapeless
