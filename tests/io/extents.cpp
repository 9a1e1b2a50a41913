// SPDX-License-Identifier: BSL-1.0
#include <tapeless/io/extents.hpp>

#include <cstdint>
#include <vector>

#include "catch.hpp"

namespace io = tapeless::io;
using extents = std::vector<std::int64_t>;

TEST_CASE("extents are multiplied", "[io]") {
  CHECK(io::checked_product(extents{}) == 1);
  CHECK(io::checked_product(extents{2, 3}, 4) == 24);
  CHECK(io::checked_product(extents{2, 0, 3}) == 0);
  CHECK(io::checked_product(extents{INT64_MAX}) == INT64_MAX);
}

TEST_CASE("a product that does not fit is none", "[io]") {
  CHECK_FALSE(io::checked_product(extents{INT64_MAX}, 2));
  CHECK_FALSE(io::checked_product(extents{std::int64_t{1} << 32, std::int64_t{1} << 31}));
  CHECK_FALSE(io::checked_product(extents{std::int64_t{1} << 32, std::int64_t{1} << 32}));
  CHECK_FALSE(io::checked_product(extents{2, -3}));
}

TEST_CASE("shapes are spelled", "[io]") {
  CHECK(io::shape_text(extents{}) == "[]");
  CHECK(io::shape_text(extents{7}) == "[7]");
  CHECK(io::shape_text(extents{2, -3}) == "[2, -3]");
}
