// SPDX-License-Identifier: BSL-1.0
// The less usual functions of bare numbers against the C library's.
#include <tapeless/run/bare/bare_special_functions.hpp>

#include <cmath>

#include "run/bare/function_errors.hpp"

using namespace test;

TEST_CASE("special functions of one float") {
  check<float>(0.51, FUNCTION(atan));
  check<float>(0.51, FUNCTION(asin));
  check<float>(0.51, FUNCTION(acos));
  check<float>(0.51, FUNCTION(tan), 1e6f);
  check<float>(0.51, FUNCTION(sinh));
  check<float>(0.51, FUNCTION(cosh));
  check<float>(0.51, FUNCTION(erf));
  check<float>(0.51, FUNCTION(erfc));
}

TEST_CASE("special functions of one double") {
  check<double>(1, FUNCTION(atan));
  check<double>(2.5, FUNCTION(asin));
  check<double>(3, FUNCTION(acos));
  check<double>(4, FUNCTION(tan), 100.0);
  check<double>(3, FUNCTION(sinh), 700.0);
  check<double>(5, FUNCTION(cosh), 700.0);
  check<double>(16, FUNCTION(erf));
  check<double>(60, FUNCTION(erfc), 5.0);
}

TEST_CASE("angles of points") {
  const double all[] = {0.0,
                        -0.0,
                        1,
                        -1,
                        3e-300,
                        5e300,
                        static_cast<double>(INFINITY),
                        -static_cast<double>(INFINITY),
                        static_cast<double>(NAN)};
  for (const double y : all)
    for (const double x : all) {
      INFO("atan2(" << y << ", " << x << ")");
      const double got = atan2(bare_number<double>(y), bare_number<double>(x)).x, wanted = std::atan2(y, x);
      CHECK(error_of(got, wanted) <= 2);
      if (!std::isnan(wanted)) CHECK(std::signbit(got) == std::signbit(wanted));
    }
}
