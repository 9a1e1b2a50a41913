// SPDX-License-Identifier: BSL-1.0
// A curve of a plot: a measurement over the epochs, with its standard error.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <tapeless/error.hpp>
#include <tapeless/graph/core/cmath.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/train/loop/measurement.hpp>
#include <tapeless/train/loop/measurement_names.hpp>
#include <tapeless/train/loop/observers/plot_axis.hpp>
#include <tapeless/train/loop/observers/svg_text.hpp>

namespace tapeless::detail {

/// Where curves are drawn.
struct plot_area {
  double left, top, right, bottom;
  plot_axis x, y;

  double horizontal(double epoch) const { return left + (right - left) * x.place(epoch); }
  double vertical(double number) const { return bottom - (bottom - top) * y.place(number); }
  /// The same, not farther away than where the reader does not see it: the band of a curve may be endless.
  double clamped(double number) const { return std::clamp(vertical(number), top - 50, bottom + 50); }
};

/// One measurement, of the reports `part` of the epochs.
template <class Epoch>
class curve {
 public:
  curve(const std::vector<Epoch>& history, report Epoch::* part, std::string_view name) {
    for (std::size_t i = 0; i < history.size(); ++i) {
      const measurement* m = find_measurement(history[i].*part, name);
      if (m == nullptr) continue;  // it was not measured: the curve goes on to where it was
      const bool is_number = std::abs(m->mean) < 1e300;
      if (!is_number && (points_.empty() || points_.back().is_gap)) continue;
      const double u = is_number && m->uncertainty < 1e300 ? std::abs(m->uncertainty) : 0;
      points_.push_back(
          {static_cast<double>(history[i].number_at(i)), m->mean, m->mean - u, m->mean + u, !is_number});
    }
    if (!points_.empty() && points_.back().is_gap) points_.pop_back();
  }

  bool empty() const { return points_.empty(); }
  double last() const { return points_.empty() ? 0 : points_.back().mean; }
  bool has_band() const {
    for (const point& p : points_)
      if (p.high > p.low) return true;
    return false;
  }

  /// Adds what the axis must show, and what it should.
  TAPELESS_COLD void add_numbers(std::vector<double>& means, std::vector<double>& ends) const {
    for (const point& p : points_) {
      if (p.is_gap) continue;
      means.push_back(p.mean);
      ends.insert(ends.end(), {p.low, p.high});
    }
  }

  /// Dots are moved to the right by `shift` pixels.
  TAPELESS_COLD std::string svg(const plot_area& area, std::string_view name, std::string_view color,
                                double shift) const {
    const bool has_dots = area.horizontal(2) - area.horizontal(1) >= 9;
    const std::vector<point> points = thinned(static_cast<std::size_t>(area.right - area.left));
    std::string text;
    for (std::size_t begin = 0; begin < points.size();) {
      std::size_t end = begin;
      while (end < points.size() && !points[end].is_gap) ++end;
      if (has_band() && end - begin > 1)
        append(text, {"<path d='", band(points, begin, end, area), "' fill='", color,
                      "' fill-opacity='0.16' class='tl-", name, "-fill'/>\n"});
      if (end - begin > 1) {
        append(text, {"<path d='", line(points, begin, end, area), "' fill='none' stroke='", color,
                      "' stroke-width='1.8' stroke-linejoin='round' stroke-linecap='round' class='tl-", name,
                      "'/>\n"});
      }
      for (std::size_t i = begin; i < end; ++i)
        if (has_dots || end - begin == 1) text += dot(points[i], area, name, color, shift);
      begin = end + 1;
    }
    return text;
  }

 private:
  struct point {
    double epoch, mean, low, high;
    bool is_gap;
  };
  std::vector<point> points_;

  static std::string place(double epoch, double number, const plot_area& area) {
    return join({coordinate(area.horizontal(epoch)), " ", coordinate(area.clamped(number))});
  }

  static std::string line(const std::vector<point>& points, std::size_t begin, std::size_t end,
                          const plot_area& area) {
    std::string text;
    for (std::size_t i = begin; i < end; ++i)
      append(text, {i == begin ? "M" : "L", place(points[i].epoch, points[i].mean, area)});
    return text;
  }

  // There along the upper ends, back along the lower ones.
  static std::string band(const std::vector<point>& points, std::size_t begin, std::size_t end,
                          const plot_area& area) {
    std::string text;
    for (std::size_t i = begin; i < end; ++i)
      append(text, {i == begin ? "M" : "L", place(points[i].epoch, points[i].high, area)});
    for (std::size_t i = end; i > begin; --i)
      append(text, {"L", place(points[i - 1].epoch, points[i - 1].low, area)});
    return text + "Z";
  }

  // A point; its standard error is a bar, since a band would not be seen.
  std::string dot(const point& p, const plot_area& area, std::string_view name, std::string_view color,
                  double shift) const {
    std::string text;
    const double x = area.horizontal(p.epoch) + shift;
    if (points_.size() == 1 && p.high > p.low)
      append(text, {"<path d='M", coordinate(x), " ", coordinate(area.clamped(p.high)), "V",
                    coordinate(area.clamped(p.low)), "' stroke='", color, "' stroke-width='1.8' class='tl-",
                    name, "'/>\n"});
    append(text, {"<circle cx='", coordinate(x), "' cy='", coordinate(area.clamped(p.mean)),
                  "' r='2.6' fill='", color, "' class='tl-", name, "-fill'/>\n"});
    return text;
  }

  // At most two points for each pixel: the least and the largest mean of some epochs, in their order.
  TAPELESS_COLD std::vector<point> thinned(std::size_t pixels) const {
    if (points_.size() <= 2 * pixels) return points_;
    const std::size_t each = (points_.size() + pixels - 1) / pixels;
    std::vector<point> all;
    for (std::size_t begin = 0; begin < points_.size(); begin += each) {
      const std::size_t end = std::min(begin + each, points_.size());
      std::size_t least = end, most = end;
      double low = 0, high = 0;
      bool is_gap = false;
      for (std::size_t i = begin; i < end; ++i) {
        const point& p = points_[i];
        is_gap = is_gap || p.is_gap;
        if (p.is_gap) continue;
        low = least == end ? p.low : std::min(low, p.low);
        high = most == end ? p.high : std::max(high, p.high);
        if (least == end || p.mean < points_[least].mean) least = i;
        if (most == end || p.mean > points_[most].mean) most = i;
      }
      if (least < end) {
        for (const std::size_t i : {std::min(least, most), std::max(least, most)})
          all.push_back({points_[i].epoch, points_[i].mean, low, high, false});
      }
      if (is_gap) all.push_back({0, 0, 0, 0, true});
    }
    return all;
  }
};

}  // namespace tapeless::detail
