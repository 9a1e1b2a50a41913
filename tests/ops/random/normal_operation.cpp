// SPDX-License-Identifier: BSL-1.0
// The normal quantile of a counter's bits: its error, its ends, its symmetry.
#include <tapeless/ops/random/normal_operation.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>

#include "catch.hpp"

namespace {

constexpr std::int64_t count = std::int64_t{1} << 52;

/// How far x is from the quantile, in units in its last place: by one step of Newton's method in long double.
double error_in_ulp(std::int64_t k, double x) {
  const long double from_middle = (static_cast<long double>(2 * k + 1 - count)) * 0x1p-53L;
  const long double size = std::abs(static_cast<long double>(x));
  const long double density = std::exp(-size * size / 2) * std::numbers::inv_sqrtpi_v<long double> *
                              std::numbers::sqrt2_v<long double> / 2;
  const long double half_root = std::numbers::sqrt2_v<long double> / 2;
  const long double excess = size < 0.5L ? std::erf(size * half_root) / 2 - std::abs(from_middle)
                                         : 0.5L - std::abs(from_middle) - std::erfc(size * half_root) / 2;
  const double ulp = std::nextafter(std::abs(x), 10.0) - std::abs(x);
  return std::abs(static_cast<double>(excess / density)) / ulp;
}

}  // namespace

TEST_CASE("the normal quantile is within 8 units in the last place") {
  if (std::numeric_limits<long double>::digits < 64) return;
  double worst = 0;
  for (std::int64_t i = 0; i < 200000; ++i) {
    auto k = static_cast<std::int64_t>(tapeless::detail::random_bits(i, 7) >> 12);
    if (i % 2 == 0) k >>= i / 2 % 52;
    if (i % 4 == 0) k = count - 1 - k;
    worst = std::max(worst, error_in_ulp(k, tapeless::detail::normal_quantile(k)));
  }
  CHECK(worst < 8);
}

TEST_CASE("the normal quantile is finite, odd and rises") {
  using tapeless::detail::normal_quantile;
  CHECK(normal_quantile(std::int64_t{0}) == test::Approx(-8.2095361516013874).epsilon(1e-15));
  CHECK(normal_quantile(count - 1) == -normal_quantile(std::int64_t{0}));
  CHECK(normal_quantile(count / 2) == test::Approx(0x1p-53 * std::sqrt(2 * std::numbers::pi)).epsilon(1e-15));
  for (std::int64_t i = 0; i < 100000; ++i) {
    const auto k = static_cast<std::int64_t>(tapeless::detail::random_bits(i, 3) >> 12);
    const double x = normal_quantile(k);
    REQUIRE(std::isfinite(x));
    REQUIRE(normal_quantile(count - 1 - k) == -x);
    REQUIRE((x > 0) == (k >= count / 2));
  }
  double before = -9;
  for (std::int64_t k = 0; k < count; k += count / 100003) {
    const double x = normal_quantile(k);
    REQUIRE(x > before);
    before = x;
  }
}
