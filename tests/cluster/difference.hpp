// SPDX-License-Identifier: BSL-1.0
// How far the weights of two trainers are apart.
#pragma once

#include <cmath>
#include <vector>

namespace test {

/// The largest difference of their elements; infinite where that is no number, or one has more of them.
inline double difference(const std::vector<double>& a, const std::vector<double>& b) {
  double most = a.size() == b.size() ? 0 : INFINITY;
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) {
    const double d = std::abs(a[i] - b[i]);
    most = d <= most ? most : d;
    if (std::isnan(d)) return INFINITY;
  }
  return most;
}

}  // namespace test
