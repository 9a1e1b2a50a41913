// SPDX-License-Identifier: BSL-1.0
// What a meter collects: the loss by samples, and of the callbacks only those that are metrics.
#include "catch.hpp"

#include <tapeless/train/loop/meter.hpp>

namespace tl = tapeless;

namespace {

struct result {
  double value;
  double loss() const { return value; }
};

/// How many batches have been seen.
struct batches_seen {
  static constexpr std::string_view label = "batches";
  int count = 0;
  void clear() { count = 0; }
  void add(const result&, int) { ++count; }
  tl::measurement get() const { return {.mean = static_cast<double>(count)}; }
};

/// A metric without a number.
struct silent {
  static constexpr std::string_view label = "silent";
  int count = 0;
  void clear() { count = 0; }
  void add(const result&, int) { ++count; }
};

/// A callback that is no metric.
struct listener {
  void clear() { FAIL("it measures nothing"); }
};

}  // namespace

TEST_CASE("a meter weighs losses by samples, and asks metrics alone") {
  listener nobody;
  batches_seen seen;
  std::tuple<listener&, batches_seen&> callbacks(nobody, seen);
  tl::detail::meter_of<listener, batches_seen> meter(callbacks);
  STATIC_REQUIRE(std::is_same_v<decltype(meter), tl::detail::meter_of<batches_seen, listener>>);
  meter.add(result{1}, 0, 3);
  meter.add(result{5}, 0, 1);
  tl::report report;
  meter.write(report);
  CHECK(report["loss"].mean == test::Approx(2));
  CHECK(report["batches"].mean == 2);

  meter.clear();
  meter.add(result{7}, 0, 2);
  meter.write(report);
  CHECK(report["loss"].mean == 7);
  CHECK(report["batches"].mean == 1);
}

TEST_CASE("a metric that cannot be read reports nothing, and is given all batches") {
  silent mine;
  std::tuple<silent&> callbacks(mine);
  tl::detail::meter_of<silent> meter(callbacks);
  meter.add(result{1}, 0, 1);
  tl::report report;
  meter.write(report);
  CHECK(mine.count == 1);
  CHECK(report.end() - report.begin() == 1);
}

TEST_CASE("a meter that is given a reference to a metric writes to that one") {
  batches_seen mine;
  std::tuple<batches_seen&> callbacks(mine);
  tl::detail::meter_of<batches_seen> meter(callbacks);
  meter.add(result{1}, 0, 1);
  CHECK(mine.count == 1);
}
