// SPDX-License-Identifier: BSL-1.0
// The square root is rounded right, by the machine and digit by digit.
#include <tapeless/run/bare/square_root.hpp>

#include <cmath>
#include <cstring>
#include <random>

#include "catch.hpp"

namespace bare = tapeless::bare_kernels;

TEST_CASE("digit by digit as by the machine") {
  std::mt19937_64 random(3);
  for (int k = 0; k < 100000; ++k) {
    const std::uint64_t bits = random() >> 1;
    double x;
    std::memcpy(&x, &bits, sizeof x);
    float y;
    std::memcpy(&y, &bits, sizeof y);
    y = std::fabs(y);
    if (std::isfinite(x) && x > 0) {
      REQUIRE(bare::detail::root_by_digits(x) == std::sqrt(x));
      REQUIRE(bare::square_root(x) == std::sqrt(x));
    }
    if (std::isfinite(y) && y > 0) {
      REQUIRE(bare::detail::root_by_digits(y) == std::sqrt(y));
      REQUIRE(bare::square_root(y) == std::sqrt(y));
    }
  }
}

TEST_CASE("numbers without digits") {
  CHECK(std::signbit(bare::square_root(-0.0)));
  CHECK(bare::square_root(0.0f) == 0);
  CHECK(std::isinf(bare::square_root(INFINITY)));
  CHECK(std::isnan(bare::square_root(-1.0)));
  CHECK(std::isnan(bare::square_root(NAN)));
}
