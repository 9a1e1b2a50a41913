// SPDX-License-Identifier: BSL-1.0
// What the tests of several ranks train on.
#pragma once

#include <tapeless/data/dataset.hpp>

#include <cmath>
#include <vector>

namespace test {

inline tapeless::data::dataset samples(int count) {
  std::vector<double> x, y;
  for (int i = 0; i < count; ++i) {
    for (int k = 1; k <= 3; ++k) x.push_back(std::sin(0.37 * i * k));
    y.push_back(x[x.size() - 1] * x[x.size() - 2] - 0.5 * x[x.size() - 3]);
  }
  tapeless::data::dataset all;
  all.add("x", {3}, x).add("y", {1}, y);
  return all;
}

}  // namespace test
