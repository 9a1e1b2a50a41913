// SPDX-License-Identifier: BSL-1.0
// The team of threads: every part is called once, round after round, and parts cover a range once.
#include <tapeless/run/cpu/thread_team.hpp>

#include <chrono>
#include <limits>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "catch.hpp"
#include "forked.hpp"
#include "sanitizers.hpp"

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

TEST_CASE("a team has a thread, and no more than any machine has") {
  CHECK_THROWS_WITH(k::thread_team(0), "tapeless: cpu: threads is 0; it must be from 1 to 4096");
  CHECK_THROWS_WITH(k::thread_team(20000), "tapeless: cpu: threads is 20000; it must be from 1 to 4096");
  CHECK_THROWS_AS(k::thread_team(-2), tapeless::error);
  CHECK_THROWS_AS(k::thread_team(std::numeric_limits<int>::min()), tapeless::error);
  CHECK_THROWS_AS(k::thread_team(std::numeric_limits<int>::max()), tapeless::error);
}

TEST_CASE("what a part throws comes to the caller, after all parts are done") {
  for (const int size : {1, 2, 4})
    for (int thrower = 0; thrower < size; ++thrower) {
      INFO("part " << thrower << " of " << size);
      k::thread_team team(size);
      for (int round = 0; round < 3; ++round) {
        std::atomic<int> done = 0;
        CHECK_THROWS_WITH(team.run([&](int part) {
          if (part == thrower) throw std::runtime_error("part " + std::to_string(part));
          std::this_thread::sleep_for(std::chrono::milliseconds(1));
          ++done;
        }),
                          "part " + std::to_string(thrower));
        CHECK(done == size - 1);
        team.run([&](int) { ++done; });
        CHECK(done == 2 * size - 1);
      }
    }
}

TEST_CASE("where all parts throw, one exception comes to the caller") {
  k::thread_team team(3);
  for (int round = 0; round < 100; ++round) CHECK_THROWS_AS(team.run([](int part) { throw part; }), int);
  std::atomic<int> calls = 0;
  team.run([&](int) { ++calls; });
  CHECK(calls == 3);
}

TEST_CASE("a workspace that cannot be had leaves the old one") {
  k::thread_team team(2);
  team.reserve_workspace(100);
  const std::byte *first = team.workspace(0), *second = team.workspace(1);
  CHECK(second - first == 128);
  if (!test::under_sanitizer)  // which ends the program
    CHECK_THROWS_AS(team.reserve_workspace(std::int64_t{1} << 60), std::bad_alloc);
  CHECK(team.workspace(0) == first);
  CHECK(team.workspace(1) == second);
  team.reserve_workspace(1000);  // and the next one is as large as it is asked for
  CHECK(team.workspace(1) - team.workspace(0) == 1024);
  team.workspace(1)[1023] = std::byte{1};
}

#ifdef TEST_HAS_FORK

TEST_CASE("a team goes on in a forked child, and in the parent") {
  k::thread_team team(3);
  std::atomic<int> calls = 0;
  const auto round = [&] {
    std::thread::id ids[3];
    calls = 0;
    team.run([&](int part) {
      ids[part] = std::this_thread::get_id();
      ++calls;
    });
    return calls == 3 && ids[0] == std::this_thread::get_id() && ids[1] != ids[0] && ids[2] != ids[0] &&
           ids[1] != ids[2];
  };
  CHECK(round());
  const auto rounds = [&] {
    bool all = true;
    for (int i = 0; i < 100; ++i) all = round() && all;
    return all ? 7 : 8;
  };
  CHECK(test::in_child(rounds) == 7);
  CHECK(test::in_child([&] { return test::in_child(rounds); }) == 7);
  CHECK(test::in_child([&] { return rounds() == 7 ? test::in_child(rounds) : 9; }) == 7);
  CHECK(test::in_child([&] {
          std::thread other([] {});  // may get the memory of a thread that stayed behind
          const int verdict = rounds();
          other.join();
          return verdict;
        }) == 7);
  CHECK(rounds() == 7);
}

TEST_CASE("a team that came through a fork comes to its end there") {
  const auto end_a_team = [](bool runs_before, bool runs_after) {
    auto team = std::make_unique<k::thread_team>(3);
    if (runs_before) team->run([](int) {});
    return test::in_child([&] {
      if (runs_after) team->run([](int) {});
      team.reset();
      return 7;
    });
  };
  CHECK(end_a_team(false, false) == 7);
  CHECK(end_a_team(true, false) == 7);
  CHECK(end_a_team(true, true) == 7);
}

TEST_CASE("where the system starts no more threads, those that were started end, and an error says so") {
  if (test::under_sanitizer) {
    WARN("SKIPPED: sanitizers take more addresses than any limit allows");
    return;
  }
  CHECK(test::in_child([] {
          test::limit_addresses(rlim_t{512} << 20);
          std::string message;
          try {
            k::thread_team team(4000);
            return 1;
          } catch (const tapeless::error& e) {
            message = e.what();
          }
          if (!message.starts_with("tapeless: cpu: thread ") ||
              message.find(" of 4000 cannot be started: ") == std::string::npos)
            return 2;
          if (test::count_threads() != 1) return 3;
          int calls[2] = {};
          k::thread_team team(2);  // a smaller one can be had
          team.run([&](int part) { ++calls[part]; });
          return calls[0] == 1 && calls[1] == 1 ? 7 : 4;
        }) == 7);
  CHECK(test::in_child([] {  // the same in a child that has to start its threads again
          k::thread_team team(300);
          return test::in_child([&] {
            const k::thread_team other(300);  // takes the stacks that came through the fork
            test::limit_addresses(rlim_t{512} << 20);
            for (int attempt = 0; attempt < 2; ++attempt) {
              try {
                team.run([](int) {});
                return 1;
              } catch (const tapeless::error&) {
              }
              if (test::count_threads() != other.size()) return 3;
            }
            return 7;
          });
        }) == 7);
}

#endif
