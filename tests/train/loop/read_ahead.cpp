// SPDX-License-Identifier: BSL-1.0
// Reading ahead: what comes does not depend on when it was read, or by whom. The source can be held up.
#include <tapeless/train/loop/read_ahead.hpp>

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include "catch.hpp"
#include "forked.hpp"

namespace tl = tapeless;
namespace data = tl::data;
using numbers = std::vector<std::int64_t>;

namespace {

/// What happens to a source of numbers, seen from outside.
struct observed {
  std::atomic<int> reads = 0;
  std::atomic<bool> held_up = false;
  std::thread::id by;
};
struct numbered {
  observed* seen;
  std::int64_t bad = -1;
  std::int64_t size() const { return 1000; }
  void fetch(tl::array_view<const std::int64_t> samples, data::batch& b) const {
    seen->held_up.wait(true);
    seen->by = std::this_thread::get_id();
    const auto n = b.get<std::int64_t>("n");
    for (std::size_t k = 0; k < samples.size(); ++k) {
      if (samples[k] == bad) throw samples[k];
      n[k] = 10 * samples[k] + b.pass();
    }
    ++seen->reads;
    seen->reads.notify_all();
  }
};
struct numbered_here : numbered {
  static constexpr bool reads_ahead = false;
};

data::batch_memory memory() {
  data::batch_memory m;
  m.add(data::column_of<std::int64_t>("n"));
  return m;
}

numbers read(data::read_ahead& reader, const numbers& samples, std::int64_t pass = 0) {
  const auto n = data::batch(reader.read(samples, pass)).get<std::int64_t>("n");
  return {n.begin(), n.end()};
}
void wait_for(observed& seen, int reads) {
  for (int now = seen.reads; now < reads; now = seen.reads) seen.reads.wait(now);
}

}  // namespace

TEST_CASE("what was expected is read by another thread, while this one goes on") {
  observed seen;
  data::read_ahead reader(numbered{&seen}, memory());
  CHECK(reader.runs_ahead());
  CHECK(read(reader, {1, 2}) == numbers{10, 20});
  CHECK(seen.by == std::this_thread::get_id());
  seen.held_up = true;
  reader.expect(numbers{3, 4, 5}, 2);
  CHECK(seen.reads == 1);  // and this thread is here
  seen.held_up = false;
  seen.held_up.notify_all();
  CHECK(read(reader, {3, 4, 5}, 2) == numbers{32, 42, 52});
  CHECK(seen.by != std::this_thread::get_id());
  CHECK(seen.reads == 2);
}

TEST_CASE("what was not expected comes all the same") {
  observed seen;
  data::read_ahead reader(numbered{&seen}, memory());
  reader.expect(numbers{3, 4}, 0);
  CHECK(read(reader, {3}) == numbers{30});
  reader.expect(numbers{3, 4}, 0);
  CHECK(read(reader, {3, 4}, 1) == numbers{31, 41});
  reader.expect(numbers{3, 4}, 0);
  reader.expect(numbers{5}, 0);
  CHECK(read(reader, {5}) == numbers{50});
  CHECK(read(reader, {5}) == numbers{50});
  reader.expect(numbers{6}, 0);  // never read
}

TEST_CASE("a batch stays while the next one is read") {
  observed seen;
  data::read_ahead reader(numbered{&seen}, memory());
  for (std::int64_t i = 0; i < 20; ++i) {
    const auto n = data::batch(reader.read(numbers{i, i}, 0)).get<std::int64_t>("n");
    reader.expect(numbers{i + 1, i + 1}, 0);
    wait_for(seen, static_cast<int>(i) + 2);
    REQUIRE(n[0] == 10 * i);
    REQUIRE(n[1] == 10 * i);
  }
}

TEST_CASE("an exception comes where the batch is needed, and only there") {
  observed seen;
  data::read_ahead reader(numbered{&seen, 7}, memory());
  reader.expect(numbers{6}, 0);
  CHECK(read(reader, {6}) == numbers{60});
  reader.expect(numbers{7}, 0);
  CHECK_THROWS_AS(read(reader, {7}), std::int64_t);
  CHECK(read(reader, {8}) == numbers{80});
  reader.expect(numbers{7}, 0);
  CHECK(read(reader, {8}) == numbers{80});
  reader.expect(numbers{7}, 0);
  reader.expect(numbers{9}, 0);
  CHECK(read(reader, {9}) == numbers{90});
  reader.expect(numbers{7}, 0);
}

TEST_CASE("who must not be read by another thread is not, nor what is in memory") {
  observed seen;
  data::read_ahead here(numbered_here{{&seen}}, memory());
  CHECK_FALSE(here.runs_ahead());
  here.expect(numbers{1}, 0);
  CHECK(seen.reads == 0);
  CHECK(read(here, {1}) == numbers{10});
  CHECK(seen.by == std::this_thread::get_id());
  data::dataset d;
  d.add<std::int64_t>("n", {}, {5, 6});
  data::read_ahead stored(d, memory());
  CHECK_FALSE(stored.runs_ahead());
  stored.expect(numbers{1}, 0);
  CHECK(read(stored, {1}) == numbers{6});
}

#if defined(TEST_HAS_FORK)
TEST_CASE("a process that was forked reads by itself") {
  observed seen;
  data::read_ahead reader(numbered{&seen}, memory());
  reader.expect(numbers{3}, 0);
  wait_for(seen, 1);
  CHECK(test::in_child([&] { return read(reader, {3}) == numbers{30} && !reader.runs_ahead() ? 0 : 1; }) ==
        0);
  CHECK(read(reader, {3}) == numbers{30});
  CHECK(reader.runs_ahead());
}
#endif
