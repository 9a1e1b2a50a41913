// SPDX-License-Identifier: BSL-1.0
// What tests of random numbers measure.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

namespace test {

/// How far the numbers' distribution is from `probability_below`, times the root of their number: above 1.63
/// in one of a hundred samples (Kolmogorov, 1933).
template <class F>
double distance_from(std::vector<double> all, F probability_below) {
  std::sort(all.begin(), all.end());
  double most = 0;
  const auto n = static_cast<double>(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const double p = probability_below(all[i]), rank = static_cast<double>(i);
    most = std::max({most, p - rank / n, (rank + 1) / n - p});
  }
  return most * std::sqrt(n);
}

/// The correlation of two samples, times the root of their length: normally distributed where they are
/// independent.
inline double correlation(const std::vector<double>& a, const std::vector<double>& b) {
  const auto n = static_cast<double>(a.size());
  double mean_a = 0, mean_b = 0, ab = 0, aa = 0, bb = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    mean_a += a[i] / n;
    mean_b += b[i] / n;
  }
  for (std::size_t i = 0; i < a.size(); ++i) {
    ab += (a[i] - mean_a) * (b[i] - mean_b);
    aa += (a[i] - mean_a) * (a[i] - mean_a);
    bb += (b[i] - mean_b) * (b[i] - mean_b);
  }
  return ab / std::sqrt(aa * bb) * std::sqrt(n);
}

/// The mean of the numbers' power, each less `center`.
inline double moment(const std::vector<double>& all, int power, double center = 0) {
  double sum = 0;
  for (const double x : all) sum += std::pow(x - center, power);
  return sum / static_cast<double>(all.size());
}

}  // namespace test
