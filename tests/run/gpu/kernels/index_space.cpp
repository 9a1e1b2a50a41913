// SPDX-License-Identifier: BSL-1.0
// Division by multiplication gives what division gives, and the place of an item what loops give.
#include <tapeless/run/gpu/kernels/index_space.hpp>

#include <cstdint>
#include <vector>

#include "catch.hpp"
#include "program.hpp"

namespace k = tapeless::thrust_kernels;

TEST_CASE("index_space: quotients are those of division") {
  const auto most = static_cast<std::uint32_t>(k::most_items);
  test::numbers random(3);
  std::vector<std::uint32_t> divisors{1,  2,   3,     5,     7,     10,       31,  32,
                                      33, 641, 65535, 65536, 65537, most - 1, most};
  for (int i = 0; i < 300; ++i) divisors.push_back(static_cast<std::uint32_t>(random(1, 2147483647.0)));
  for (const std::uint32_t d : divisors) {
    const k::divisor by(d);
    REQUIRE(by.value() == d);
    std::vector<std::uint32_t> dividends{0, 1, d - 1, d, most, most - 1, most / d * d, most / d * d - 1};
    for (int i = 0; i < 300; ++i) dividends.push_back(static_cast<std::uint32_t>(random(0, 2147483647.0)));
    for (const std::uint32_t n : dividends)
      if (by.quotient(n) != n / d) FAIL(n << " / " << d << " gave " << by.quotient(n));
  }
}

TEST_CASE("index_space: axes without elements are none to divide by") {
  k::index_space space;
  space.add_axis(3);
  space.add_axis(0);
  CHECK(space.count == 0);
  CHECK(space.extents[1].value() == 1);
}

TEST_CASE("index_space: an item's place along each axis, from the innermost one") {
  k::index_space space;
  for (const std::int64_t extent : {2, 1, 3, 5}) space.add_axis(extent);
  std::uint32_t item = 0;
  for (std::int64_t a = 0; a < 2; ++a)
    for (std::int64_t c = 0; c < 3; ++c)
      for (std::int64_t d = 0; d < 5; ++d, ++item) {
        std::vector<std::int64_t> axes, place;
        space.for_each_axis(item, [&](int axis, std::int64_t index) {
          axes.push_back(axis);
          place.push_back(index);
        });
        CHECK(axes == std::vector<std::int64_t>{3, 2, 1, 0});
        CHECK(place == std::vector<std::int64_t>{d, c, 0, a});
      }
}
