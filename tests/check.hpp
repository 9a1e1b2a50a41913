// SPDX-License-Identifier: BSL-1.0
// Elements of outputs against numbers that are known.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "catch.hpp"
#include "program.hpp"

namespace test {

/// Each element is as expected, up to the margin; NaN is where NaN is.
template <class View>
void check(const View& view, const std::vector<double>& expected, double margin = 1e-9) {
  const std::vector<double> found = elements(view);
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    INFO("element " << i << ": " << found[i] << ", expected " << expected[i]);
    const bool both_nan = std::isnan(found[i]) && std::isnan(expected[i]);
    CHECK((both_nan || found[i] == expected[i] || std::abs(found[i] - expected[i]) < margin));
  }
}

}  // namespace test
