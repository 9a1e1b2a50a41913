// SPDX-License-Identifier: BSL-1.0
// The team of threads: every part is called once, round after round, and parts cover a range once.
#include <tapeless/run/cpu/thread_team.hpp>

#include <chrono>
#include <numeric>

#include "catch.hpp"

namespace k = tapeless::cpu_kernels;

TEST_CASE("parts cover a range exactly once") {
  for (const std::int64_t count : {0, 1, 2, 3, 15, 16, 17, 63, 64, 65, 100, 1000})
    for (const int parts : {1, 2, 3, 4, 7, 64})
      for (const std::int64_t grain : {1, 3, 16, 64}) {
        INFO(count << " items in " << parts << " parts by " << grain);
        std::int64_t end = 0;
        for (int part = 0; part < parts; ++part) {
          const k::range_part range = k::part_of(count, parts, part, grain);
          CHECK(range.begin == end);
          CHECK(range.size >= 0);
          CHECK((range.begin % grain == 0 || range.size == 0));
          end = range.begin + range.size;
        }
        CHECK(end == count);
      }
}

TEST_CASE("parts are about equal") {
  STATIC_REQUIRE(k::part_of(100, 4, 0, 1).size == 25);
  STATIC_REQUIRE(k::part_of(10, 3, 2, 1).size == 4);
  STATIC_REQUIRE(k::part_of(2, 3, 0, 1).size == 0);
  STATIC_REQUIRE(k::part_of(65, 2, 1, 64).size == 1);
  for (int part = 0; part < 7; ++part) {
    CHECK(k::part_of(1000, 7, part, 1).size >= 142);
    CHECK(k::part_of(1000, 7, part, 1).size <= 143);
  }
}

TEST_CASE("every part is called once, on a thread of its own") {
  for (const int size : {1, 2, 3, 5}) {
    k::thread_team team(size);
    CHECK(team.size() == size);
    std::vector<int> calls(static_cast<std::size_t>(size));
    std::vector<std::thread::id> threads(calls.size());
    team.run([&](int part) {
      ++calls.at(static_cast<std::size_t>(part));
      threads[static_cast<std::size_t>(part)] = std::this_thread::get_id();
    });
    CHECK(calls == std::vector<int>(calls.size(), 1));
    CHECK(threads[0] == std::this_thread::get_id());
    for (std::size_t i = 0; i < threads.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) CHECK(threads[i] != threads[j]);
  }
}

TEST_CASE("many rounds, each of which sees the one before") {
  for (const int size : {2, 3}) {
    k::thread_team team(size);
    std::vector<std::int64_t> sums(static_cast<std::size_t>(size)), next(sums.size());
    sums[0] = 1;
    for (int round = 0; round < 20000; ++round) {
      team.run([&](int part) {
        const auto i = static_cast<std::size_t>(part);
        next[i] = (sums[i] + sums[(i + 1) % sums.size()] + round) % 1000003;
      });
      team.run(
          [&](int part) { sums[static_cast<std::size_t>(part)] = next[static_cast<std::size_t>(part)]; });
    }
    std::vector<std::int64_t> expected(sums.size());
    expected[0] = 1;
    for (int round = 0; round < 20000; ++round) {
      const auto before = expected;
      for (std::size_t i = 0; i < before.size(); ++i)
        expected[i] = (before[i] + before[(i + 1) % before.size()] + round) % 1000003;
    }
    CHECK(sums == expected);
  }
}

TEST_CASE("threads that fell asleep wake up, and slow ones are waited for") {
  k::thread_team team(3);
  for (int round = 0; round < 5; ++round) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    int done[3] = {};
    team.run([&](int part) {
      if (part == round % 3) std::this_thread::sleep_for(std::chrono::milliseconds(20));
      done[part] = 1;
    });
    CHECK(done[0] + done[1] + done[2] == 3);
  }
}

TEST_CASE("teams come and go") {
  std::atomic<int> calls = 0;
  for (int i = 0; i < 200; ++i) {
    k::thread_team team(1 + i % 3);
    if (i % 2 == 0) team.run([&](int) { ++calls; });
  }
  int expected = 0;
  for (int i = 0; i < 200; i += 2) expected += 1 + i % 3;
  CHECK(calls == expected);
}

TEST_CASE("a team has a thread") {
  CHECK_THROWS_WITH(k::thread_team(0), "tapeless: cpu: threads is 0; it must be 1 or more");
  CHECK_THROWS_AS(k::thread_team(-2), tapeless::error);
}
