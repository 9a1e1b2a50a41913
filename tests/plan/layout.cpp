// SPDX-License-Identifier: BSL-1.0
// Offsets in the arena: buffers that live at the same time never overlap, and memory is used again.
#include "catch.hpp"

#include <algorithm>
#include <array>
#include <random>
#include <vector>

#include <tapeless/plan/layout.hpp>

namespace tl = tapeless;

namespace {

struct laid_out {
  std::vector<tl::planned_buffer> buffers;
  std::vector<std::int64_t> bytes, offsets;
  std::int64_t total = 0;
};

laid_out lay_out(std::vector<tl::planned_buffer> buffers, std::vector<std::int64_t> bytes) {
  laid_out l{std::move(buffers), std::move(bytes), std::vector<std::int64_t>(buffers.size()), 0};
  const std::size_t count = l.buffers.size();
  l.offsets.resize(count);
  std::vector<tl::arena_slot> slots(count);
  l.total = tl::assign_offsets(
      l.buffers.data(), static_cast<int>(count), [&](int i) { return l.bytes[static_cast<std::size_t>(i)]; },
      l.offsets.data(), slots.data());
  return l;
}

tl::planned_buffer lives(int first, int last) {
  tl::planned_buffer b;
  b.first = first;
  b.last = last;
  return b;
}

std::int64_t aligned(std::int64_t bytes) { return (bytes + 63) / 64 * 64; }

// The most bytes that are live at one command.
std::int64_t peak(const laid_out& l) {
  std::int64_t most = 0;
  for (const tl::planned_buffer& b : l.buffers) {
    std::int64_t live = 0;
    for (std::size_t i = 0; i < l.buffers.size(); ++i)
      if (l.buffers[i].first <= b.first && b.first <= l.buffers[i].last) live += aligned(l.bytes[i]);
    most = std::max(most, live);
  }
  return most;
}

void require_sound(const laid_out& l) {
  const std::size_t count = l.buffers.size();
  int overlaps = 0, misplaced = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (l.offsets[i] % tl::arena_alignment != 0 || l.offsets[i] < 0 || l.offsets[i] + l.bytes[i] > l.total)
      ++misplaced;
    for (std::size_t k = 0; k < i; ++k) {
      const bool meet = l.buffers[i].first <= l.buffers[k].last && l.buffers[k].first <= l.buffers[i].last;
      const bool apart =
          l.offsets[i] + l.bytes[i] <= l.offsets[k] || l.offsets[k] + l.bytes[k] <= l.offsets[i];
      if (meet && !apart && l.bytes[i] > 0 && l.bytes[k] > 0) ++overlaps;
    }
  }
  CHECK(misplaced == 0);
  CHECK(overlaps == 0);
  CHECK(l.total >= peak(l));
}

constexpr std::int64_t size_of_chain() {
  std::array<tl::planned_buffer, 100> buffers{};
  for (int i = 0; i < 100; ++i) {
    buffers[static_cast<std::size_t>(i)].first = i;
    buffers[static_cast<std::size_t>(i)].last = i + 1;
  }
  std::array<std::int64_t, 100> offsets{};
  std::array<tl::arena_slot, 100> slots{};
  const auto bytes = [](int) { return 1000; };
  return tl::assign_offsets(buffers.data(), 100, bytes, offsets.data(), slots.data());
}
static_assert(size_of_chain() == 2 * 1024, "a chain needs two buffers, and the layout is a constant");

}  // namespace

TEST_CASE("buffers of random sizes and lifetimes") {
  std::mt19937 random(3);
  const auto below = [&](int bound) { return static_cast<int>(random() % static_cast<unsigned>(bound)); };
  for (int round = 0; round < 300; ++round) {
    INFO("round " << round);
    const int steps = 1 + below(40), count = 1 + below(60);
    std::vector<tl::planned_buffer> buffers;
    std::vector<std::int64_t> bytes;
    for (int i = 0; i < count; ++i) {
      const int first = below(steps);
      buffers.push_back(lives(first, first + below(steps - first + (round % 2 == 0 ? 1 : 0) + 1)));
      bytes.push_back(below(8) == 0 ? 0 : 1 + below(1 + below(5000)));
    }
    std::stable_sort(buffers.begin(), buffers.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    const laid_out l = lay_out(buffers, bytes);
    require_sound(l);
    CHECK(l.total <= 3 * peak(l));
  }
}

TEST_CASE("a buffer takes the place of those that died before, and these of each other") {
  const laid_out l = lay_out({lives(0, 1), lives(0, 1), lives(0, 3), lives(2, 3)}, {100, 100, 64, 256});
  require_sound(l);
  CHECK(l.total == 256 + 64);
}

TEST_CASE("the smallest gap that is large enough is taken") {
  // while the last one lives, there are gaps of 256 and of 64 between others
  const laid_out l = lay_out({lives(0, 9), lives(0, 4), lives(0, 9), lives(0, 4), lives(0, 9), lives(5, 9)},
                             {1024, 256, 512, 64, 128, 64});
  require_sound(l);
  CHECK(l.total == peak(l));
}

TEST_CASE("buffers that end where others begin are both live") {
  const laid_out l = lay_out({lives(0, 1), lives(1, 2)}, {64, 64});
  require_sound(l);
  CHECK(l.total == 128);
}

TEST_CASE("buffers without bytes take no room") {
  const laid_out l = lay_out({lives(0, 3), lives(1, 2), lives(1, 3)}, {0, 0, 0});
  CHECK(l.total == 0);
}

TEST_CASE("what lives during a part of a launch lives during all of it") {
  std::vector<tl::planned_buffer> buffers{lives(0, 2), lives(1, 1), lives(2, 4), lives(3, 5), lives(5, 6)};
  const std::vector<int> at_once{1, 3, 0, 0, 1, 2, 0};
  tl::live_through_launches(buffers, 7, [&](int s) { return at_once[static_cast<std::size_t>(s)]; });
  const std::vector<tl::planned_buffer> expected{lives(0, 3), lives(1, 3), lives(1, 4), lives(1, 6),
                                                 lives(5, 6)};
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    CHECK(buffers[i].first == expected[i].first);
    CHECK(buffers[i].last == expected[i].last);
  }
}
