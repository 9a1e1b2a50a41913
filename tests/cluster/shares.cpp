// SPDX-License-Identifier: BSL-1.0
// Who has what: parts that come out even, and units in which large ones are counted.
#include <cstdint>
#include <limits>
#include <vector>

#include <tapeless/cluster/shares.hpp>

#include "catch.hpp"

namespace detail = tapeless::detail;
using ranges = std::vector<std::int64_t>;

TEST_CASE("The first ranks have one more; bytes are divided in blocks") {
  CHECK(detail::begin_of_share(11, 1, 3) == 4);
  CHECK(detail::begin_of_share(11, 2, 3) == 8);
  CHECK(detail::begin_of_share(11, 3, 3) == 11);
  CHECK(detail::even_ranges(3 * 64 + 5, 2) == ranges{0, 128, 197});
}

TEST_CASE("Ranges are counted in the largest unit that all are multiples of, however large they are") {
  constexpr std::int64_t most = std::numeric_limits<int>::max(), gib = std::int64_t{1} << 30;
  const auto of_equal = [&](std::int64_t each) { return detail::unit_of(ranges{0, each, 2 * each}, most); };
  CHECK(of_equal(gib + 4) == gib + 4);  // not in blocks of 64
  CHECK(of_equal(3 * gib) == 3 * gib / 2);
  CHECK(of_equal(4 * gib + 4) == (4 * gib + 4) / 4);
  CHECK(detail::unit_of(ranges{0, 64, 192, 2 * gib}, most) == 64);
  CHECK(detail::unit_of(ranges{0, 0, 12, 30}, most) == 6);
  CHECK(detail::unit_of(ranges{0, 0, 0}, most) == 1);
}
