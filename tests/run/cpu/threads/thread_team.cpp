// SPDX-License-Identifier: BSL-1.0
// Teams of threads and the pool that they share: every part is called once, round after round, and parts
// cover a range once.
#include <tapeless/run/cpu/threads/thread_team.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
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

TEST_CASE("every part is called once, the first by the caller") {
  for (const int parts : {1, 2, 3, 5, 16}) {
    const k::thread_team team(parts);
    CHECK(team.size() == parts);
    std::vector<int> calls(static_cast<std::size_t>(parts));
    std::thread::id first;
    team.run(parts, [&](int part) {
      ++calls.at(static_cast<std::size_t>(part));
      if (part == 0) first = std::this_thread::get_id();
    });
    CHECK(calls == std::vector<int>(calls.size(), 1));
    CHECK(first == std::this_thread::get_id());
  }
}

TEST_CASE("parts are run at the same time") {
  const k::thread_team team(3);
  std::atomic<int> there = 0;
  std::thread::id ids[3];
  team.run(3, [&](int part) {  // each waits for all, so no thread can take two of them
    ids[part] = std::this_thread::get_id();
    ++there;
    while (there != 3) std::this_thread::yield();
  });
  CHECK(ids[0] != ids[1]);
  CHECK(ids[0] != ids[2]);
  CHECK(ids[1] != ids[2]);
}

TEST_CASE("many rounds, each of which sees the one before") {
  for (const int size : {2, 3}) {
    k::thread_team team(size);
    std::vector<std::int64_t> sums(static_cast<std::size_t>(size)), next(sums.size());
    sums[0] = 1;
    for (int round = 0; round < 20000; ++round) {
      team.run(size, [&](int part) {
        const auto i = static_cast<std::size_t>(part);
        next[i] = (sums[i] + sums[(i + 1) % sums.size()] + round) % 1000003;
      });
      team.run(size, [&](int part) {
        sums[static_cast<std::size_t>(part)] = next[static_cast<std::size_t>(part)];
      });
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
    team.run(3, [&](int part) {
      if (part == round % 3) std::this_thread::sleep_for(std::chrono::milliseconds(20));
      done[part] = 1;
    });
    CHECK(done[0] + done[1] + done[2] == 3);
  }
}

TEST_CASE("teams come and go, and share their threads") {
  std::atomic<int> calls = 0;
  for (int i = 0; i < 200; ++i) {
    const k::thread_team team(1 + i % 3);
    if (i % 2 == 0) team.run(1 + i % 3, [&](int) { ++calls; });
  }
  int expected = 0;
  for (int i = 0; i < 200; i += 2) expected += 1 + i % 3;
  CHECK(calls == expected);
}

TEST_CASE("a part may run parts, on its own thread") {
  const k::thread_team team(3);
  std::atomic<int> calls = 0, elsewhere = 0;
  for (int round = 0; round < 100; ++round)
    team.run(3, [&](int) {
      const auto own = std::this_thread::get_id();
      team.run(3, [&](int) {
        ++calls;
        if (std::this_thread::get_id() != own) ++elsewhere;
      });
    });
  CHECK(calls == 900);
  CHECK(elsewhere == 0);
}

TEST_CASE("threads with teams of their own run at the same time, whoever has the pool") {
  std::atomic<int> calls = 0;
  std::vector<std::thread> users;
  for (int user = 0; user < 4; ++user)
    users.emplace_back([&] {
      const k::thread_team team(3);
      for (int round = 0; round < 500; ++round) {
        int own[3] = {};
        team.run(3, [&](int part) { own[part] = round; });
        calls += (own[0] == round) + (own[1] == round) + (own[2] == round);
      }
    });
  for (std::thread& user : users) user.join();
  CHECK(calls == 4 * 500 * 3);
}

TEST_CASE("a team has a thread, and no more than any machine has") {
  const std::string range = "; it must be from 1 to 4096, or 0 for as many as there are cores";
  CHECK_THROWS_WITH(k::thread_team(-1), "tapeless: cpu: threads is -1" + range);
  CHECK_THROWS_WITH(k::thread_team(20000), "tapeless: cpu: threads is 20000" + range);
  CHECK_THROWS_AS(k::thread_team(std::numeric_limits<int>::min()), tapeless::error);
  CHECK_THROWS_AS(k::thread_team(std::numeric_limits<int>::max()), tapeless::error);
}

TEST_CASE("without a number a team has the cores that the process may use") {
  CHECK(k::usable_cores() >= 1);
  CHECK(k::usable_cores() <= std::max(1, static_cast<int>(std::thread::hardware_concurrency())));
  CHECK(k::thread_team(0).size() == k::usable_cores());
}

TEST_CASE("what a part throws comes to the caller, after all parts are done") {
  for (const int size : {1, 2, 4})
    for (int thrower = 0; thrower < size; ++thrower) {
      INFO("part " << thrower << " of " << size);
      k::thread_team team(size);
      for (int round = 0; round < 3; ++round) {
        std::atomic<int> done = 0;
        CHECK_THROWS_WITH(team.run(size,
                                   [&](int part) {
                                     if (part == thrower)
                                       throw std::runtime_error("part " + std::to_string(part));
                                     std::this_thread::sleep_for(std::chrono::milliseconds(1));
                                     ++done;
                                   }),
                          "part " + std::to_string(thrower));
        CHECK(done == size - 1);
        team.run(size, [&](int) { ++done; });
        CHECK(done == 2 * size - 1);
      }
    }
}

TEST_CASE("where all parts throw, one exception comes to the caller") {
  k::thread_team team(3);
  for (int round = 0; round < 100; ++round) CHECK_THROWS_AS(team.run(3, [](int part) { throw part; }), int);
  std::atomic<int> calls = 0;
  team.run(3, [&](int) { ++calls; });
  CHECK(calls == 3);
}

TEST_CASE("a workspace that cannot be had leaves the old one") {
  k::thread_team team(2);
  team.reserve_workspace(100, 2);
  const std::byte *first = team.workspace(0), *second = team.workspace(1);
  CHECK(second - first == 128);
  if (!test::under_sanitizer)  // which ends the program
    CHECK_THROWS_AS(team.reserve_workspace(std::int64_t{1} << 60, 2), std::bad_alloc);
  CHECK(team.workspace(0) == first);
  CHECK(team.workspace(1) == second);
  team.reserve_workspace(1000, 1);  // and the next one is as large as it is asked for
  CHECK(team.workspace(1) - team.workspace(0) == 1024);
  team.workspace(1)[1023] = std::byte{1};
  team.reserve_workspace(10, 3);  // for one part more
  CHECK(team.workspace(2) - team.workspace(0) == 2048);
  team.workspace(2)[1023] = std::byte{1};
}

#ifdef __linux__

TEST_CASE("threads without work sleep") {
  const k::thread_team team(4);
  team.run(4, [](int) {});
  std::atomic<int> there = 0;
  bool awake = false;
  team.run(2, [&](int part) {  // each waits for the other
    ++there;
    while (there < 2) std::this_thread::yield();
    if (part == 0) awake = k::worker_pool::is_awake();
    ++there;
    while (there != 4) std::this_thread::yield();
  });
  CHECK(awake);
  const auto state_of = [](const std::filesystem::path& task) {
    std::ifstream file(task / "stat");
    std::string line;
    std::getline(file, line);
    const std::size_t name = line.rfind(')');
    return name == std::string::npos || name + 2 >= line.size() ? 'S' : line[name + 2];
  };
  const auto all_sleep = [&] {
    int awake = 0;
    for (const auto& task : std::filesystem::directory_iterator("/proc/self/task"))
      awake += state_of(task.path()) != 'S';
    return awake == 1;  // this one
  };
  bool seen = false;
  for (int i = 0; i < 10000 && !seen; ++i) {
    seen = all_sleep();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  CHECK(seen);
  CHECK(!k::worker_pool::is_awake());
}

#endif

#ifdef TEST_HAS_FORK

namespace {

// Three threads that see one another.
bool runs_on_three_threads(const k::thread_team& team) {
  std::thread::id ids[3];
  std::atomic<int> there = 0;
  team.run(3, [&](int part) {
    ids[part] = std::this_thread::get_id();
    ++there;
    while (there != 3) std::this_thread::yield();
  });
  return ids[0] == std::this_thread::get_id() && ids[1] != ids[0] && ids[2] != ids[0] && ids[1] != ids[2];
}

}  // namespace

TEST_CASE("a team goes on in a forked child, and in the parent") {
  const k::thread_team team(3);
  const auto rounds = [&] {
    bool all = true;
    for (int i = 0; i < 100; ++i) all = runs_on_three_threads(team) && all;
    return all ? 7 : 8;
  };
  CHECK(rounds() == 7);
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

TEST_CASE("a child that is forked while another thread has the pool has one of its own") {
  const k::thread_team team(3);
  std::atomic<bool> is_in = false, may_go = false;
  std::thread user([&] {
    team.run(3, [&](int) {
      is_in = true;
      while (!may_go) std::this_thread::yield();
    });
  });
  while (!is_in) std::this_thread::yield();
  CHECK(test::in_child([&] { return runs_on_three_threads(team) ? 7 : 8; }) == 7);
  may_go = true;
  user.join();
  CHECK(runs_on_three_threads(team));
}

TEST_CASE("the pool that came through a fork comes to its end there") {
  const k::thread_team team(3);
  team.run(3, [](int) {});
  for (const bool runs_after : {false, true}) {
    const pid_t child = ::fork();
    if (child == 0) {
      ::alarm(60);
      if (runs_after) team.run(3, [](int) {});
      std::fclose(stdout);
      std::exit(7);
    }
    int status = -1;
    REQUIRE(::waitpid(child, &status, 0) == child);
    CHECK((WIFEXITED(status) && WEXITSTATUS(status) == 7));
  }
}

TEST_CASE("where the system starts no more threads, those that are there do all") {
  if (test::under_sanitizer) {
    WARN("SKIPPED: sanitizers take more addresses than any limit allows");
    return;
  }
  CHECK(test::in_child([] {
          test::limit_addresses(rlim_t{512} << 20);
          const k::thread_team team(4000);
          std::vector<int> calls(4000);
          for (int round = 0; round < 3; ++round)
            team.run(4000, [&](int part) { ++calls[static_cast<std::size_t>(part)]; });
          if (test::count_threads() >= 4000) return 2;
          return calls == std::vector<int>(4000, 3) ? 7 : 3;
        }) == 7);
}

#endif
