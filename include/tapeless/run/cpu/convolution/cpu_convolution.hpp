// SPDX-License-Identifier: BSL-1.0
// The kernel family of convolutions and their transposes: by Winograd's transforms, by vectors of channels,
// or from packed planes; and how threads share each.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <tapeless/run/cpu/convolution/channel_convolution.hpp>
#include <tapeless/run/cpu/convolution/channel_gradients.hpp>
#include <tapeless/run/cpu/convolution/plane_convolution.hpp>
#include <tapeless/run/cpu/convolution/winograd_convolution.hpp>
#include <tapeless/run/cpu/threads/thread_team.hpp>
#include <tapeless/run/cpu/threads/work_estimates.hpp>

namespace tapeless::cpu_kernels {

template <convolution_key Key>
std::int64_t workspace_bytes(const convolution_arguments& c, const thread_team& team) {
  using number = computed_as<Key.type>;
  const convolution_geometry g(c);
  if (team.options().winograd && suits_winograd<number>(c, Key.computes))
    return winograd_workspace<number>(g, Key.computes).bytes();
  if (suits_channel_lanes<number>(g, Key.computes)) return channel_workspace<number>(g, Key.computes).bytes();
  return detail::plane_workspace<number>(g, Key.computes).bytes();
}

/// How many threads a convolution takes: for what it multiplies, and for images that are packed or written.
inline int threads_of(const convolution_arguments& c, const thread_team& team) {
  const double x = static_cast<double>(c.batch * c.in * c.image[0] * c.image[1]),
               y = static_cast<double>(c.batch * c.out * c.positions[0] * c.positions[1]);
  return team.threads_for(
      nanoseconds_of(y * static_cast<double>(c.in / c.groups * c.kernel[0] * c.kernel[1]), 4) +
      0.3 * (x + y));
}

/// Splits a convolution over the team: by images; for the weight, and where images are too few, by channels
/// of the result. What is added up is not split in ways that depend on the team.
template <class T, convolution_part Part>
void convolve(const convolution_arguments& c, const thread_team& team) {
  const int threads = threads_of(c, team);
  if (team.options().winograd && suits_winograd<computed_as<element_of<T>>>(c, Part))
    return convolve_by_winograd<T, Part>(c, team, threads);
  const convolution_geometry g(c);
  const std::int64_t channels = g.target.channels;
  if (suits_channel_lanes<computed_as<element_of<T>>>(g, Part)) {
    const auto split = channel_split::of<computed_as<element_of<T>>>(g, Part, threads);
    if constexpr (Part == convolution_part::weight) {
      const auto kernel_of = [&](const channel_split& s, int part) {
        return channel_gradients<T>(c, g, s[part], team.workspace(part), team.workspace(0));
      };
      team.run(split.parts(), [&](int part) { kernel_of(split, part).run(); });
      const channel_split sums = split.of_sums();
      team.run(sums.parts(), [&](int part) { kernel_of(sums, part).finish(); });
    } else {
      team.run(split.parts(),
               [&](int part) { channel_sums<T, Part>(c, g, split[part], team.workspace(part)).run(); });
    }
    return;
  }
  const bool by_images =
      Part != convolution_part::weight && used_time(c.batch, threads) >= 0.9 * used_time(channels, threads);
  const int parts =
      static_cast<int>(std::clamp<std::int64_t>(by_images ? c.batch : channels, 1, std::int64_t{threads}));
  team.run(parts, [&](int part) {
    const range_part range = part_of(by_images ? c.batch : channels, parts, part, 1);
    const convolution_share share = by_images ? convolution_share{range.begin, range.size, 0, channels}
                                              : convolution_share{0, c.batch, range.begin, range.size};
    if (share.channels > 0 && (share.images > 0 || Part == convolution_part::weight))
      plane_kernel<T, Part>(c, g, share, team.workspace(part)).run();
  });
}

template <convolution_key Key>
constexpr auto kernel_for() {
  return &convolve<storage_of<Key.type>, Key.computes>;
}

}  // namespace tapeless::cpu_kernels
