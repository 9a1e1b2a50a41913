// SPDX-License-Identifier: BSL-1.0
// Plots as SVG: panels side by side, each with axes, lines, points, coloured cells, and frames that move. The
// background is transparent and all colours are of middle brightness, so that a plot can be read on white and
// on black.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

namespace svg {

inline constexpr const char *blue = "#3b82f6", *orange = "#ea7f1e", *green = "#2a9d6e", *red = "#e5484d",
                            *purple = "#9b6ef3", *grey = "#808893";

struct style {
  const char* color = blue;
  double width = 1.8;  ///< of a line; the radius of a point
  double opacity = 1;
  bool dashed = false;
  const char* label = nullptr;  ///< what the legend says
};

struct range {
  double from = 0, to = 1;
};

struct axes_options {
  std::string title = {}, x_label = {}, y_label = {};
  range x = {}, y = {};
  bool log_y = false;
  bool ticks = true;
  double legend = 12;                ///< its first line, in pixels from above
  double width = 300, height = 210;  ///< of the inner part, in pixels
};

namespace detail {

inline std::string number(double v, const char* format = "%.1f") {
  char digits[32];
  std::snprintf(digits, sizeof digits, format, v);
  return digits;
}

/// The distance of ticks that makes about five of them: 1, 2 or 5 times a power of ten.
inline double tick_distance(double length) {
  const double rough = length / 4.5, power = std::pow(10, std::floor(std::log10(rough)));
  const double part = rough / power;
  return power * (part < 1.5 ? 1 : part < 3.5 ? 2 : part < 7.5 ? 5 : 10);
}

}  // namespace detail

/// One panel. Whatever is drawn later lies above what came before.
class axes {
 public:
  explicit axes(axes_options o) : o_(std::move(o)) { ink_ = "<g clip-path='url(#inner)'>"; }

  /// A line through the points (xs[i], ys[i]).
  axes& line(const auto& xs, const auto& ys, style s = {}) {
    std::string path;
    for (std::size_t i = 0; i < std::size(xs) && i < std::size(ys); ++i)
      path += (i == 0 ? "M" : "L") + place(static_cast<double>(xs[i]), static_cast<double>(ys[i]));
    ink_ += "<path fill='none' stroke-linejoin='round' stroke='" + std::string(s.color) + "' stroke-width='" +
            detail::number(s.width) + "' stroke-opacity='" + detail::number(s.opacity, "%.2g") + "'" +
            (s.dashed ? " stroke-dasharray='5 4'" : "") + " d='" + path + "'/>\n";
    note(s, "stroke");
    return *this;
  }

  /// A dot at each point (xs[i], ys[i]), of radius s.width.
  axes& points(const auto& xs, const auto& ys, style s = {}) {
    std::string path;  // a line of no length with round ends is a dot
    for (std::size_t i = 0; i < std::size(xs) && i < std::size(ys); ++i)
      path += "M" + place(static_cast<double>(xs[i]), static_cast<double>(ys[i])) + "h0";
    ink_ += "<path fill='none' stroke-linecap='round' stroke='" + std::string(s.color) + "' stroke-width='" +
            detail::number(2 * s.width) + "' stroke-opacity='" + detail::number(s.opacity, "%.2g") + "' d='" +
            path + "'/>\n";
    note(s, "dot");
    return *this;
  }

  /// A table of numbers from -1 (blue) over 0 (nothing) to 1 (orange) over the whole panel, row by row from
  /// below. Cells of one colour are one path.
  axes& cells(const auto& values, int columns, int rows, const char* below = blue, const char* above = orange,
              double strongest = 0.85) {
    constexpr int levels = 10;
    const double width = o_.width / columns, height = o_.height / rows;
    const auto level = [&](int row, int column) {
      const double v = static_cast<double>(values[static_cast<std::size_t>(row * columns + column)]);
      return static_cast<int>(std::lround(levels * std::clamp(v, -1.0, 1.0)));
    };
    std::string paths[2 * levels + 1];
    for (int row = 0; row < rows; ++row)
      for (int begin = 0, end = 0; begin < columns; begin = end) {
        while (end < columns && level(row, end) == level(row, begin)) ++end;
        const double length = (end - begin) * width;
        paths[level(row, begin) + levels] +=
            "M" + detail::number(begin * width) + " " + detail::number(o_.height - (row + 1) * height) + "h" +
            detail::number(length) + "v" + detail::number(height) + "h" + detail::number(-length) + "z";
      }
    for (int l = -levels; l <= levels; ++l)
      if (l != 0 && !paths[l + levels].empty())
        ink_ += "<path shape-rendering='crispEdges' fill='" + std::string(l < 0 ? below : above) +
                "' fill-opacity='" + detail::number(strongest * std::abs(l) / levels, "%.2f") + "' d='" +
                paths[l + levels] + "'/>\n";
    return *this;
  }

  /// A box from (x.from, y.from) to (x.to, y.to).
  axes& box(range x, range y, style s = {}) {
    ink_ += "<path fill='" + std::string(s.color) + "' fill-opacity='" + detail::number(s.opacity, "%.2f") +
            "' d='M" + place(x.from, y.from) + "L" + place(x.to, y.from) + "L" + place(x.to, y.to) + "L" +
            place(x.from, y.to) + "z'/>\n";
    note(s, "dot");
    return *this;
  }

  /// Words whose middle is at (x, y).
  axes& text(double x, double y, const std::string& words, const char* color = grey) {
    ink_ += "<text text-anchor='middle' dominant-baseline='central' fill='" + std::string(color) +
            "' transform='translate(" + place(x, y) + ")'>" + words + "</text>\n";
    return *this;
  }

  /// What is drawn until end_frame() is shown as number `i` of `count`, `seconds` each, in turn. Where
  /// nothing moves, the last one is seen.
  axes& begin_frame(int i, int count, double seconds) {
    if (i == 0)
      ink_ += "<style>@keyframes turn{0%{visibility:visible}" + detail::number(100.0 / count, "%.4g") +
              "%{visibility:hidden}100%{visibility:hidden}}.frame{visibility:hidden;animation:turn " +
              detail::number(seconds * count, "%.4g") +
              "s step-end infinite}@media(prefers-reduced-motion){.frame{animation:none}}</style>\n";
    ink_ += "<g class='frame' style='animation-delay:" + detail::number(seconds * (i - count), "%.4g") + "s" +
            (i + 1 == count ? ";visibility:visible" : "") + "'>\n";
    return *this;
  }
  axes& end_frame() {
    ink_ += "</g>\n";
    return *this;
  }

  double left() const { return o_.ticks || !o_.y_label.empty() ? 56 : 12; }
  double outer_width() const { return left() + o_.width + 16; }
  double outer_height() const { return top + o_.height + (o_.ticks || !o_.x_label.empty() ? 44 : 14); }
  static constexpr double top = 30;

  std::string drawn(int number) const {
    const std::string w = detail::number(o_.width), h = detail::number(o_.height);
    const std::string inner = "inner" + std::to_string(number);
    std::string ink = ink_;
    ink.replace(ink.find("#inner"), 6, "#" + inner);
    std::string all = "<clipPath id='" + inner + "'><path d='M0 0h" + w + "v" + h + "h-" + w +
                      "z'/></clipPath>\n" + ink + "</g>\n";
    if (o_.ticks)
      all += "<path fill='none' stroke='" + std::string(grey) + "' stroke-opacity='.6' d='M0 0v" + h + "h" +
             w + "'/>\n" + x_ticks() + y_ticks();
    all += label(o_.width / 2, -12, o_.title, "middle' font-weight='bold");
    all += label(o_.width / 2, o_.height + (o_.ticks ? 34 : 22), o_.x_label, "middle");
    if (!o_.y_label.empty())
      all += "<text text-anchor='middle' transform='translate(" + std::string(o_.ticks ? "-38 " : "-22 ") +
             detail::number(o_.height / 2) + ")rotate(-90)'>" + o_.y_label + "</text>\n";
    double row = o_.legend;
    for (const auto& [s, kind] : legend_) {
      all += label(o_.width - 24, row, s.label, "end");
      all += "<path stroke='" + std::string(s.color) + "' stroke-width='" + (kind == 's' ? "2.5" : "7") +
             "'" + (s.dashed ? " stroke-dasharray='5 3'" : "") +
             (kind == 's' ? "" : " stroke-linecap='round'") + " d='M" +
             detail::number(o_.width - (kind == 's' ? 20 : 12)) + " " + detail::number(row - 4) +
             (kind == 's' ? "h18" : "h0") + "'/>\n";
      row += 15;
    }
    return all;
  }

 private:
  axes_options o_;
  std::string ink_;
  std::vector<std::pair<style, char>> legend_;

  double along_y(double y) const {
    const auto scale = [&](double v) { return o_.log_y ? std::log10(std::max(v, 1e-300)) : v; };
    return o_.height * (1 - (scale(y) - scale(o_.y.from)) / (scale(o_.y.to) - scale(o_.y.from)));
  }
  double along_x(double x) const { return o_.width * (x - o_.x.from) / (o_.x.to - o_.x.from); }
  std::string place(double x, double y) const {
    return detail::number(along_x(x)) + " " + detail::number(along_y(y));
  }

  void note(const style& s, const std::string& kind) {
    if (s.label != nullptr) legend_.emplace_back(s, kind[0]);
  }
  static std::string label(double x, double y, const std::string& words, const char* anchor) {
    if (words.empty()) return {};
    return "<text x='" + detail::number(x) + "' y='" + detail::number(y) + "' text-anchor='" + anchor + "'>" +
           words + "</text>\n";
  }

  std::string x_ticks() const {
    std::string all;
    const double distance = detail::tick_distance(o_.x.to - o_.x.from);
    for (double k = std::ceil(o_.x.from / distance - 1e-9) + 0.0; k * distance <= o_.x.to + 1e-9 * distance;
         ++k)
      all += "<path stroke='" + std::string(grey) + "' d='M" + detail::number(along_x(k * distance)) + " " +
             detail::number(o_.height) + "v4'/>" +
             label(along_x(k * distance), o_.height + 17, detail::number(k * distance, "%g"), "middle");
    return all;
  }
  std::string y_ticks() const {
    std::string all;
    const auto tick = [&](double v) {
      all += "<path stroke='" + std::string(grey) + "' d='M0 " + detail::number(along_y(v)) + "h-4'/>" +
             label(-8, along_y(v) + 4, detail::number(v, "%g"), "end");
    };
    if (o_.log_y) {
      for (double k = std::ceil(std::log10(o_.y.from) - 1e-9); k <= std::log10(o_.y.to) + 1e-9; ++k)
        tick(std::pow(10, k));
    } else {
      const double distance = detail::tick_distance(o_.y.to - o_.y.from);
      for (double k = std::ceil(o_.y.from / distance - 1e-9) + 0.0; k * distance <= o_.y.to + 1e-9 * distance;
           ++k)
        tick(k * distance);
    }
    return all;
  }
};

/// Writes the panels into a file, side by side.
inline bool write(const std::string& path, const std::vector<axes>& panels) {
  double width = 0, height = 0;
  for (const axes& a : panels) {
    width += a.outer_width();
    height = std::max(height, a.outer_height());
  }
  std::string all = "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 " + detail::number(width, "%.0f") +
                    " " + detail::number(height, "%.0f") + "' width='" + detail::number(width, "%.0f") +
                    "' font-family='system-ui,sans-serif' font-size='12' fill='" + grey + "'>\n";
  double x = 0;
  for (std::size_t i = 0; i < panels.size(); x += panels[i++].outer_width())
    all += "<g transform='translate(" + detail::number(x + panels[i].left()) + " " +
           detail::number(axes::top) + ")'>\n" + panels[i].drawn(static_cast<int>(i)) + "</g>\n";
  all += "</svg>\n";
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) return false;
  const bool whole = std::fwrite(all.data(), 1, all.size(), file) == all.size();
  return std::fclose(file) == 0 && whole;
}

}  // namespace svg
