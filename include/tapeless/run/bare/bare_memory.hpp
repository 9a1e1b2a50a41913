// SPDX-License-Identifier: BSL-1.0
// Where everything of a program is, in one block of memory: offsets that are known while compiling.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <tapeless/plan/layout.hpp>
#include <tapeless/plan/plan.hpp>
#include <tapeless/run/bare/bare_vectors.hpp>

namespace tapeless::bare_kernels {

/// The alignment of memory: that of vectors, where there are some.
inline constexpr std::int64_t bare_alignment = vector_bytes > 8 ? vector_bytes : 8;
/// What is smaller than a vector is aligned as its size is, because memory is scarce.
constexpr std::int64_t alignment_for(std::int64_t bytes) {
  std::int64_t alignment = 8;
  while (alignment < bytes && alignment < bare_alignment) alignment *= 2;
  return alignment;
}

/// Where a program finds its operands. Offsets of parameters and states are the trainer's.
struct bare_memory {
  const std::byte* const* inputs;
  std::byte* parameters;
  std::byte* states;
  const double* numbers;
  std::byte* arena;
  std::byte* locals = nullptr;  // as long as a program runs, for the buffers that need no place behind it
  std::byte* packed = nullptr;  // as long as a loop runs, for the operands that it packs
};

namespace detail {

/// The offsets of a plan's buffers, and the size of the arena behind them. A buffer of so many bytes has
/// room(bytes).
template <class GraphBuilder, class Room>
constexpr auto lay_out_arena(Room room, std::int64_t alignment) {
  constexpr auto& plan = plan_of<GraphBuilder>;
  constexpr std::size_t count = plan.buffers.size();
  std::array<std::int64_t, count + 1> offsets{};
  std::array<arena_slot, count + 1> slots{};
  const auto bytes = [&](int i) {
    const planned_buffer& b = plan.buffers[static_cast<std::size_t>(i)];
    return room(b.count * static_cast<std::int64_t>(size_of(b.type)));
  };
  offsets[count] = assign_offsets(plan.buffers.data(), static_cast<int>(count), bytes, offsets.data(),
                                  slots.data(), alignment);
  return offsets;
}

/// The offsets of a trainer's parameters or states, and their size.
template <std::size_t N, class Description>
constexpr auto lay_out_tensors(const std::array<Description, N>& all) {
  std::array<std::int64_t, N + 1> offsets{};
  std::int64_t end = 0;
  for (std::size_t i = 0; i < N; ++i) {
    offsets[i] = tapeless::detail::aligned(end, alignment_for(all[i].bytes()));
    end = offsets[i] + all[i].bytes();
  }
  offsets[N] = end;
  return offsets;
}

}  // namespace detail

// Buffers take what they need, not whole lines of the cache: larger ones, which come first, fit as well.
template <class GraphBuilder>
inline constexpr auto arena_offsets_of = detail::lay_out_arena<GraphBuilder>(
    [](std::int64_t bytes) { return tapeless::detail::aligned(bytes, alignment_for(bytes)); },
    alignment_for(1));
template <class GraphBuilder>
inline constexpr std::int64_t arena_bytes_of =
    arena_offsets_of<GraphBuilder>[plan_of<GraphBuilder>.buffers.size()];

namespace detail {

/// How far a placement is from where its memory begins: parameters, states or the arena. Layout has the
/// offsets of `parameters` and `states`, and may have those of the `arena`.
template <class GraphBuilder, class Layout>
constexpr std::ptrdiff_t offset_of(const placement& p) {
  const auto i = static_cast<std::size_t>(p.index);
  if (p.kind == storage::parameter) return static_cast<std::ptrdiff_t>(Layout::parameters[i]);
  if (p.kind == storage::state) return static_cast<std::ptrdiff_t>(Layout::states[i]);
  if (p.kind != storage::arena) return 0;
  if constexpr (requires { Layout::arena; }) {
    return static_cast<std::ptrdiff_t>(Layout::arena[i]);
  } else {
    return static_cast<std::ptrdiff_t>(arena_offsets_of<GraphBuilder>[i]);
  }
}

}  // namespace detail

/// Where the elements of a placement are, so far from where its memory begins. No template: what is constant
/// is so once it is inlined.
[[gnu::always_inline]] inline std::byte* place_of(const bare_memory& m, const placement& p,
                                                  std::ptrdiff_t offset, bool is_local = false) {
  switch (p.kind) {
    case storage::input:
      return const_cast<std::byte*>(m.inputs[p.index]) + offset;
    case storage::hyperparameter:
      return const_cast<std::byte*>(reinterpret_cast<const std::byte*>(m.numbers + p.index)) + offset;
    case storage::parameter:
      return aligned_for_vectors(m.parameters) + offset;
    case storage::state:
      return aligned_for_vectors(m.states) + offset;
    case storage::arena:
      return aligned_for_vectors(is_local ? m.locals : m.arena) + offset;
    case storage::none:
      break;
  }
  return nullptr;
}

/// Where a node's elements are, from one of them on.
template <class GraphBuilder, class Layout, class T, int Node>
inline T* elements_of(const bare_memory& m, std::int64_t offset) {
  constexpr placement p = plan_of<GraphBuilder>.place[static_cast<std::size_t>(Node)];
  constexpr std::ptrdiff_t begin = detail::offset_of<GraphBuilder, Layout>(p);
  return reinterpret_cast<T*>(place_of(m, p, begin)) + offset;
}

}  // namespace tapeless::bare_kernels
