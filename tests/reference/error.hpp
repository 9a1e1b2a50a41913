// SPDX-License-Identifier: BSL-1.0
// How far computed numbers are from stored ones, in the measure that the reference files' tolerances are in.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace reference {

/// The largest |got - want| / (|want| + s), where s is the largest |want| limited to [0.001, 1].
inline double error_of(const std::vector<double>& got, const std::vector<double>& want) {
  if (got.size() != want.size()) return std::numeric_limits<double>::infinity();
  double scale = 1e-3, worst = 0;
  for (const double x : want) scale = std::max(scale, std::abs(x));
  scale = std::min(scale, 1.0);
  for (std::size_t i = 0; i < want.size(); ++i) {
    const double error = std::abs(got[i] - want[i]) / (std::abs(want[i]) + scale);
    if (!(error <= worst)) worst = std::isnan(error) ? std::numeric_limits<double>::infinity() : error;
  }
  return worst;
}

}  // namespace reference
