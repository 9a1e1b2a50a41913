// SPDX-License-Identifier: BSL-1.0
// The functions of bare numbers against the C library's in long double, in units of the last place.
#include <tapeless/run/bare/bare_functions.hpp>
#include <tapeless/run/bare/bare_sums.hpp>
#include <tapeless/run/bare/bare_wide.hpp>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "run/bare/function_errors.hpp"

using namespace test;

TEST_CASE("functions of one float") {
  check<float>(1, FUNCTION(exp));
  check<float>(1, FUNCTION(log));
  check<float>(5.5, FUNCTION(tanh));
  check<float>(2.5, FUNCTION(expm1));
  check<float>(1.5, FUNCTION(log1p));
  check<float>(0.51, FUNCTION(sqrt));
  check<float>(0.51, FUNCTION(exp2));
  check<float>(0.51, FUNCTION(log2));
  check<float>(0.51, FUNCTION(sin), 1e6f);
  check<float>(0.51, FUNCTION(cos), 1e6f);
  check<float>(0, FUNCTION(floor));
  check<float>(0, FUNCTION(ceil));
  check<float>(0, FUNCTION(trunc));
  check<float>(0, FUNCTION(nearbyint));
  check<float>(0, FUNCTION(abs));
}

TEST_CASE("functions of one double") {
  check<double>(2, FUNCTION(exp));
  check<double>(1, FUNCTION(log));
  check<double>(4, FUNCTION(tanh));
  check<double>(2.5, FUNCTION(expm1));
  check<double>(2, FUNCTION(log1p));
  check<double>(0.51, FUNCTION(sqrt));
  check<double>(2, FUNCTION(exp2));
  check<double>(2, FUNCTION(log2));
  check<double>(2, FUNCTION(sin), 100.0);
  check<double>(2, FUNCTION(cos), 100.0);
  check<double>(0, FUNCTION(floor));
  check<double>(0, FUNCTION(ceil));
  check<double>(0, FUNCTION(trunc));
  check<double>(0, FUNCTION(nearbyint));
}

TEST_CASE("the hyperbolic tangent is never beyond 1, and is 1 from 9.02 on") {
  const auto tangent = [](float x) { return tanh(bare_number<float>(x)).x; };
  int beyond = 0;
  for (float x = 2; x < 9.03f; x = std::nextafter(x, 10.0f)) beyond += tangent(x) > 1 ? 1 : 0;
  CHECK(beyond == 0);
  for (const float x : {9.02f, 10.0f, 1e30f, std::numeric_limits<float>::infinity()}) {
    CHECK(tangent(x) == 1);
    CHECK(tangent(-x) == -1);
  }
}

TEST_CASE("powers") {
  std::mt19937 random(2);
  for (int k = 0; k < 100000; ++k) {
    float x = std::ldexp(static_cast<float>(random() % 10000) / 5000, static_cast<int>(random() % 20) - 10);
    float y = static_cast<float>(static_cast<int>(random() % 4000) - 2000) / 100;
    if (k % 3 == 0) x = -x, y = std::floor(y);
    INFO(x << " to the power of " << y);
    REQUIRE(error_of(pow(bare_number<float>(x), bare_number<float>(y)).x,
                     std::pow(static_cast<long double>(x), y)) <= 0.51);
  }
  const double all[] = {0.0,
                        -0.0,
                        1,
                        -1,
                        2,
                        -2,
                        0.5,
                        3,
                        -3,
                        1e308,
                        std::numeric_limits<double>::infinity(),
                        -std::numeric_limits<double>::infinity(),
                        std::numeric_limits<double>::quiet_NaN()};
  for (const double x : all)
    for (const double y : all) {
      INFO(x << " to the power of " << y);
      const double got = pow(bare_number<double>(x), bare_number<double>(y)).x, wanted = std::pow(x, y);
      const double exponent = std::fabs(y * std::log(std::fabs(x)));
      CHECK(error_of(got, wanted) <= (exponent < 800 ? 4 + 0.2 * exponent : 4));
    }
}

TEMPLATE_TEST_CASE("remainders are exact, of subnormals too, and keep the sign of zero", "", float, double) {
  using limits = std::numeric_limits<TestType>;
  std::vector<TestType> all = {
      0, 1, 1.5, 3, 1e-20f, 1e20f, limits::min(), limits::max(), limits::infinity(), limits::quiet_NaN()};
  for (int k = 1; k < 20; ++k) all.push_back(static_cast<TestType>(k) * limits::denorm_min());
  for (const TestType size : all)
    for (const TestType divisor : all)
      for (const TestType x : {size, -size})
        for (const TestType y : {divisor, -divisor}) {
          const TestType got = remainder_of(bare_number<TestType>(x), bare_number<TestType>(y)).x,
                         wanted = std::fmod(x, y);
          INFO(x << " and " << y << ": " << got << ", not " << wanted);
          const bool both_are_none = std::isnan(got) && std::isnan(wanted);
          REQUIRE((both_are_none || (got == wanted && std::signbit(got) == std::signbit(wanted))));
        }
}

// Each lane of a vector has the bits that the number has by itself. Without the contraction of a b + c, which
// compilers do here and not there.
#if !defined(__FMA__) && defined(__SSE2__)
namespace {

template <class T>
void check_lanes() {
  namespace bare = tapeless::bare_kernels;
  constexpr int width = bare::vector_width<T>;
  using lanes = bare::vector_lanes<T, width>;
  T all[width] = {};
  int filled = 0;
  const auto same = [](T a, T b) { return std::memcmp(&a, &b, sizeof a) == 0 || (a != a && b != b); };
  for_each_number<T>([&](T number) {
    all[filled++] = number;
    if (filled < width) return;
    filled = 0;
    const bare::bare_wide<lanes> x{lanes::load(all)};
    const auto e = exp(x), l = log(x), t = tanh(x), r = sqrt(x), a = abs(x), s = sign_of(x), f = floor(x);
    for (int i = 0; i < width; ++i) {
      const bare_number<T> one(all[i]);
      INFO(all[i]);
      const bool are_same = same(e.x[i], exp(one).x) && same(l.x[i], log(one).x) &&
                            same(t.x[i], tanh(one).x) && same(r.x[i], sqrt(one).x) &&
                            same(a.x[i], abs(one).x) && same(s.x[i], tapeless::sign_of(one).x) &&
                            same(f.x[i], floor(one).x);
      if (!are_same) REQUIRE(are_same);
    }
  });
}

}  // namespace

TEST_CASE("vectors have the bits of numbers") {
  check_lanes<float>();
  check_lanes<double>();
}
#endif
