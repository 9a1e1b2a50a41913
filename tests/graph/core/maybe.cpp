// SPDX-License-Identifier: BSL-1.0
#include <tapeless/graph/core/maybe.hpp>

#include <catch2/catch.hpp>

namespace {

constexpr tapeless::maybe<int> half_of(int number) {
  if (number % 2 != 0) return {};
  return number / 2;
}

static_assert(half_of(6) && *half_of(6) == 3 && half_of(6) == 3 && half_of(6) != 4);
static_assert(!half_of(5) && half_of(5) != 0);

}  // namespace

TEST_CASE("what is not there equals no value") {
  tapeless::maybe<int> found = half_of(8);
  CHECK(found == 4);
  found = half_of(7);
  CHECK_FALSE(found);
  CHECK(found != 4);
}
