// SPDX-License-Identifier: BSL-1.0
// The kernel family of attention: heads, and blocks of their queries, over the threads.
#pragma once

#include <algorithm>
#include <cstddef>

#include <tapeless/run/common/element_types.hpp>
#include <tapeless/run/common/launch_arguments.hpp>
#include <tapeless/run/cpu/attention/attention_head.hpp>
#include <tapeless/run/cpu/threads/thread_team.hpp>
#include <tapeless/run/cpu/threads/work_estimates.hpp>

namespace tapeless::cpu_kernels {

template <attention_key Key>
std::int64_t workspace_bytes(const attention_arguments& a) {
  return attention_workspace<storage_of<Key.type>>(a, Key.computes).bytes();
}

/// How many threads attention takes.
inline int threads_of(const attention_arguments& a, const thread_team& team) {
  return team.threads_for(nanoseconds_of(static_cast<double>(iterations_of(a) * a.queries) *
                                             static_cast<double>(a.keys * (a.width + a.value_width)),
                                         4));
}

/// Of the heads that share the gradient of a mask, number `index` of gradient number `of`.
inline std::int64_t head_of_mask(const attention_arguments& a, std::int64_t of, std::int64_t index) {
  std::int64_t head = 0, step = 1;
  for (int d = a.rank - 1; d >= 0; step *= a.extents[d], --d) {
    std::int64_t& from = a.target.strides[d] == 0 ? index : of;
    head += from % a.extents[d] * step;
    from /= a.extents[d];
  }
  return head;
}
inline std::int64_t gradients_of_mask(const attention_arguments& a) {
  std::int64_t count = 1;
  for (int d = 0; d < a.rank; ++d) count *= a.target.strides[d] == 0 ? 1 : a.extents[d];
  return count;
}

/// Splits attention over the team: by heads and blocks of queries, or gradients by heads alone. What heads
/// share of a mask's gradient is added up by one thread.
template <attention_key Key>
void attend(const attention_arguments& a, const thread_team& team) {
  using head_type = attention_head<storage_of<Key.type>, Key.adds, Key.drops>;
  constexpr bool by_blocks = Key.computes != attention_kind::gradients;
  constexpr bool of_mask = Key.computes == attention_kind::of_mask;
  const std::int64_t blocks = by_blocks ? (a.queries + attention_block - 1) / attention_block : 1,
                     heads = of_mask ? gradients_of_mask(a) : iterations_of(a), count = heads * blocks,
                     sharing = of_mask && heads > 0 ? iterations_of(a) / heads : 1;
  const int parts = static_cast<int>(std::clamp<std::int64_t>(count, 1, threads_of(a, team)));
  team.run(parts, [&](int part) {
    const range_part range = part_of(count, parts, part, 1);
    for (std::int64_t i = range.begin; i < range.begin + range.size; ++i) {
      const std::int64_t first = i % blocks * attention_block;
      for (std::int64_t of = 0; of < sharing; ++of) {
        head_type head(a, of_mask ? head_of_mask(a, i / blocks, of) : i / blocks, Key.computes,
                       team.workspace(part));
        if constexpr (of_mask) {
          if (of == 0) head.clear_mask(first);
          head.differentiate_mask(first);
        } else if constexpr (by_blocks) {
          head.weigh(first);
        } else {
          head.differentiate();
        }
      }
    }
  });
}

template <attention_key Key>
constexpr auto kernel_for() {
  return &attend<Key>;
}

}  // namespace tapeless::cpu_kernels
