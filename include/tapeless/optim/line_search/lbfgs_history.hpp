// SPDX-License-Identifier: BSL-1.0
// What L-BFGS remembers of the last steps, and the direction that it makes of it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/cmath.hpp>

namespace tapeless {

namespace detail {

// Four sums, which a compiler may keep in one vector; always in the same order.
inline double inner_product(array_view<const double> a, array_view<const double> b) {
  double sums[4] = {};
  std::size_t i = 0;
  for (; i + 4 <= a.size(); i += 4)
    for (std::size_t k = 0; k < 4; ++k) sums[k] += a[i + k] * b[i + k];
  for (; i < a.size(); ++i) sums[0] += a[i] * b[i];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

inline void add_multiple(double factor, array_view<const double> a, array_view<double> to) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] += factor * a[i];
}

}  // namespace detail

/// The last pairs (s, y) of a step and the change of the gradient that it made.
class lbfgs_history {
 public:
  lbfgs_history(int pairs, std::int64_t count)
      : most_(static_cast<std::size_t>(pairs)),
        count_(static_cast<std::size_t>(count)),
        s_(most_ * count_),
        y_(most_ * count_),
        curvatures_(most_),
        shares_(most_) {}

  std::size_t size() const {
    return static_cast<std::size_t>(std::clamp<std::int64_t>(stored_, 0, static_cast<std::int64_t>(most_)));
  }
  void clear() { stored_ = 0; }

  /// Remembers the step from x to next_x and what it made of the gradient g, in place of the oldest pair
  /// where all are taken. Leaves it out, and says false, where s.y is below 1e-10 |s| |y|: the function does
  /// not curve upwards there, and the direction might not go down.
  bool add(array_view<const double> x, array_view<const double> next_x, array_view<const double> g,
           array_view<const double> next_g) {
    double sy = 0, ss = 0, yy = 0;
    for (std::size_t i = 0; i < count_; ++i) {
      const double s = next_x[i] - x[i], y = next_g[i] - g[i];
      sy += s * y;
      ss += s * s;
      yy += y * y;
    }
    if (!(sy > 1e-10 * std::sqrt(ss) * std::sqrt(yy) && std::isfinite(sy))) return false;
    const std::size_t slot = slot_of(stored_);
    for (std::size_t i = 0; i < count_; ++i) {
      s_[slot * count_ + i] = next_x[i] - x[i];
      y_[slot * count_ + i] = next_g[i] - g[i];
    }
    curvatures_[slot] = sy;
    ++stored_;
    return true;
  }

  /// d = -H g by the two-loop recursion (Nocedal and Wright, 2006, algorithm 7.4; Liu and Nocedal, 1989),
  /// from H = s.y / y.y of the newest pair; without pairs H = 1.
  void direction(array_view<const double> g, array_view<double> d) {
    std::copy(g.begin(), g.end(), d.begin());
    const auto newest = stored_ - 1, oldest = stored_ - static_cast<std::int64_t>(size());
    for (std::int64_t k = newest; k >= oldest; --k) {
      const std::size_t i = slot_of(k);
      shares_[i] = detail::inner_product(row(s_, i), d) / curvatures_[i];
      detail::add_multiple(-shares_[i], row(y_, i), d);
    }
    double scale = -1;
    if (size() > 0) {
      const std::size_t i = slot_of(newest);
      scale = -curvatures_[i] / detail::inner_product(row(y_, i), row(y_, i));
    }
    for (double& each : d) each *= scale;
    for (std::int64_t k = oldest; k <= newest; ++k) {
      const std::size_t i = slot_of(k);
      const double share = -detail::inner_product(row(y_, i), d) / curvatures_[i];
      detail::add_multiple(share - shares_[i], row(s_, i), d);
    }
  }

  // All that it consists of. Pair number k, counted from the last clear(), is in row k modulo the rows'
  // number.
  array_view<double> s() { return s_; }
  array_view<double> y() { return y_; }
  array_view<double> curvatures() { return curvatures_; }
  std::int64_t& stored() { return stored_; }

 private:
  std::size_t most_, count_;
  std::vector<double> s_, y_;       // rows of count_
  std::vector<double> curvatures_;  // s.y
  std::vector<double> shares_;
  std::int64_t stored_ = 0;

  std::size_t slot_of(std::int64_t pair) const { return static_cast<std::size_t>(pair) % most_; }
  array_view<const double> row(const std::vector<double>& all, std::size_t i) const {
    return {all.data() + i * count_, count_};
  }
};

}  // namespace tapeless
