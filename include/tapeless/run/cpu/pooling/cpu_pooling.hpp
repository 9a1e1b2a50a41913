// SPDX-License-Identifier: BSL-1.0
// The kernel family of poolings: some planes at once, split over the team. Elements of 16 bits are computed
// in float.
#pragma once

#include <cstddef>

#include <tapeless/run/common/element_types.hpp>
#include <tapeless/run/cpu/pooling/pooled_planes.hpp>
#include <tapeless/run/cpu/pooling/pooled_rows.hpp>
#include <tapeless/run/cpu/pooling/pooled_tiles.hpp>
#include <tapeless/run/cpu/threads/thread_team.hpp>

namespace tapeless::cpu_kernels {

namespace detail {

/// Whether a source has the image's elements, else those of positions: they are numbered as planned_pooling
/// has them.
constexpr bool is_of_image(pooling_kind computes, int source) {
  switch (computes) {
    case pooling_kind::largest:
    case pooling_kind::mean:
      return true;
    case pooling_kind::tied:
      return source != 1;
    case pooling_kind::shared:
      return source == 0;
    case pooling_kind::spread:
      return false;
  }
  return false;
}

/// A plane of windows of 2 by 2 elements. There are so many positions from its first one on.
template <pooling_kind Computes, class T>
void pool_pairs(const pooling_arguments& c, std::int64_t positions, const T* const (&sources)[3], T* target) {
  if constexpr (masks_memory<T>)
    if (may_write_behind_rows(c, Computes) && reach_of_whole_rows<T>(c) <= positions)
      return pool_tiles<Computes, true>(c, sources, target);
  pool_tiles<Computes, false>(c, sources, target);
}

}  // namespace detail

/// How many threads a pooling takes.
inline int threads_of(const pooling_arguments& c, const thread_team& team) {
  const std::int64_t planes = c.batch * c.channels;
  const double each = are_tiles_of_two(c) ? 0.3 : 1;
  const int threads = team.threads_for(each * static_cast<double>(planes * c.image[0] * c.image[1]));
  return static_cast<int>(std::clamp<std::int64_t>(threads, 1, std::max<std::int64_t>(planes, 1)));
}

template <class T, pooling_kind Computes>
void pool(const pooling_arguments& c, const thread_team& team) {
  using number = computed_as<element_of<T>>;
  const pooling_geometry g(c);
  const std::int64_t all = c.batch * c.channels, image = g.image.elements(),
                     positions = g.position.elements();
  const auto run = [&](const range_part& own, int thread) {
    const bool tiles = std::is_same_v<T, number> && are_tiles_of_two(c),
               rows = std::is_same_v<T, number> && are_apart(c);
    const std::int64_t at_once = tiles || rows ? 1 : g.planes_at_once(all);
    for (std::int64_t plane = own.begin, end = own.begin + own.size; plane < end; plane += at_once) {
      const T* sources[3] = {};
      for (int k = 0; k < c.sources; ++k)
        sources[k] = reinterpret_cast<const T*>(c.source[k]) +
                     plane * (detail::is_of_image(Computes, k) ? image : positions);
      T* const target = reinterpret_cast<T*>(c.target) + plane * (gives_image(Computes) ? image : positions);
      if constexpr (std::is_same_v<T, number>) {
        if (tiles) {
          detail::pool_pairs<Computes>(c, (end - plane) * positions, sources, target);
          continue;
        }
        if (rows) {
          T* const room = reinterpret_cast<T*>(team.workspace(thread));
          pool_rows<Computes>(c, sources, target, rows_of_windows<T>(c, room));
          continue;
        }
      }
      pool_planes<Computes>(g, std::min(at_once, end - plane), sources, target,
                            reinterpret_cast<number*>(team.workspace(thread)));
    }
  };
  const int threads = threads_of(c, team);
  team.run(threads, [&](int thread) { run(part_of(all, threads, thread, 1), thread); });
}

template <pooling_key Key>
std::int64_t workspace_bytes(const pooling_arguments& c) {
  using number = computed_as<Key.type>;
  const pooling_geometry g(c);
  if (std::is_same_v<storage_of<Key.type>, number> && are_apart(c))
    return std::int64_t{sizeof(number)} * rows_of_windows<number>::room_for(c);
  return std::int64_t{sizeof(number)} *
         packed_pooling<number>::room(g, g.planes_at_once(c.batch * c.channels));
}

template <pooling_key Key>
constexpr auto kernel_for() {
  return &pool<storage_of<Key.type>, Key.computes>;
}

}  // namespace tapeless::cpu_kernels
