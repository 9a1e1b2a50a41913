// SPDX-License-Identifier: BSL-1.0
// What tells whether a result is outdated, also after its program is gone.
#include <tapeless/train/binding/run_stamp.hpp>

#include <memory>
#include <vector>

#include "catch.hpp"

namespace tl = tapeless;

TEST_CASE("a stamp is current until the next run") {
  tl::run_counter runs;
  const tl::run_stamp a = runs.stamp(), b = runs.stamp(), always;
  CHECK((a.is_current() && b.is_current()));
  CHECK_NOTHROW(a.check());
  runs.next();
  CHECK((!a.is_current() && !b.is_current() && runs.stamp().is_current() && always.is_current()));
  CHECK_THROWS_AS(a.check(), tl::error);
  CHECK_NOTHROW(always.check());
}

TEST_CASE("a stamp stays outdated whatever takes the place of what it was taken from") {
  std::vector<tl::run_stamp> old;
  for (int k = 0; k < 50; ++k) {
    const auto first = std::make_unique<tl::run_counter>();
    const tl::run_counter second;
    for (const tl::run_stamp& s : old) CHECK(!s.is_current());
    first->next();
    old.push_back(first->stamp());
    old.push_back(second.stamp());
    CHECK((old.back().is_current() && first->stamp().is_current()));
  }
}
