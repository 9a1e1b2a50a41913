// SPDX-License-Identifier: BSL-1.0
// The curves of one measurement in a panel of a plot.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <tapeless/error.hpp>
#include <tapeless/graph/core/cmath.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/train/loop/measurement.hpp>
#include <tapeless/train/loop/measurement_names.hpp>
#include <tapeless/train/loop/observers/curve.hpp>
#include <tapeless/train/loop/observers/plot_axis.hpp>
#include <tapeless/train/loop/observers/svg_text.hpp>

namespace tapeless {

namespace detail {

/// One measurement over the epochs.
template <class Epoch>
class curve_panel {
 public:
  curve_panel(const std::vector<Epoch>& history, std::string_view name, plot_scale scale)
      : name_(name), train_(history, &Epoch::train, name), validation_(history, &Epoch::validation, name) {
    is_single_ = history.size() < 2;
    const std::size_t last = history.empty() ? 0 : history.size() - 1;
    const double half = is_single_ ? 0.5 : 0;
    x_.low = static_cast<double>(history.empty() ? 1 : history[0].number_at(0)) - half;
    x_.high = static_cast<double>(history.empty() ? 1 : history[last].number_at(last)) + half;
    std::vector<double> means, ends;
    for (const curve<Epoch>* c : {&train_, &validation_}) c->add_numbers(means, ends);
    y_ = axis_of(means, ends, scale);
  }

  bool has_train() const { return !train_.empty(); }
  bool has_validation() const { return !validation_.empty(); }
  bool has_bands() const { return train_.has_band() || validation_.has_band(); }

  /// In a rectangle with that corner and size; `number` tells panels of a picture apart.
  TAPELESS_COLD std::string svg(double x, double y, double width, double height, int number) const {
    const double top = y + 30, bottom = y + height - 38;
    const std::vector<plot_tick> ticks = y_.ticks(std::min(static_cast<int>((bottom - top) / 34), 7));
    double left = x + 50, right = x + width - 48;
    for (const plot_tick& t : ticks) left = std::max(left, x + 16 + text_width(t.label, 11));
    for (const curve<Epoch>* c : {&train_, &validation_})
      if (!c->empty()) right = std::min(right, x + width - 12 - text_width(three_digits(c->last()), 11));
    const plot_area area{left, top, right, bottom, x_, y_};
    std::string text;
    append(text, {label_at(x + 8, y + 16, "start", "tl-title", plot_colors::title, 13, readable(name_), true,
                           y_.is_logarithmic ? "log scale" : "")});
    append(text, {"<clipPath id='tl-", number, "'><rect x='", coordinate(left - 4), "' y='",
                  coordinate(top - 3), "' width='", coordinate(right - left + 8), "' height='",
                  coordinate(bottom - top + 6), "'/></clipPath>\n"});
    for (const plot_tick& t : ticks) {
      const double at = area.vertical(t.value);
      append(text, {line_at(left, at, right, at, "tl-grid", plot_colors::grid),
                    label_at(left - 8, at + 3.5, "end", "tl-text", plot_colors::text, 11, t.label)});
    }
    for (const plot_tick& t : x_.whole_ticks(static_cast<int>((right - left) / 48))) {
      const double at = area.horizontal(t.value);
      append(text, {line_at(at, bottom, at, bottom + 4, "tl-axis", plot_colors::axis),
                    label_at(at, bottom + 17, "middle", "tl-text", plot_colors::text, 11, t.label)});
    }
    append(text,
           {line_at(left, bottom, right, bottom, "tl-axis", plot_colors::axis),
            label_at((left + right) / 2, bottom + 32, "middle", "tl-text", plot_colors::text, 11, "epoch")});
    // side by side, where they would stand one over the other
    const double shift = has_train() && has_validation() && is_single_ ? 5 : 0;
    append(
        text,
        {"<g clip-path='url(#tl-", number, ")'>\n", train_.svg(area, "train", plot_colors::train, -shift),
         validation_.svg(area, "validation", plot_colors::validation, shift), "</g>\n", last_values(area)});
    return text;
  }

 private:
  std::string_view name_;
  curve<Epoch> train_, validation_;
  plot_axis x_, y_;
  bool is_single_ = false;

  static std::string readable(std::string_view name) {
    std::string text(name);
    std::replace(text.begin(), text.end(), '_', ' ');
    return text;
  }

  // Beside the ends of the curves, not one over the other.
  TAPELESS_COLD std::string last_values(const plot_area& area) const {
    constexpr double least = 13;
    double at[2] = {area.clamped(train_.last()), area.clamped(validation_.last())};
    if (has_train() && has_validation() && std::abs(at[0] - at[1]) < least) {
      const double middle = (at[0] + at[1]) / 2, sign = at[0] < at[1] ? -0.5 : 0.5;
      at[0] = middle + sign * least;
      at[1] = middle - sign * least;
    }
    std::string text;
    if (has_train())
      append(text, {label_at(area.right + 6, at[0] + 3.5, "start", "tl-train-fill", plot_colors::train, 11,
                             three_digits(train_.last()))});
    if (has_validation())
      append(text, {label_at(area.right + 6, at[1] + 3.5, "start", "tl-validation-fill",
                             plot_colors::validation, 11, three_digits(validation_.last()))});
    return text;
  }
};

}  // namespace detail

}  // namespace tapeless
