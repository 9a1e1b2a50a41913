// SPDX-License-Identifier: BSL-1.0
// Who owns each node's memory, for how long, and where in the arena: functions that run while compiling
// where all extents are literal, and once for each new set of run-time extents otherwise.
#pragma once

#include <tapeless/plan/order.hpp>

namespace tapeless {

inline constexpr std::int64_t arena_alignment = 64;  // bytes: a cache line, and the widest vector

/// An arena slot: free memory, or a buffer's, while offsets are given out.
struct arena_block {
  std::int64_t offset = 0;
  std::int64_t size = 0;
};

namespace detail {

constexpr std::int64_t aligned(std::int64_t bytes) {
  return (bytes + arena_alignment - 1) / arena_alignment * arena_alignment;
}

// Free blocks, sorted by offset, never adjacent to one another.
constexpr void release(arena_block* free, int& count, arena_block block) {
  int at = 0;
  while (at < count && free[at].offset < block.offset) ++at;
  const bool joins_left = at > 0 && free[at - 1].offset + free[at - 1].size == block.offset;
  const bool joins_right = at < count && block.offset + block.size == free[at].offset;
  if (joins_left && joins_right) {
    free[at - 1].size += block.size + free[at].size;
    for (int i = at; i + 1 < count; ++i) free[i] = free[i + 1];
    --count;
  } else if (joins_left) {
    free[at - 1].size += block.size;
  } else if (joins_right) {
    free[at] = {block.offset, block.size + free[at].size};
  } else {
    for (int i = count; i > at; --i) free[i] = free[i - 1];
    free[at] = block;
    ++count;
  }
}

// The smallest free block that is large enough; at the end of the arena where there is none.
constexpr std::int64_t acquire(arena_block* free, int& count, std::int64_t size, std::int64_t& end) {
  int best = -1;
  for (int i = 0; i < count; ++i)
    if (free[i].size >= size && (best < 0 || free[i].size < free[best].size)) best = i;
  if (best >= 0) {
    const std::int64_t offset = free[best].offset;
    free[best].offset += size;
    free[best].size -= size;
    if (free[best].size == 0) {
      for (int i = best; i + 1 < count; ++i) free[i] = free[i + 1];
      --count;
    }
    return offset;
  }
  std::int64_t offset = end;
  if (count > 0 && free[count - 1].offset + free[count - 1].size == end) offset = free[--count].offset;
  end = offset + size;
  return offset;
}

}  // namespace detail

/// Gives every buffer an offset: two whose lifetimes meet do not overlap. `buffers` are sorted by their first
/// step; bytes(i) is the size of buffer i; `active` and `free` have room for as many entries as there are
/// buffers. Returns the arena's size in bytes.
template <class Bytes>
constexpr std::int64_t assign_offsets(const planned_buffer* buffers, int count, Bytes bytes,
                                      std::int64_t* offsets, int* active, arena_block* free) {
  std::int64_t end = 0;
  int active_count = 0, free_count = 0;
  for (int i = 0; i < count; ++i) {
    int kept = 0;
    for (int k = 0; k < active_count; ++k) {
      const int other = active[k];
      if (buffers[other].last < buffers[i].first) {
        if (bytes(other) > 0)
          detail::release(free, free_count, {offsets[other], detail::aligned(bytes(other))});
      } else {
        active[kept++] = other;
      }
    }
    active_count = kept;
    offsets[i] = bytes(i) > 0 ? detail::acquire(free, free_count, detail::aligned(bytes(i)), end) : 0;
    active[active_count++] = i;
  }
  return end;
}

namespace detail {

// A buffer that is used inside of a loop and outside of it, too, lives as long as the loop: the next turn
// needs it again.
constexpr void live_through_loops(const schedule& s, list<planned_buffer>& buffers) {
  for (int begin = 0; begin < s.steps.size(); ++begin) {
    if (s.steps[begin].kind != planned_step::kind::loop_begin) continue;
    const int end = end_of_block(s, begin) - 1;
    for (planned_buffer& b : buffers)
      if (b.first <= begin && b.last >= begin && b.last < end) b.last = end;
  }
}

}  // namespace detail

/// Post-condition: buffers lists what the arena holds, sorted by first step; place[i] says where node i's
/// elements are, for nodes that own some.
constexpr void find_lifetimes(graph& g, const schedule& s, const list<int>& target, list<placement>& place,
                              list<planned_buffer>& buffers, list<int>& inputs, list<int>& states) {
  place.assign(g.nodes.size(), {});
  for (int i = 0; i < g.nodes.size(); ++i) {
    switch (g.nodes[i].op->kind) {
      case family::input:
        place[i] = {storage::input, inputs.push(i)};
        break;
      case family::parameter:
        place[i] = {storage::parameter, static_cast<int>(g.nodes[i].attributes[1])};
        break;
      case family::state:
        place[i] = {storage::state, static_cast<int>(g.nodes[i].attributes[0])};
        states.push(i);
        break;
      case family::hyperparameter:
        place[i] = {storage::hyperparameter, static_cast<int>(g.nodes[i].attributes[0])};
        break;
      default:
        break;
    }
  }
  for (int t = 0; t < s.steps.size(); ++t) {
    detail::for_each_write(s, s.steps[t], [&](int id) {
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
    detail::for_each_read(s, s.steps[t], use);
    detail::for_each_write(s, s.steps[t], use);
  }
  detail::live_through_loops(s, buffers);
  for (const graph_output& o : g.outputs)
    if (place[o.node].kind == storage::arena) buffers[place[o.node].index].last = s.steps.size();
}

}  // namespace tapeless
