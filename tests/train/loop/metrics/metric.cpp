// SPDX-License-Identifier: BSL-1.0
// A metric of one's own: what it calls, and what it makes of the answers.
#include <tapeless/train/loop/meter.hpp>
#include <tapeless/train/loop/metrics/metric.hpp>

#include <cmath>

#include "catch.hpp"
#include "contracts.hpp"
#include "one_tensor.hpp"

namespace tl = tapeless;
using test::Approx;
using test::contains;
using floats = test::one_tensor<float>;

TEST_CASE("a metric of one's own is the mean over elements") {
  auto metric = tl::metric<"within", "y", "t">([](float y, float t) { return std::abs(y - t) < 0.5f; });
  STATIC_REQUIRE(tl::is_metric<decltype(metric)>);
  STATIC_REQUIRE(metric.label == "within");
  metric.add(floats{{1, 2, 3, 4}, {2, 2}}, floats{{1, 2, 9, 4}, {2, 2}});
  CHECK(metric.get().mean == 0.75);
  CHECK(metric.get().uncertainty == Approx(0.25));  // of two samples with 1 and 0.5
  metric.add(floats{{1, 1}, {1, 2}}, floats{{0, 0}, {1, 2}});
  CHECK(metric.get().mean == 0.5);
  metric.clear();
  CHECK(metric.get().mean == 0);
}

TEST_CASE("a callable that takes spans is called with each sample") {
  auto largest = tl::metric<"largest", "y">([](std::span<const float> y) {
    float most = y[0];
    for (const float x : y) most = std::fmax(most, x);
    return most;
  });
  largest.add(floats{{1, 2, 3, 9, 5, 6}, {2, 3}}, floats{});
  CHECK(largest.get().mean == 6);
  auto lengths = tl::metric<"lengths", "y", "t">(
      [](std::span<const float> y, std::span<const int> t) { return 10 * y.size() + t.size(); });
  lengths.add(floats{{1, 2, 3, 4}, {2, 2}}, test::one_tensor<int>{{1, 2}, {2}});
  CHECK(lengths.get().mean == 21);
  CHECK_THROWS_WITH(lengths.add(floats{{1, 2, 3, 4}, {2, 2}}, test::one_tensor<int>{{1, 2, 3}, {3}}),
                    contains("metric \"lengths\""));
}

TEST_CASE("outputs and inputs of other sizes are an error") {
  auto metric = tl::metric<"sum", "y", "t">([](float y, float t) { return y + t; });
  CHECK_THROWS_WITH(metric.add(floats{{1, 2}, {2}}, floats{{1, 2, 3, 4}, {2, 2}}),
                    contains("metric \"sum\""));
  CHECK_THROWS_WITH(metric.add(floats{{1, 2}, {2}}, floats{{1}, {1}}), contains("as many samples"));
}

TEST_CASE("a callable has a contract") {
  constexpr std::string_view call =
      "a call with an element of the output and of each input, or with each one's sample as a std::span, "
      "that "
      "returns a number";
  const auto number = [](float) { return 1; };
  const auto text = [](float) { return "1"; };
  STATIC_REQUIRE(test::lacks<tl::metric_callable_contract<decltype(number), float>>(""));
  STATIC_REQUIRE(test::lacks<tl::metric_callable_contract<decltype(number), float, float>>(call));
  STATIC_REQUIRE(test::lacks<tl::metric_callable_contract<decltype(text), float>>(call));
}
