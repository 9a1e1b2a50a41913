// SPDX-License-Identifier: BSL-1.0
// The graph while it is being built: every node once (equal ones are shared), operands before users.
#pragma once

#include <cstdint>
#include <limits>

#include <tapeless/graph/extent.hpp>
#include <tapeless/graph/list.hpp>
#include <tapeless/graph/node.hpp>
#include <tapeless/graph/text.hpp>

namespace tapeless {

/// How a parameter starts: zero, a constant, uniform in [-a, a], normal with deviation a.
struct initializer {
  enum class kind : std::uint8_t { constant, uniform, normal } kind = kind::constant;
  double value = 0;
  friend constexpr bool operator==(const initializer&, const initializer&) = default;
};

/// A value that leaves the program, with the name that it is asked for by (none for the loss).
struct graph_output {
  int node = -1;
  const name* label = nullptr;
};

/// A parameter or state that takes a new value at the end of the step.
struct graph_effect {
  int target = -1;
  int node = -1;
  int gradient = -1;  // what it comes from, where that is a parameter's gradient
};

/// An input whose elements are used as indices, and must be from 0 to below the bound, or `ignored`.
struct index_bound {
  static constexpr std::int64_t none = std::numeric_limits<std::int64_t>::min();
  int node = -1;
  std::int64_t bound = 0;
  std::int64_t ignored = none;
};

class graph {
 public:
  list<node> nodes;
  extent_table extents;
  list<initializer> initializers;  // parameter nodes refer to them by their first attribute
  list<graph_output> outputs;
  list<graph_effect> effects;
  list<index_bound> index_bounds;
  text error;            // the first thing that went wrong, as a sentence
  bool training = true;  // what is built: a training step, or an evaluation
  bool asked_mode = false;
  int random_streams = 0;  // how many independent streams of random numbers are in use

  /// Whether a training step is built. The graph remembers that it depends on the answer.
  constexpr bool is_training() {
    asked_mode = true;
    return training;
  }

  /// Post-condition: the node's number; an equal node that was there is used again.
  constexpr int insert(const node& n) {
    if (2 * nodes.size() >= buckets_.size()) grow();
    const unsigned mask = static_cast<unsigned>(buckets_.size()) - 1;
    unsigned slot = static_cast<unsigned>(hash_of(n)) & mask;
    for (; buckets_[static_cast<int>(slot)] >= 0; slot = (slot + 1) & mask)
      if (nodes[buckets_[static_cast<int>(slot)]] == n) return buckets_[static_cast<int>(slot)];
    return buckets_[static_cast<int>(slot)] = nodes.push(n);
  }

  /// Records the first error. Post-condition: node 0's number or that of a fresh scalar, so that building
  /// can go on.
  constexpr int fail(const text& sentence) {
    if (error.empty()) error = sentence;
    return nodes.size() > 0 ? 0 : insert(failed_node());
  }
  constexpr bool failed() const { return !error.empty(); }

  constexpr void describe_shape(text& out, const node& n) const {
    out << "[";
    for (int i = 0; i < n.rank; ++i) {
      if (i > 0) out << ", ";
      extents.describe(out, n.shape[i]);
    }
    out << "]";
  }

 private:
  list<int> buckets_;
  static constexpr operation failure{"failure", family::constant};

  static constexpr node failed_node() {
    node n;
    n.op = &failure;
    return n;
  }

  constexpr void grow() {
    const int size = buckets_.size() == 0 ? 64 : 4 * buckets_.size();
    buckets_.assign(size, -1);
    const unsigned mask = static_cast<unsigned>(size) - 1;
    for (int i = 0; i < nodes.size(); ++i) {
      unsigned slot = static_cast<unsigned>(hash_of(nodes[i])) & mask;
      while (buckets_[static_cast<int>(slot)] >= 0) slot = (slot + 1) & mask;
      buckets_[static_cast<int>(slot)] = i;
    }
  }
};

}  // namespace tapeless
