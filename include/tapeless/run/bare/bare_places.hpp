// SPDX-License-Identifier: BSL-1.0
// Where commands find their operands: in a program's blocks of memory or, of a loop that runs alone, wherever
// its program has them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <tapeless/plan/order.hpp>
#include <tapeless/run/bare/bare_locals.hpp>
#include <tapeless/run/bare/bare_operands.hpp>
#include <tapeless/run/bare/bare_packed_operands.hpp>

namespace tapeless::bare_kernels {

namespace detail {

constexpr bool is_for_vectors(std::ptrdiff_t bytes) {
  return vector_bytes > 0 && bytes % static_cast<std::ptrdiff_t>(bare_alignment) == 0;
}

}  // namespace detail

/// Each operand in its block of memory, as the layout has it.
template <class GraphBuilder, class Layout>
struct places_in_blocks {
  using memory = bare_memory;
  struct found {
    placement place = {};
    std::ptrdiff_t offset = 0;
    bool is_local = false, is_aligned = false;
  };
  static constexpr found find(const bare_operand& o) {
    const std::ptrdiff_t offset = detail::offset_of<GraphBuilder, Layout>(o.place) + o.bytes;
    const bool is_local = o.place.kind == storage::arena &&
                          detail::is_local<GraphBuilder>[static_cast<std::size_t>(o.place.index)];
    const bool is_elsewhere = o.place.kind == storage::input || o.place.kind == storage::hyperparameter;
    return {o.place, offset, is_local, !is_elsewhere && detail::is_for_vectors(offset | o.iteration_bytes)};
  }
  [[gnu::always_inline]] static std::byte* begin_of(const bare_memory& m, const found& f) {
    return place_of(m, f.place, f.offset, f.is_local);
  }
};

/// Where a loop that runs alone finds its operands.
struct bare_loop_memory {
  std::byte* const* places;     // where each placement of places_of_loop::all begins
  std::byte* locals;            // as long as the loop runs
  std::byte* packed = nullptr;  // likewise, for the operands that it packs
};

/// The most bytes of what lives in one iteration that are on the stack, beside what a loop packs.
inline constexpr std::int64_t most_bytes_of_loop = 1 << 14;

/// The operands of the loop that command Begin begins: what lives in one iteration is the loop's own, as far
/// as there is room.
template <class GraphBuilder, int Begin>
struct places_of_loop {
  using memory = bare_loop_memory;
  struct found {
    int place = -1;  // -1 of the loop's own
    std::ptrdiff_t offset = 0;
    bool is_aligned = false;
  };

 private:
  static constexpr auto& plan = plan_of<GraphBuilder>;
  static constexpr int end = detail::end_of_loop<GraphBuilder>(Begin);
  static constexpr std::size_t buffers = plan.buffers.size();

  // By buffer: where it is in the loop's own memory, or -1; then what that takes.
  static constexpr auto locals = [] {
    std::array<std::ptrdiff_t, buffers + 1> offsets{};
    std::ptrdiff_t behind = 0;
    for (std::size_t i = 0; i < buffers; ++i) {
      const planned_buffer& b = plan.buffers[i];
      const bool lives_in_one = b.first > Begin && b.last < end && b.count >= 0;
      const std::int64_t bytes =
          tapeless::detail::aligned(b.count * static_cast<std::int64_t>(size_of(b.type)), bare_alignment);
      const bool is_own = lives_in_one && bytes <= most_bytes_of_loop - behind;
      offsets[i] = is_own ? behind : -1;
      if (is_own) behind += static_cast<std::ptrdiff_t>(bytes);
    }
    offsets[buffers] = behind;
    return offsets;
  }();
  static constexpr bool is_local(const placement& p) {
    return p.kind == storage::arena && locals[static_cast<std::size_t>(p.index)] >= 0;
  }

  // The placements that are not the loop's own, each once.
  template <std::size_t Room>
  struct placements {
    placement all[Room + 1] = {};
    std::size_t count = 0;
  };
  template <std::size_t Room>
  static constexpr placements<Room> find_placements() {
    placements<Room> found;
    const auto see = [&](int node) {
      placement p = plan.place[static_cast<std::size_t>(node)];
      if (is_local(p)) return;
      if (p.kind == storage::hyperparameter) p.index = 0;  // one operand, as fused_parts_of has it
      for (std::size_t k = 0; k < found.count; ++k)
        if (Room > 0 && found.all[k] == p) return;
      if (Room > 0) found.all[found.count] = p;
      ++found.count;
    };
    for (int s = Begin + 1; s < end; ++s) {
      tapeless::detail::for_each_read(plan, plan.commands[static_cast<std::size_t>(s)], see);
      tapeless::detail::for_each_write(plan, plan.commands[static_cast<std::size_t>(s)], see);
    }
    return found;
  }
  static constexpr auto outside = find_placements<find_placements<0>().count>();

 public:
  static constexpr std::size_t count = outside.count;
  static constexpr const auto& all = outside.all;
  static constexpr std::ptrdiff_t local_bytes = locals[buffers];

  static constexpr found find(const bare_operand& o) {
    if (o.is_packed) return {-1, o.bytes, detail::is_for_vectors(o.bytes)};
    if (is_local(o.place)) {
      const std::ptrdiff_t offset = locals[static_cast<std::size_t>(o.place.index)] + o.bytes;
      return {-1, offset, detail::is_for_vectors(offset)};
    }
    found f{0, o.bytes,
            o.place.kind == storage::arena && detail::is_for_vectors(o.bytes | o.iteration_bytes)};
    while (!(all[f.place] == o.place)) ++f.place;
    return f;
  }
  [[gnu::always_inline]] static std::byte* begin_of(const bare_loop_memory& m, const found& f) {
    return f.place < 0 ? m.locals + f.offset : m.places[f.place] + f.offset;
  }
};

}  // namespace tapeless::bare_kernels
