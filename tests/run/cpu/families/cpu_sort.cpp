// SPDX-License-Identifier: BSL-1.0
// Orders of elements of all types against std::stable_sort: lines of all lengths, their first places alone,
// equal elements, zeros of both signs, NaN; lines that are apart; threads.
#include <tapeless/run/cpu/families/cpu_sort.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "catch.hpp"
#include "thread_shares.hpp"

namespace k = tapeless::cpu_kernels;
using tapeless::element;

namespace {

template <class T>
std::vector<T> numbers(std::size_t count, std::mt19937& random) {
  std::vector<T> all(count);
  for (T& one : all) {
    const auto some = static_cast<int>(random() % 41) - 20;
    if constexpr (std::is_integral_v<T>) {
      one = static_cast<T>(some);
      if (some == 7) one = std::numeric_limits<T>::max();
      if (some == 8) one = std::numeric_limits<T>::lowest();
    } else {
      const float extreme[] = {0.0f,
                               -0.0f,
                               std::numeric_limits<float>::quiet_NaN(),
                               -std::numeric_limits<float>::quiet_NaN(),
                               std::numeric_limits<float>::infinity(),
                               -std::numeric_limits<float>::infinity()};
      one = static_cast<T>(some < -14 ? extreme[some + 20] : 0.25f * static_cast<float>(some));
    }
  }
  return all;
}

/// Lines of `count` elements, `step` apart: how many of the first places are not what std::stable_sort has.
template <element Type, bool Downward>
int wrong(std::int64_t lines, std::int64_t count, std::int64_t step, std::int64_t first, int threads,
          std::mt19937& random) {
  using stored = tapeless::storage_of<Type>;
  using number = tapeless::computed_as<Type>;
  std::vector<stored> x = numbers<stored>(static_cast<std::size_t>(lines * count * step), random);
  std::vector<std::int64_t> places(static_cast<std::size_t>(lines * count), -1);
  tapeless::sort_arguments c;
  c.rank = 2;
  c.axis = 1;
  c.extents[0] = lines;
  c.extents[1] = count;
  c.first = first;
  c.source = {reinterpret_cast<std::byte*>(x.data()), {count * step, step}};
  c.target = {reinterpret_cast<std::byte*>(places.data()), {count, 1}};
  const test::smallest_shares shares;
  k::thread_team team(threads);
  team.reserve_workspace(k::workspace_bytes<{Type, Downward}>(c), threads);
  k::kernel_for<tapeless::sort_key{Type, Downward}>()(c, team);

  int differences = 0;
  for (std::int64_t line = 0; line < lines; ++line) {
    std::vector<std::int64_t> expected(static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < count; ++i) expected[static_cast<std::size_t>(i)] = i;
    const stored* own = x.data() + line * count * step;
    std::stable_sort(expected.begin(), expected.end(), [&](std::int64_t a, std::int64_t b) {
      return tapeless::sorts_before<Downward>(static_cast<number>(own[a * step]),
                                              static_cast<number>(own[b * step]));
    });
    auto* found = places.data() + line * count;
    differences += !std::equal(found, found + first, expected.begin());
    std::sort(found, found + count);  // each place once, looked at or not
    for (std::int64_t i = 0; i < count; ++i) differences += found[i] != i;
  }
  return differences;
}

template <element Type>
void compare() {
  std::mt19937 random(3);
  for (const std::int64_t count : {1, 2, 17, 127, 128, 129, 700})
    for (const std::int64_t first : {std::int64_t{1}, count / 20 + 1, count / 2 + 1, count}) {
      if (first > count) continue;
      INFO("type " << static_cast<int>(Type) << ", the first " << first << " of " << count);
      CHECK(wrong<Type, false>(3, count, 1, first, 1, random) == 0);
      CHECK(wrong<Type, true>(5, count, 2, first, 3, random) == 0);
    }
}

}  // namespace

TEST_CASE("floating numbers are sorted as by std::stable_sort") {
  compare<element::f32>();
  compare<element::f64>();
  compare<element::f16>();
  compare<element::bf16>();
}

TEST_CASE("whole numbers are sorted as by std::stable_sort") {
  compare<element::i8>();
  compare<element::i16>();
  compare<element::i32>();
  compare<element::i64>();
  compare<element::u8>();
  compare<element::u32>();
}

TEST_CASE("keys are in the order of their numbers") {
  std::mt19937 random(7);
  for (int trial = 0; trial < 20000; ++trial) {
    const float a = std::bit_cast<float>(static_cast<std::uint32_t>(random())),
                b = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    CHECK((k::order_key(a) < k::order_key(b)) == tapeless::sorts_before<false>(a, b));
    CHECK((k::key_with_place<true>(a, 5) < k::key_with_place<true>(b, 4)) ==
          tapeless::sorts_before<true>(a, b));
  }
}
