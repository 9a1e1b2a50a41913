// SPDX-License-Identifier: BSL-1.0
// The graph while it is being built: every node once (equal ones are shared), operands before users.
#pragma once

#include <cstdint>
#include <type_traits>

#include <tapeless/graph/core/graph_tables.hpp>
#include <tapeless/graph/core/text.hpp>

namespace tapeless {

namespace detail {

/// Equal extents are found again.
struct in_growing_graph {
  template <class Item, int Number>
  using table = std::conditional_t<std::is_same_v<Item, derived_extent>, extent_table, list<Item>>;
};

/// A node that was made of another one, and where nodes were added then.
struct made_node {
  int id;
  int region;
  int rematerialization;
};

/// A node inside of a checkpoint, and its copy, which computes it again for a derivative.
struct recomputed_node {
  int id;
  int copy;
};

}  // namespace detail

/// The iterations of loops that are unrolled in the body of another loop: how many there are for each of its
/// own, and which one is being built.
struct unrolled_iterations {
  std::int64_t count = 1;
  std::int64_t iteration = 0;
  bool have_own_parameters = false;
};

class graph : public graph_tables<detail::in_growing_graph>, public graph_counters {
 public:
  text error;            // the first thing that went wrong, as a sentence
  bool training = true;  // what is built: a training step, or an evaluation
  bool asked_mode = false;
  int region = 0;             // where nodes are added now
  int rematerialization = 0;  // what they are marked with
  list<int> arguments;        // of the loop's body that is being built
  unrolled_iterations unrolled;
  list<graph_draw> draws;                    // of random numbers, by name
  list<detail::made_node> transposes;        // of products of products
  list<detail::recomputed_node> recomputed;  // which derivatives by these nodes are by, too

  constexpr graph() = default;
  constexpr explicit graph(const graph&) = default;
  constexpr graph(graph&&) = default;
  constexpr graph& operator=(graph&&) = default;

  /// Whether a training step is built. The graph remembers that it depends on the answer.
  constexpr bool is_training() {
    asked_mode = true;
    return training;
  }

  /// Post-condition: the node's number; an equal node that was there is used again.
  constexpr int insert(const node& n) {
    if (2 * nodes.size() >= buckets_.size() || hashes_.size() < nodes.size()) fill_buckets();
    const std::uint64_t hash = hash_of(n);
    const std::size_t mask = static_cast<std::size_t>(buckets_.size()) - 1;
    std::size_t slot = hash & mask;
    for (; buckets_[slot] != 0; slot = (slot + 1) & mask) {
      const int other = buckets_[slot] - 1;
      if (hashes_[other] == hash && nodes[other] == n) return other;
    }
    hashes_.push(hash);
    buckets_[slot] = nodes.size() + 1;
    return nodes.push(n);
  }

  /// Post-condition: as insert's, of the same operation in the region where nodes are added now. Operands
  /// from another loop are read from that loop's residuals.
  constexpr int add(const node& n) {  // most are added as they are, without a copy
    return region == 0 && rematerialization == 0 && n.region == 0 ? insert(n) : add_here(n);
  }

  /// make(), which adds node `id` with other operands; where it did so before, and nodes are added as they
  /// were then, what it added. For what goes down from operand to operand: to one that is shared there are
  /// twice as many ways with each level.
  template <class Make>
  constexpr int once(list<detail::made_node>& made, int id, const Make& make) {
    if (id < made.size() && is_as_now(made[id], id)) return made[id].id;
    const int result = make();
    if (id >= made.size()) made.resize(2 * nodes.size(), {-1, 0, 0});
    made[id] = {result, region, rematerialization};
    return result;
  }

  /// Node `id` of another loop, of as many iterations, as a residual: its value in the same iteration.
  constexpr int residual(int id) {
    const node n = nodes[id];
    if (n.region == 0 || n.region == region) return id;
    if (n.op->kind == family::alias)  // with the derivative that it has
      return once(aliases_, id, [&] { return add(n); });
    if (n.op->kind == family::view || is_same_in_all_iterations(n)) return add(n);
    return in_iteration(stack(id));
  }

  /// [count, ...] -> [...]: the element of the present iteration along the first axis.
  constexpr int in_iteration(int id) {
    node n = nodes[id];
    for (int i = 1; i < n.rank; ++i) n.shape[i - 1] = n.shape[i];
    return insert(unary(iteration_operation, n, id, n.rank - 1, region));
  }

  /// [...] -> [count, ...]: the values of a node of a loop in all its iterations.
  constexpr int stack(int id) {
    node n = nodes[id];
    for (int i = n.rank; i > 0; --i) n.shape[i] = n.shape[i - 1];
    n.shape[0] = regions[nodes[id].region - 1].count;
    return insert(unary(stack_operation, n, id, n.rank + 1, 0));
  }

  /// A value that the loop's iterations hand on; the first gets `init`. What the next gets is said by
  /// set_next.
  constexpr int carry(int init) {
    node n = nodes[init];
    n = unary(carry_operation, n, init, n.rank, region);
    set_carry_number(n, carries.size());
    const int id = insert(n);
    carries.push({id, id});
    return id;
  }
  constexpr void set_next(int carry, int next) { carries[carry_number(nodes[carry])].next = next; }
  constexpr int next(int carry) const { return carries[carry_number(nodes[carry])].next; }

  /// A carry's value when the loop is over.
  constexpr int last_value(int carry) {
    const node n = nodes[carry];
    return insert(unary(last_operation, n, carry, n.rank, 0));
  }

  /// Opens a loop's body; nodes are added to it until `region` is set back.
  constexpr void open_region(const loop_region& r) { region = 1 + regions.push(r); }

  // Models in checkpoints are told apart by names of operations too, so this one keeps its first.
  static constexpr operation iteration_operation{"turn", view_kind::iteration, jacobian::linear};
  static constexpr operation stack_operation{"stack", family::stacked, jacobian::linear};
  static constexpr operation carry_operation{"carry", family::carry, jacobian::linear};
  static constexpr operation last_operation{"last", view_kind::last, jacobian::linear};

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
  // In a loop, or marked as computed again.
  constexpr int add_here(node n) {
    n.region = region;
    if (rematerialization != 0) n.rematerialization = rematerialization;
    if (region != 0)
      for (int k = 0; k < n.operand_count; ++k) n.operands[k] = residual(n.operands[k]);
    return insert(n);
  }

  // A loop's invariants are taken out of it, so what was there may have gone.
  constexpr bool is_as_now(const detail::made_node& made, int id) const {
    return made.id >= 0 && made.region == region && made.rematerialization == rematerialization &&
           nodes[made.id].op == nodes[id].op;
  }

  constexpr bool is_same_in_all_iterations(const node& n) const {
    for (int k = 0; k < n.operand_count; ++k)
      if (nodes[n.operands[k]].region != 0) return false;
    return n.op->kind != family::carry;
  }

  list<int> buckets_;                // a node's number and 1 more, or 0
  list<std::uint64_t> hashes_;       // of the nodes in buckets
  list<detail::made_node> aliases_;  // as residuals
  static constexpr operation failure{"failure", family::constant};

  static constexpr node failed_node() {
    node n;
    n.op = &failure;
    return n;
  }

  // The given operation of node id, in a shape of so many axes, of which n holds the extents.
  static constexpr node unary(const operation& op, const node& n, int id, int rank, int region) {
    node result;
    result.op = &op;
    result.type = n.type;
    result.rank = rank;
    for (int i = 0; i < rank; ++i) result.shape[i] = n.shape[i];
    result.operand_count = 1;
    result.operands[0] = id;
    result.region = region;
    return result;
  }

  // Nodes that were pushed are hashed when the first one is inserted: most graphs that are loaded get none.
  constexpr void fill_buckets() {
    for (int i = hashes_.size(); i < nodes.size(); ++i) hashes_.push(hash_of(nodes[i]));
    std::size_t size = 256;
    while (size <= 2 * static_cast<std::size_t>(nodes.size())) size *= 8;
    buckets_ = list<int>(size);
    const std::size_t mask = size - 1;
    for (int i = 0; i < nodes.size(); ++i) {
      std::size_t slot = hashes_[i] & mask;
      while (buckets_[slot] != 0) slot = (slot + 1) & mask;
      buckets_[slot] = i + 1;
    }
  }
};

}  // namespace tapeless
