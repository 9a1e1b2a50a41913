// SPDX-License-Identifier: BSL-1.0
// From the graph to commands in order: groups become fused kernels, products and what is of
// the kernel families stay, views disappear.
#pragma once

#include <tapeless/plan/fuse_loops.hpp>
#include <tapeless/plan/loop_nest.hpp>
#include <tapeless/plan/repeat_differences.hpp>

namespace tapeless {

namespace detail {

// Not constexpr: the compiler's error names it.
inline void the_family_is_not_in_kernel_families() {}

class scheduler {
 public:
  constexpr scheduler(graph& g, const list<int>& group, const list<int>& prologue, schedule& s)
      : g_(g), group_(group), prologue_(prologue), s_(s) {
    slot_.assign(g.nodes.size(), 0);
    repeated_in_.assign(g.nodes.size(), -1);
    stored_.assign(g.nodes.size(), 0);
    for (const graph_output& o : g.outputs) stored_[o.node] = 1;
    for (const graph_effect& e : g.effects) stored_[e.node] = 1;
    for (int i = 0; i < g.nodes.size(); ++i)
      for (int k = 0; k < g.nodes[i].operand_count; ++k)
        if (group[i] != group[g.nodes[i].operands[k]]) stored_[g.nodes[i].operands[k]] = 1;
    next_member_.assign(g.nodes.size(), -1);
    first_member_.assign(g.nodes.size(), -1);
    for (int i = g.nodes.size() - 1; i >= 0; --i)
      if (group[i] >= 0) {
        next_member_[i] = first_member_[group[i]];
        first_member_[group[i]] = i;
      }
  }

  constexpr void run() {
    for (int root : prologue_) add_group(root);
    list<char> done;
    done.assign(g_.regions.size() + 1, 0);
    for (int i = 0; i < g_.nodes.size(); ++i) {
      const int region = g_.nodes[i].region;
      if (region == 0) {
        add_node(i);
      } else if (done[region] == 0) {
        add_loop(region);
        done[region] = 1;
      }
    }
  }

 private:
  graph& g_;
  const list<int>& group_;
  const list<int>& prologue_;
  schedule& s_;
  list<int> slot_;         // a member's instruction
  list<int> repeated_in_;  // the group that last computed what readers compute
  list<char> stored_;
  list<int> next_member_, first_member_;

  constexpr void add_node(int i) {
    if (group_[i] == i && !is_of_prologue(prologue_, i)) add_group(i);
    const family kind = g_.nodes[i].op->kind;
    if (kind == family::product) return add_product(i);
    if (kind == family::pad) return add_pad(i);
    if (kind == family::concat) return add_concat(i);
    if (kind == family::overlap) return add_overlap(i);
    if (source_of(kind) == element_source::kernel && !detail::is_fused(g_.nodes[i])) add_of_family(i);
  }

  // What the first iteration gets; then the body, at whose end carries take next values that had to wait.
  constexpr void add_loop(int region) {
    const loop_region& r = g_.regions[region - 1];
    planned_loop loop{r.count, r.reversed, s_.stacked.size(), 0};
    for (int i = 0; i < g_.nodes.size(); ++i) {
      const node& n = g_.nodes[i];
      if (n.op->kind == family::stacked && g_.nodes[n.operands[0]].region == region) s_.stacked.push(i);
      if (n.op->kind == family::carry && n.region == region) add_start(i);
    }
    loop.stacks = s_.stacked.size() - loop.first_stack;
    const int index = s_.loops.push(loop);
    s_.commands.push({planned_command::kind::loop_begin, index});
    for (const bool at_the_end : {false, true})
      for (int i = 0; i < g_.nodes.size(); ++i)
        if (g_.nodes[i].region == region && hands_on(g_.nodes[i]) == at_the_end) add_node(i);
    s_.commands.push({planned_command::kind::loop_end, index});
  }
  constexpr void add_start(int carry) {
    const node& n = g_.nodes[carry];
    planned_fused_kernel p = begin_fused_kernel(n);
    store(load(p, n.operands[0], n.rank), carry, by_loop(g_, carry, n.rank));
    end_fused_kernel(p);
  }

  constexpr planned_fused_kernel begin_fused_kernel(const node& shape) {
    planned_fused_kernel p{.rank = shape.rank};
    for (int i = 0; i < shape.rank; ++i) p.extents[i] = shape.shape[i];
    p.first_load = s_.loads.size();
    p.first_instruction = s_.instructions.size();
    p.first_store = s_.stores.size();
    return p;
  }

  constexpr void end_fused_kernel(planned_fused_kernel p) {
    p.loads = s_.loads.size() - p.first_load;
    p.instructions = s_.instructions.size() - p.first_instruction;
    p.stores = s_.stores.size() - p.first_store;
    loop_nest(g_, s_, p).simplify();
    for (int k = p.first_load; k < s_.loads.size(); ++k)
      if (s_.loads[k].kind != lane::number && s_.loads[k].kind != lane::index)
        s_.loads[k].kind = lane_of(s_.loads[k].place, p.rank);
    for (int k = p.first_store; k < s_.stores.size(); ++k)
      s_.stores[k].kind = lane_of(s_.stores[k].place, p.rank);
    s_.commands.push({planned_command::kind::fused_kernel, s_.fused_kernels.push(p)});
  }

  constexpr int load(const planned_fused_kernel& p, int id, int rank) {
    const planned_load wanted = make_load(g_, id, rank);
    for (int k = p.first_load; k < s_.loads.size(); ++k) {
      const planned_load& other = s_.loads[k];
      bool same = other.place.base == wanted.place.base && other.place.offset == wanted.place.offset &&
                  other.place.iteration_stride == wanted.place.iteration_stride && other.type == wanted.type;
      for (int i = 0; same && i < rank; ++i) same = other.place.strides[i] == wanted.place.strides[i];
      if (same) return -1 - (k - p.first_load);
    }
    return -1 - (s_.loads.push(wanted) - p.first_load);
  }

  constexpr void store(int source, int id, const access& place, const operation* reduction = nullptr) {
    s_.stores.push({lane::contiguous, g_.nodes[id].type, source, reduction, place});
  }

  constexpr void add_group(int root) {
    const node& shape = g_.nodes[iteration_node(g_, root)];
    planned_fused_kernel p = begin_fused_kernel(shape);
    for (int i = first_member_[root]; i >= 0; i = next_member_[i]) {
      const node& n = g_.nodes[i];
      planned_instruction instruction = compute(p, root, i, shape.rank);
      if (n.op->kind == family::reduction) {
        p.reduced = axes_of(n);
        store(instruction.operands[0], i, reduced_place(i, shape.rank, p.reduced), n.op);
        continue;
      }
      slot_[i] = s_.instructions.push(instruction) - p.first_instruction;
      if (i == root || stored_[i] != 0) store(slot_[i], i, by_loop(g_, i, shape.rank));
    }
    end_fused_kernel(p);
  }

  // Member i of a group, behind what it reads.
  constexpr planned_instruction compute(const planned_fused_kernel& p, int root, int i, int rank) {
    const node& n = g_.nodes[i];
    planned_instruction instruction{.op = n.op, .type = n.type, .operand_count = n.operand_count};
    for (int k = 0; k < n.operand_count; ++k) {
      const int operand = n.operands[k];
      if (group_[operand] == computed_by_readers && repeated_in_[operand] != root) {
        slot_[operand] = s_.instructions.push(compute(p, root, operand, rank)) - p.first_instruction;
        repeated_in_[operand] = root;
      }
      const bool is_computed = group_[operand] == root || group_[operand] == computed_by_readers;
      instruction.operands[k] = is_computed ? slot_[operand] : load(p, operand, rank);
    }
    return instruction;
  }

  constexpr access reduced_place(int id, int rank, unsigned reduced) {
    access own, result;
    resolve(g_, id, own);
    result.base = own.base;
    result.iteration_stride = own.iteration_stride;
    int k = 0;
    for (int i = 0; i < rank; ++i) result.strides[i] = (reduced >> i & 1u) != 0 ? 0 : own.strides[k++];
    return result;
  }

  constexpr void add_zeros(int id) {
    const node& n = g_.nodes[id];
    planned_fused_kernel zeros = begin_fused_kernel(n);
    s_.loads.push({.kind = lane::number, .type = n.type, .place = {.base = id}});
    store(-1, id, by_loop(g_, id, n.rank));
    end_fused_kernel(zeros);
  }

  // Zeros everywhere, then the operand's elements in their places.
  constexpr void add_pad(int id) {
    add_zeros(id);
    const node& n = g_.nodes[id];
    const node& from = g_.nodes[n.operands[0]];
    planned_fused_kernel elements = begin_fused_kernel(from);
    const slice_places s = slice_of(n);
    access place = contiguous_access(g_, id);
    place.offset = g_.extents.multiply(place.strides[s.axis], s.begin);
    place.strides[s.axis] = g_.extents.multiply(place.strides[s.axis], s.step);
    for (int i = 0; i < n.rank; ++i)
      if (from.shape[i] == 1) place.strides[i] = 0;
    store(load(elements, n.operands[0], from.rank), id, place);
    end_fused_kernel(elements);
  }

  constexpr void add_concat(int id) {
    const node& n = g_.nodes[id];
    const int axis = axis_of(n);
    const access whole = contiguous_access(g_, id);
    std::int64_t offset = whole.offset;
    for (int k = 0; k < n.operand_count; ++k) {
      const node& from = g_.nodes[n.operands[k]];
      if (from.home != id) {
        planned_fused_kernel elements = begin_fused_kernel(from);
        access place = whole;
        place.offset = offset;
        for (int i = 0; i < n.rank; ++i)
          if (from.shape[i] == 1) place.strides[i] = 0;
        store(load(elements, n.operands[k], from.rank), id, place);
        end_fused_kernel(elements);
      }
      offset = g_.extents.add(offset, g_.extents.multiply(whole.strides[axis], from.shape[axis]));
    }
  }

  // Zeros, to which all windows' elements are added: the loop over a window's elements is outside of the one
  // over windows, so that no two iterations of the innermost loop meet.
  constexpr void add_overlap(int id) {
    add_zeros(id);
    const node& n = g_.nodes[id];
    const node& from = g_.nodes[n.operands[0]];
    const sliding_windows w = windows_of(n, from);
    const int axis = w.axis, last = n.rank;
    planned_fused_kernel p = begin_fused_kernel(from);
    const int source = load(p, n.operands[0], from.rank);
    access& read = s_.loads[p.first_load].place;
    const access by_axis = read, whole = contiguous_access(g_, id);
    access write = whole;
    for (int i = 0; i < from.rank; ++i) {
      const int d = i < axis ? i : i == axis ? last : i - 1;  // loop i goes along axis d
      p.extents[i] = from.shape[d];
      read.strides[i] = by_axis.strides[d];
      write.strides[i] =
          d != axis && d != last ? whole.strides[d]
          : from.shape[d] == 1
              ? 0
              : g_.extents.multiply(whole.strides[axis], d == axis ? w.each.stride : w.each.dilation);
    }
    p.ordered = 3u << axis;
    p.accumulates = true;
    store(source, id, write, n.op);
    end_fused_kernel(p);
  }

  constexpr void add_of_family(int id) {
    const family kind = g_.nodes[id].op->kind;
    bool is_listed = false;
    for_each_family(kernel_families{}, [&]<class F>() {
      if (F::kind != kind) return;
      is_listed = true;
      const int index = s_.families.template of<F>().push(F::make(g_, id));
      s_.commands.push({planned_command::kind::of_family, index, kernel_families::place_of<F>});
    });
    if (!is_listed) the_family_is_not_in_kernel_families();
  }

  constexpr void add_product(int id) {
    const node& n = g_.nodes[id];
    planned_product p{.type = n.type, .batch_rank = n.rank - 2};
    const node& left = g_.nodes[n.operands[0]];
    p.m = n.shape[n.rank - 2];
    p.n = n.shape[n.rank - 1];
    p.k = left.shape[left.rank - 1];
    for (int i = 0; i < p.batch_rank; ++i) p.batch[i] = n.shape[i];
    p.a = by_loop(g_, n.operands[0], n.rank);
    p.b = by_loop(g_, n.operands[1], n.rank);
    p.c = by_loop(g_, id, n.rank);
    s_.commands.push({planned_command::kind::product, s_.products.push(p)});
  }
};

}  // namespace detail

/// `prologue` has the roots of the groups that come first. Post-condition: s holds the commands that
/// compute every node of g, each after those that it reads from.
constexpr void make_schedule(graph& g, const list<int>& group, const list<int>& prologue, schedule& s) {
  detail::scheduler(g, group, prologue, s).run();
}

}  // namespace tapeless
