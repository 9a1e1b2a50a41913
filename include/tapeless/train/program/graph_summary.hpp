// SPDX-License-Identifier: BSL-1.0
// What a model computes in training, as a number and the counts of its operations, known while compiling.
// They are the same for equal models, whatever the compiler, policy or options.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <tapeless/expr/lower.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/list.hpp>

namespace tapeless::detail {

struct operation_count {
  std::string_view name;
  int count = 0;
};

/// A summary with room for so many operations.
template <std::size_t Room>
struct constant_summary {
  std::uint64_t hash = 0;
  std::size_t size = 0;
  std::array<operation_count, Room> operations{};  // by name
};

/// The tables of a finished graph, whatever their sizes.
struct graph_tables {
  array_view<const node> nodes;
  array_view<const derived_extent> extents;
  array_view<const graph_output> outputs;
  array_view<const graph_effect> effects;
  array_view<const loop_region> regions;
  array_view<const loop_carry> carries;
};

/// Nodes count by what they are made of and not by their numbers, which may depend on the order in which a
/// compiler evaluates the operands of an expression.
class graph_summarizer {
 public:
  constexpr explicit graph_summarizer(const graph_tables& g)
      : g_(g), hashes_(g.nodes.size()), used_(g.nodes.size()) {
    use(g_.outputs[0].node);
    for (const graph_effect& e : g_.effects) use(e.target), use(e.node);
    for (std::size_t i = g_.nodes.size(); i > 0;) {
      const int id = static_cast<int>(--i);
      // What a loop hands on may come behind the nodes that ask for it.
      if (used_[id] && use_operands(id)) i = g_.nodes.size();
    }
    for (std::size_t i = 0; i < g_.nodes.size(); ++i) hashes_[i] = hash_of_node(g_.nodes[i]);
  }

  constexpr std::uint64_t hash() const {
    std::uint64_t sum = 0;  // of what has no order
    for (const graph_effect& e : g_.effects) sum += mixed(hashes_[e.target], hashes_[e.node]);
    for (const loop_carry& c : g_.carries)
      if (used_[c.carry]) sum += mixed(hashes_[c.carry], hashes_[c.next]);
    return mixed(hashes_[g_.outputs[0].node], sum);
  }

  /// Each operation with the number of its nodes, by name. Precondition: there is room for them.
  template <std::size_t Room>
  constexpr void count(constant_summary<Room>& s) const {
    for (std::size_t i = 0; i < g_.nodes.size(); ++i) {
      if (!used_[i]) continue;
      const std::string_view name = g_.nodes[i].op->name;
      std::size_t at = s.size;
      while (at > 0 && name < s.operations[at - 1].name) --at;
      if (at == 0 || s.operations[at - 1].name != name) {
        for (std::size_t k = s.size++; k > at; --k) s.operations[k] = s.operations[k - 1];
        s.operations[at++] = {name, 0};
      }
      ++s.operations[at - 1].count;
    }
  }

 private:
  const graph_tables& g_;
  list<std::uint64_t> hashes_;
  list<bool> used_;

  static constexpr std::uint64_t mixed(std::uint64_t hash, std::uint64_t part) {
    hash = (hash ^ part) * 0x9e3779b97f4a7c15u;
    return hash ^ (hash >> 29);
  }

  constexpr bool use(int id) {
    const bool is_new = !used_[id];
    used_[id] = true;
    return is_new;
  }
  // Says whether a node behind this one was found to be used.
  constexpr bool use_operands(int id) {
    const node& n = g_.nodes[static_cast<std::size_t>(id)];
    for (int k = 0; k < n.operand_count; ++k) use(n.operands[k]);
    if (n.op->kind != family::carry) return false;
    const int next = g_.carries[static_cast<std::size_t>(carry_number(n))].next;
    return use(next) && next > id;
  }

  constexpr std::uint64_t hash_of_extent(std::int64_t e) const {
    if (e >= 0) return static_cast<std::uint64_t>(e);
    const derived_extent& d = g_.extents[static_cast<std::size_t>(-1 - e)];
    if (d.kind == extent_kind::symbol) return hash_of(d.symbol->view());
    const std::uint64_t kind = static_cast<std::uint64_t>(d.kind);
    if (d.kind == extent_kind::sum || d.kind == extent_kind::product)
      return mixed(kind, hash_of_extent(d.left) + hash_of_extent(d.right));
    return mixed(mixed(kind, hash_of_extent(d.left)), hash_of_extent(d.right));
  }

  // How a parameter starts is no part of it.
  constexpr std::uint64_t hash_of_node(const node& n) const {
    std::uint64_t hash = mixed(hash_of(n.op->name), static_cast<std::uint64_t>(n.type));
    for (int k = 0; k < n.operand_count; ++k) hash = mixed(hash, hashes_[n.operands[k]]);
    for (int d = 0; d < n.rank; ++d) hash = mixed(hash, hash_of_extent(n.shape[d]));
    if (n.op->kind == family::parameter) {
      hash = mixed(hash, is_buffer(n) ? 1 : 0);
    } else if (n.op->kind == family::size) {
      hash = mixed(hash, hash_of_extent(extent_of(n)));
    } else {
      for (const std::int64_t a : n.attributes) hash = mixed(hash, static_cast<std::uint64_t>(a));
    }
    hash = mixed(hash, std::bit_cast<std::uint64_t>(n.number));
    if (n.label != nullptr) hash = mixed(hash, hash_of(n.label->view()));
    if (n.region != 0) {
      const loop_region& r = g_.regions[static_cast<std::size_t>(n.region - 1)];
      hash = mixed(hash, hash_of_extent(r.count) + (r.reversed ? 1u : 0u) + (r.stacks ? 2u : 0u));
    }
    return hash;
  }
};

template <class Model, std::size_t Room>
constexpr constant_summary<Room> summarize() {
  constexpr const auto& g = constant_graph_of<lower<Model>>;
  const graph_tables tables{g.nodes, g.extents, g.outputs, g.effects, g.regions, g.carries};
  const graph_summarizer summarizer(tables);
  constant_summary<Room> s;
  s.hash = summarizer.hash();
  summarizer.count(s);
  return s;
}
template <class Model>
inline constexpr auto spacious_summary_of = summarize<Model, constant_graph_of<lower<Model>>.nodes.size()>();

/// Known while compiling, so that a program has no graph in it because of this.
template <class Model>
inline constexpr auto constant_summary_of = [] {
  constexpr const auto& spacious = spacious_summary_of<Model>;
  constant_summary<spacious.size> s{spacious.hash, spacious.size, {}};
  for (std::size_t i = 0; i < s.size; ++i) s.operations[i] = spacious.operations[i];
  return s;
}();

}  // namespace tapeless::detail
