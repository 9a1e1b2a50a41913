// SPDX-License-Identifier: BSL-1.0
// Which gradients travel together.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/list.hpp>
#include <tapeless/optim/base/state_numbers.hpp>
#include <tapeless/plan/order.hpp>
#include <tapeless/plan/plan_view.hpp>
#include <tapeless/train/program/parameter_description.hpp>

namespace tapeless::detail {

/// By parameter: the command of a program that adds up gradients behind which this one's is there, and its
/// running statistic has its value. Of what a loop writes, that is the loop's end.
constexpr list<std::size_t> commands_of_gradients(const plan_view& plan, std::size_t parameters) {
  list<std::size_t> last(parameters);
  for (std::size_t s = 0, end = 0; s < plan.commands.size(); ++s) {
    if (s >= end) end = s;
    if (plan.commands[s].kind == planned_command::kind::loop_begin)
      while (plan.commands[end].kind != planned_command::kind::loop_end) ++end;
    for_each_write(plan, plan.commands[s], [&](int node) {
      const placement& p = plan.place[static_cast<std::size_t>(node)];
      const auto i = static_cast<std::size_t>(p.index);
      if ((p.kind == storage::parameter || p.kind == storage::state) && i < parameters) last[i] = end;
    });
  }
  static_assert(state_numbers::gradient_of(1) == 1);
  return last;
}

/// By command of a program that reads the sums of so many parameters' gradients: how many buckets must have
/// come before it. A loop may be one function, so each of its commands waits for what one of them needs.
template <class Bucket>
std::vector<std::size_t> buckets_before(const std::vector<Bucket>& buckets, const plan_view& plan,
                                        std::size_t parameters) {
  std::vector<std::size_t> needed;
  for (const planned_command& command : plan.commands) {
    std::size_t most = 0;
    const auto see = [&](int node) {
      const placement& p = plan.place[static_cast<std::size_t>(node)];
      const auto i = static_cast<std::size_t>(p.index);
      if (p.kind != storage::state || i >= parameters) return;
      for (std::size_t k = 0; k < buckets.size(); ++k)
        if (buckets[k].first <= i && i < buckets[k].end) most = std::max(most, k + 1);
    };
    for_each_read(plan, command, see);
    for_each_write(plan, command, see);
    needed.push_back(most);
  }
  for (std::size_t s = 0, begin = 0; s < needed.size(); ++s) {
    if (plan.commands[s].kind == planned_command::kind::loop_begin) begin = s;
    if (plan.commands[s].kind != planned_command::kind::loop_end) continue;
    const std::size_t most = *std::max_element(needed.data() + begin, needed.data() + s + 1);
    std::fill(needed.data() + begin, needed.data() + s + 1, most);
  }
  return needed;
}

/// Calls f(first, end) for each bucket of gradients that take so many bytes each: some that stand together,
/// from the model's end on, where the first gradients of a backward pass are. Each has `size` bytes or more,
/// the last one what is left.
template <class F>
constexpr void for_each_bucket(array_view<const std::int64_t> bytes, std::int64_t size, const F& f) {
  for (std::size_t end = bytes.size(); end > 0;) {
    std::size_t first = end;
    for (std::int64_t all = 0; first > 0 && all < size;) all += bytes[--first];
    f(first, end);
    end = first;
  }
}

/// What a bucket costs besides its bytes: as much time as so many bytes more.
struct bucket_costs {
  std::int64_t message;
  std::int64_t least;  // smaller buckets are not tried
};

/// How long after the backward pass the last of all gradients has travelled, in buckets of that size, in
/// bytes' time: gradient i is there behind command after[i]. The commands, from the first gradient on, take
/// equally long, and all of them `passes` times as long as all bytes without messages.
constexpr std::int64_t time_behind_pass(array_view<const std::int64_t> bytes,
                                        array_view<const std::size_t> after, std::int64_t message,
                                        std::int64_t size, std::int64_t passes) {
  std::int64_t pass = 0, time = 0;
  for (const std::int64_t b : bytes) pass += passes * b;
  const std::size_t begin = *std::min_element(after.begin(), after.end());
  const std::size_t commands = *std::max_element(after.begin(), after.end()) - begin;
  for_each_bucket(bytes, size, [&](std::size_t first, std::size_t end) {
    std::int64_t own = 0, there = 0;
    for (std::size_t i = first; i < end; ++i) {
      own += bytes[i];
      there = std::max(there, static_cast<std::int64_t>(after[i] - begin));
    }
    if (commands > 0) there = there * pass / static_cast<std::int64_t>(commands);
    time = std::max(time, there) + own + message;
  });
  return commands > 0 ? time - pass : time;
}

/// Where nothing is known of when gradients are there.
inline constexpr std::int64_t bytes_of_buckets = std::int64_t{1} << 20;

/// The size of buckets behind whose last one a step waits least: the least one, twice that, and so on. It
/// is the best in the mean of two networks: one that needs all of the pass for all bytes, and one that is
/// four times as fast. Were it much slower or faster, the size would matter less.
///
/// Large buckets begin late, and the last one has nothing to hide behind; small ones are many messages. Of G
/// bytes that come evenly it is about the square root of G times half a message: 512 KiB of 64 MiB on two
/// ranks.
constexpr std::int64_t best_bucket_bytes(array_view<const std::int64_t> bytes,
                                         array_view<const std::size_t> after, const bucket_costs& costs) {
  if (bytes.empty() || after.empty()) return bytes_of_buckets;
  std::int64_t all = 0, best = 0, least = 0;
  for (const std::int64_t b : bytes) all += b;
  for (std::int64_t size = costs.least; best == 0 || size < 2 * all; size *= 2) {
    const std::int64_t time = time_behind_pass(bytes, after, costs.message, size, 1) +
                              time_behind_pass(bytes, after, costs.message, size, 4);
    if (best != 0 && time > least) continue;
    least = time;
    best = size;
  }
  return best;
}

/// What each gradient takes as it travels by an exchange of that kind.
template <class Exchange, class Options>
constexpr list<std::int64_t> bytes_of_gradients(array_view<const parameter_description> gradients,
                                                const Options& options) {
  list<std::int64_t> bytes;
  for (const parameter_description& p : gradients) bytes.push(Exchange::travelling_bytes(p, options));
  return bytes;
}

}  // namespace tapeless::detail
