// SPDX-License-Identifier: BSL-1.0
// Who owns each node's memory, for how long, and where in the arena: functions that run while compiling
// where all extents are literal, and once for each new set of run-time extents otherwise.
#pragma once

#include <tapeless/graph/core/aligned.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/plan/order.hpp>

namespace tapeless {

/// Where in the arena a buffer is.
struct arena_slot {
  std::int64_t offset = 0;
  std::int64_t size = 0;
  int buffer = 0;
};

namespace detail {

// The start of the smallest gap that takes the buffer, between those that live at the same time; behind them
// where there is none. The slots are sorted by offset.
constexpr std::int64_t find_gap(const planned_buffer* buffers, const arena_slot* slots, int count,
                                const arena_slot& wanted) {
  const planned_buffer& b = buffers[wanted.buffer];
  std::int64_t end = 0, best = -1, smallest = 0;
  for (int k = 0; k < count; ++k) {
    const planned_buffer& other = buffers[slots[k].buffer];
    if (other.last < b.first || b.last < other.first) continue;
    const std::int64_t gap = slots[k].offset - end;
    if (gap >= wanted.size && (best < 0 || gap < smallest)) {
      best = end;
      smallest = gap;
    }
    const std::int64_t behind = slots[k].offset + slots[k].size;
    end = end < behind ? behind : end;
  }
  return best >= 0 ? best : end;
}

}  // namespace detail

/// What lives during one command of a launch lives during the whole launch. at_once(s) is the number of
/// commands in the launch that begins with command s.
template <class Buffers, class AtOnce>
constexpr void live_through_launches(Buffers& buffers, int commands, AtOnce at_once) {
  for (int first = 0, last = 0; first < commands; first = last + 1) {
    last = first + static_cast<int>(at_once(first)) - 1;
    if (last == first) continue;
    for (planned_buffer& b : buffers) {
      if (b.first > first && b.first <= last) b.first = first;
      if (b.last >= first && b.last < last) b.last = last;
    }
  }
}

/// Gives every buffer an offset, the largest ones first: two whose lifetimes meet do not overlap. bytes(i) is
/// the size of buffer i; there are as many slots as buffers; offsets are multiples of the alignment. Returns
/// the arena's size in bytes.
template <class Bytes>
TAPELESS_SELDOM constexpr std::int64_t assign_offsets(const planned_buffer* buffers, int count, Bytes bytes,
                                                      std::int64_t* offsets, arena_slot* slots,
                                                      std::int64_t alignment = arena_alignment) {
  int filled = 0;  // by size first, the largest in front
  for (int i = 0; i < count; ++i) {
    const std::int64_t size = detail::aligned(bytes(i), alignment);
    offsets[i] = 0;
    if (size == 0) continue;
    int at = filled++;
    for (; at > 0 && slots[at - 1].size < size; --at) slots[at] = slots[at - 1];
    slots[at] = {0, size, i};
  }
  std::int64_t end = 0;
  for (int placed = 0; placed < filled; ++placed) {  // those in front are sorted by offset
    arena_slot slot = slots[placed];
    slot.offset = detail::find_gap(buffers, slots, placed, slot);
    int at = placed;
    for (; at > 0 && slots[at - 1].offset > slot.offset; --at) slots[at] = slots[at - 1];
    slots[at] = slot;
    offsets[slot.buffer] = slot.offset;
    end = end < slot.offset + slot.size ? slot.offset + slot.size : end;
  }
  return end;
}

namespace detail {

// A buffer that is used inside of a loop and outside of it, too, lives as long as the loop: the next
// iteration needs it again.
constexpr void live_through_loops(const schedule& s, list<planned_buffer>& buffers) {
  for (int begin = 0; begin < s.commands.size(); ++begin) {
    if (s.commands[begin].kind != planned_command::kind::loop_begin) continue;
    const int end = end_of_block(s, begin) - 1;
    for (planned_buffer& b : buffers)
      if (b.first <= begin && b.last >= begin && b.last < end) b.last = end;
  }
}

}  // namespace detail

/// Post-condition: s.buffers lists what the arena holds; s.place[i] says where node i's elements are, for
/// nodes that own some, and for outputs; s.inputs and s.states are their nodes.
constexpr void find_lifetimes(graph& g, schedule& s, const list<int>& target) {
  list<placement>& place = s.place;
  list<planned_buffer>& buffers = s.buffers;
  place.assign(g.nodes.size(), {});
  for (int i = 0; i < g.nodes.size(); ++i) {
    const family kind = g.nodes[i].op->kind;
    switch (source_of(kind)) {
      case element_source::binding:
        if (kind == family::input) place[i] = {storage::input, s.inputs.push(i)};
        if (kind == family::parameter) place[i] = {storage::parameter, parameter_number(g.nodes[i])};
        if (kind == family::state) {
          place[i] = {storage::state, state_number(g.nodes[i])};
          s.states.push(i);
        }
        break;
      case element_source::number:
        if (kind == family::hyperparameter)
          place[i] = {storage::hyperparameter, hyperparameter_number(g.nodes[i])};
        break;
      case element_source::index:
      case element_source::kernel:
      case element_source::loop:
      case element_source::operand:
        break;  // in the arena where a command writes it
    }
  }
  for (int t = 0; t < s.commands.size(); ++t) {
    detail::for_each_write(s, s.commands[t], [&](int id) {
      if (target[id] >= 0) {
        place[id] = place[target[id]];
      } else if (place[id].kind == storage::none) {
        const node& n = g.nodes[id];
        std::int64_t count = 1;
        for (int i = 0; i < n.rank; ++i) count = g.extents.multiply(count, n.shape[i]);
        place[id] = {storage::arena, buffers.push({id, n.type, count, t, t})};
      }
    });
    const auto use = [&](int id) {
      if (place[id].kind == storage::arena) buffers[place[id].index].last = t;
    };
    detail::for_each_read(s, s.commands[t], use);
    detail::for_each_write(s, s.commands[t], use);
  }
  detail::live_through_loops(s, buffers);
  for (const graph_output& o : g.outputs) place[o.node] = place[without_reshapes(g, o.node)];
  for (const graph_output& o : g.outputs)
    if (place[o.node].kind == storage::arena) buffers[place[o.node].index].last = s.commands.size();
}

}  // namespace tapeless
