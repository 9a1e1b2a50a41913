// SPDX-License-Identifier: BSL-1.0
// The kernel family of poolings: plane by plane, split over the team. Elements of 16 bits are computed in
// float.
#pragma once

#include <cstddef>

#include <tapeless/run/common/element_types.hpp>
#include <tapeless/run/cpu/pooled_planes.hpp>
#include <tapeless/run/cpu/thread_team.hpp>

namespace tapeless::cpu_kernels {

namespace detail {

/// Elements of a pooling's planes.
struct plane_sizes {
  std::int64_t image, positions;

  constexpr explicit plane_sizes(const pooling_arguments& c)
      : image(c.image[0] * c.image[1]), positions(c.positions[0] * c.positions[1]) {}
  /// Those of a source, which are numbered as planned_pooling has them.
  constexpr std::int64_t source(pooling_kind computes, int number) const {
    switch (computes) {
      case pooling_kind::largest:
      case pooling_kind::mean:
        return image;
      case pooling_kind::tied:
        return number == 1 ? positions : image;
      case pooling_kind::shared:
        return number == 0 ? image : positions;
      case pooling_kind::spread:
        return positions;
    }
    return 0;
  }
  constexpr std::int64_t target(pooling_kind computes) const {
    return gives_image(computes) ? image : positions;
  }
};

}  // namespace detail

/// Computes planes of a pooling, one after the other.
template <class T, pooling_kind Computes>
class pooling_kernel {
  using number = computed_as<element_of<T>>;
  static constexpr bool converts = !std::is_same_v<T, number>;

 public:
  pooling_kernel(const pooling_arguments& c, std::byte* memory)
      : c_(c), windows_(c), sizes_(c), memory_(reinterpret_cast<number*>(memory)) {}

  void run(std::int64_t plane) {
    number* room = memory_;
    const number* sources[3] = {};
    for (int k = 0; k < c_.sources; ++k) sources[k] = source(k, plane, room);
    T* const target = reinterpret_cast<T*>(c_.target) + plane * sizes_.target(Computes);
    if constexpr (converts) {
      pool(sources, room);
      for (std::int64_t i = 0; i < sizes_.target(Computes); ++i) target[i] = static_cast<T>(room[i]);
    } else {
      pool(sources, target);
    }
  }

 private:
  const pooling_arguments& c_;
  detail::plane_windows windows_;
  detail::plane_sizes sizes_;
  number* memory_;

  // A source's plane, as numbers.
  const number* source(int k, std::int64_t plane, number*& room) const {
    const std::int64_t count = sizes_.source(Computes, k);
    const T* from = reinterpret_cast<const T*>(c_.source[k]) + plane * count;
    if constexpr (converts || Computes == pooling_kind::spread) {
      for (std::int64_t i = 0; i < count; ++i) room[i] = static_cast<number>(from[i]);
      if constexpr (Computes == pooling_kind::spread) divide(room);
      room += count;
      return room - count;
    } else {
      return from;
    }
  }
  void divide(number* sums) const {
    for (std::int64_t i = 0; i < windows_.positions[0]; ++i)
      for (std::int64_t j = 0; j < windows_.positions[1]; ++j)
        *sums++ /= windows_.template count<number>(i, j);
  }
  void pool(const number* const (&sources)[3], number* target) const {
    pool_plane<Computes>(windows_, pooled_planes<number>{sources[0], sources[1], sources[2], target});
  }
};

/// Elements below which one thread is done before the others have started.
inline constexpr std::int64_t least_elements_of_pooling = 1 << 14;

template <class T, pooling_kind Computes>
void pool(const pooling_arguments& c, thread_team& team) {
  const std::int64_t planes = c.batch * c.channels;
  const auto run = [&](const range_part& own, int thread) {
    pooling_kernel<T, Computes> kernel(c, team.workspace(thread));
    for (std::int64_t plane = own.begin; plane < own.begin + own.size; ++plane) kernel.run(plane);
  };
  if (team.size() == 1 || planes * c.image[0] * c.image[1] < least_elements_of_pooling)
    return run({0, planes}, 0);
  team.run([&](int thread) { run(part_of(planes, team.size(), thread, 1), thread); });
}

inline std::int64_t workspace_bytes_of(const planned_pooling& p, const pooling_arguments& c) {
  const detail::plane_sizes sizes(c);
  return 4 * (sizes.image + sizes.positions) * static_cast<std::int64_t>(p.type == element::f64 ? 8 : 4);
}

template <pooling_key Key>
constexpr auto kernel_for() {
  return &pool<storage_of<Key.type>, Key.computes>;
}

}  // namespace tapeless::cpu_kernels
