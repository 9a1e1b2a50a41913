// SPDX-License-Identifier: BSL-1.0
// A line search for the strong Wolfe conditions: how far to go along a direction of descent.
#pragma once

#include <algorithm>
#include <type_traits>

#include <tapeless/graph/core/cmath.hpp>
#include <tapeless/graph/core/infinity.hpp>

namespace tapeless {

/// A point on a line: how far it is from the start, the function's value there, and its derivative along the
/// line.
struct line_point {
  double length = 0;
  double value = 0;
  double slope = 0;
};

struct line_search_options {
  double sufficient_decrease = 1e-4;  ///< c1: the share of the decrease that the start's slope promises
  double curvature = 0.9;             ///< c2: the share of the start's slope that may be left
  int evaluations = 25;               ///< at most, without that of the start
  double resolution = 0x1p-52;        ///< share of a value by which others must differ to count as others
};

enum class search_outcome {
  accepted,   ///< the strong Wolfe conditions hold
  decreased,  ///< they do not, but the function is lower than at the start
  failed,     ///< no lower value was found
};

struct line_search_result {
  line_point at;  ///< the start, where the search failed
  int evaluations = 0;
  search_outcome outcome = search_outcome::failed;
};

namespace detail {

/// Where the cubic through both points, with their slopes, has its minimum; NaN where it has none (Nocedal
/// and Wright, 2006, equation 3.59).
inline double cubic_minimizer(const line_point& a, const line_point& b) {
  const double width = b.length - a.length;
  const double d1 = a.slope + b.slope - 3 * (b.value - a.value) / width;
  const double d2 = std::copysign(std::sqrt(d1 * d1 - a.slope * b.slope), width);
  return b.length - width * (b.slope + d2 - d1) / (b.slope - a.slope + 2 * d2);
}

template <class Function>
class wolfe_search {
 public:
  wolfe_search(Function& f, const line_point& start, const line_search_options& o)
      : f_(f), start_(start), options_(o), best_(start) {}

  line_search_result run(double length) {
    if (!(std::isfinite(start_.value) && start_.slope < 0)) return best();
    line_point before = start_, now;
    while (evaluate(length, now)) {
      if (is_too_high(now) || (evaluations_ > 1 && now.value >= before.value)) return zoom(before, now);
      if (is_flat(now)) return accepted(now);
      if (now.slope >= 0) return zoom(now, before);
      length = farther(before, now);
      before = now;
    }
    return best();
  }

 private:
  Function& f_;
  line_point start_;
  line_search_options options_;
  line_point best_;
  int evaluations_ = 0;

  // A value that is not finite is a wall: too high, and nothing to interpolate by.
  bool evaluate(double length, line_point& p) {
    if (evaluations_ >= options_.evaluations || !std::isfinite(length)) return false;
    ++evaluations_;
    p = f_(length);
    p.length = length;
    if (!(std::isfinite(p.value) && std::isfinite(p.slope))) p.value = above_all<double>;
    if (p.value < best_.value) best_ = p;
    return true;
  }

  bool is_too_high(const line_point& p) const {
    return p.value > start_.value + options_.sufficient_decrease * p.length * start_.slope;
  }
  bool is_flat(const line_point& p) const { return std::abs(p.slope) <= -options_.curvature * start_.slope; }

  line_search_result accepted(const line_point& p) const {
    return {p, evaluations_, search_outcome::accepted};
  }
  line_search_result best() const {
    return {best_, evaluations_, best_.length > 0 ? search_outcome::decreased : search_outcome::failed};
  }

  // Still downhill: to where the cubic expects the minimum, but not beyond ten times as far.
  static double farther(const line_point& before, const line_point& now) {
    const double expected = cubic_minimizer(before, now), most = 10 * now.length;
    if (!(expected > now.length)) return most;
    return std::clamp(expected, now.length + 0.1 * (now.length - before.length), most);
  }

  // Whether the start's slope promises a decrease that would show in values, within that length.
  bool shows(double length) const {
    return -start_.slope * length > options_.resolution * std::abs(start_.value);
  }

  // Algorithm 3.6. `low` has the lowest value of all points that satisfy the condition of sufficient
  // decrease, and its slope points towards `high`, which may be on either side.
  line_search_result zoom(line_point low, line_point high) {
    line_point now;
    for (;;) {
      const double width = high.length - low.length;
      double share = (cubic_minimizer(low, high) - low.length) / width;
      if (!(share >= 0.1 && share <= 0.9)) share = 0.5;
      const double length = low.length + share * width;
      if (length == low.length || length == high.length || !shows(std::max(low.length, high.length)))
        return best();
      if (!evaluate(length, now)) return best();
      if (is_too_high(now) || now.value >= low.value) {
        high = now;
      } else {
        if (is_flat(now)) return accepted(now);
        if (now.slope * width >= 0) high = low;
        low = now;
      }
    }
  }
};

}  // namespace detail

/// Searches a step length along a line for which the strong Wolfe conditions hold,
///   f(a) <= f(0) + c1 a f'(0)  and  |f'(a)| <= c2 |f'(0)|,
/// by algorithms 3.5 and 3.6 of Nocedal and Wright (2006), with cubic interpolation safeguarded by bisection.
/// `f(length)` gives a line_point with value and slope, `first` is the length that is tried first. Where f is
/// not finite, the step is shortened. Where evaluations run out, or differences are lost in rounding, the
/// lowest point that was seen is the result; f need not have been called last there.
template <class Function>
line_search_result line_search(Function&& f, const line_point& start, double first,
                               const line_search_options& options = {}) {
  return detail::wolfe_search<std::remove_reference_t<Function>>(f, start, options).run(first);
}

}  // namespace tapeless
