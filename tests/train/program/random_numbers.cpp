// SPDX-License-Identifier: BSL-1.0
// Streams of random numbers: fixed values, moments, and that streams differ.
#include <tapeless/graph/core/random_stream.hpp>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "catch.hpp"

using tapeless::random_stream;
using test::Approx;

namespace {

struct moments {
  double mean = 0, variance = 0, third = 0, fourth = 0;
};

template <class F>
moments moments_of(F next, int count) {
  std::vector<double> all;
  moments m;
  for (int i = 0; i < count; ++i) {
    all.push_back(next());
    m.mean += all.back() / count;
  }
  for (const double x : all) {
    const double d = x - m.mean;
    m.variance += d * d / count;
    m.third += d * d * d / count;
    m.fourth += d * d * d * d / count;
  }
  return m;
}

}  // namespace

// Computed by another implementation of SplitMix64.
TEST_CASE("the numbers of a stream are fixed") {
  random_stream a(0, 0), b(1, 0), c(0, 1);
  CHECK(a.next() == 0x568a9b0b1a2c05ecu);
  CHECK(a.next() == 0x44e5b8b147ef718bu);
  CHECK(b.next() == 0x01d614f74e2a26c6u);
  CHECK(c.next() == 0x6ec85f1f8547bc0cu);
  STATIC_REQUIRE(random_stream(3, 4).next() == random_stream(3, 4).next());
}

TEST_CASE("streams differ") {
  std::set<std::uint64_t> seen;
  for (std::uint64_t seed = 0; seed < 40; ++seed)
    for (std::uint64_t stream = 0; stream < 40; ++stream) {
      random_stream r(seed, stream);
      for (int i = 0; i < 5; ++i) seen.insert(r.next());
    }
  CHECK(seen.size() == 40 * 40 * 5);
}

TEST_CASE("neighbouring streams are not correlated") {
  const int count = 100000;
  for (const auto& [other_seed, other_stream] : {std::pair(1, 0), std::pair(0, 1)}) {
    random_stream a(0, 0),
        b(static_cast<std::uint64_t>(other_seed), static_cast<std::uint64_t>(other_stream));
    double sum = 0;
    for (int i = 0; i < count; ++i) sum += (a.uniform() - 0.5) * (b.uniform() - 0.5);
    CHECK(std::abs(sum * 12 / count) < 4 / std::sqrt(count));
  }
}

TEST_CASE("uniform numbers") {
  random_stream r(1, 2);
  double least = 1, most = 0;
  const moments m = moments_of(
      [&] {
        const double x = r.uniform();
        least = std::min(least, x);
        most = std::max(most, x);
        return x;
      },
      100000);
  CHECK(least >= 0);
  CHECK(least < 1e-4);
  CHECK(most < 1);
  CHECK(most > 1 - 1e-4);
  CHECK(m.mean == Approx(0.5).margin(0.004));
  CHECK(m.variance == Approx(1.0 / 12).margin(0.001));
  CHECK(m.third == Approx(0).margin(0.001));
  CHECK(m.fourth == Approx(1.0 / 80).margin(0.0005));
}

TEST_CASE("normal numbers") {
  random_stream r(1, 2);
  const moments m = moments_of([&] { return r.normal(); }, 100000);
  CHECK(m.mean == Approx(0).margin(0.013));
  CHECK(m.variance == Approx(1).margin(0.02));
  CHECK(m.third == Approx(0).margin(0.05));
  CHECK(m.fourth == Approx(3).margin(0.15));
}

TEST_CASE("numbers below a bound") {
  random_stream r(5, 0);
  std::vector<int> counts(7);
  for (int i = 0; i < 70000; ++i) ++counts.at(static_cast<std::size_t>(r.below(7)));
  for (const int n : counts) CHECK(std::abs(n - 10000) < 400);
  CHECK(r.below(1) == 0);
}
