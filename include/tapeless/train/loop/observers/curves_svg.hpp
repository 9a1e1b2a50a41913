// SPDX-License-Identifier: BSL-1.0
// curves_svg(history): the curves of a fit as a picture.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <tapeless/error.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/train/loop/measurement_names.hpp>
#include <tapeless/train/loop/observers/curve_panel.hpp>

namespace tapeless {

/// Options of plot and curves_svg. A picture is at least so large that its curves can be seen.
struct plot_options {
  std::string title{};  ///< stands above; nothing where it is empty
  int width = 0;        ///< in pixels (0: 560 for one measurement, 400 for each beside another)
  int height = 0;       ///< in pixels (0: 332 for one measurement, about 250 for each row)
  plot_scale scale = plot_scale::fitting;  ///< of the measurements
};

namespace detail {

/// Colours are attributes, for programs that know no style sheets; where a browser's page is dark, the style
/// sheet has others.
inline constexpr std::string_view plot_style =
    "<style>@media (prefers-color-scheme:dark){"
    ".tl-page{fill:#0d1117}.tl-text{fill:#9aa5b1}.tl-title{fill:#e6edf3}"
    ".tl-grid{stroke:#262c34}.tl-axis{stroke:#57606a}"
    ".tl-train{stroke:#69aef0}.tl-train-fill{fill:#69aef0}"
    ".tl-validation{stroke:#f2a65a}.tl-validation-fill{fill:#f2a65a}"
    "}</style>\n";

/// A sample of each kind of curve that a picture has, with its name.
template <class Panel>
class plot_legend {
 public:
  explicit plot_legend(const std::vector<Panel>& panels) {
    for (const Panel& p : panels) {
      has_train_ = has_train_ || p.has_train();
      has_validation_ = has_validation_ || p.has_validation();
      has_bands_ = has_bands_ || p.has_bands();
    }
  }

  double width() const {
    double all = 0;
    for (const entry& e : entries()) all += e.is_there ? e.width() + gap : 0;
    return all;
  }

  /// With its right end and the foot of its texts there.
  TAPELESS_COLD std::string svg(double right, double y) const {
    std::string text;
    double x = right - width() + gap;
    for (const entry& e : entries()) {
      if (!e.is_there) continue;
      if (e.name.empty()) {
        append(text,
               {"<rect x='", coordinate(x), "' y='", coordinate(y - 8), "' width='18' height='9' fill='",
                plot_colors::text, "' fill-opacity='0.2' class='tl-text'/>\n"});
      } else {
        append(text, {"<path d='M", coordinate(x), " ", coordinate(y - 3.5), "h18' stroke='", e.color,
                      "' stroke-width='2' stroke-linecap='round' class='tl-", e.name, "'/>\n"});
      }
      append(text, {label_at(x + 24, y, "start", "tl-text", plot_colors::text, 11, e.label)});
      x += e.width() + gap;
    }
    return text;
  }

 private:
  static constexpr double gap = 18;
  struct entry {
    bool is_there;
    std::string_view name, color, label;
    double width() const { return 24 + text_width(label, 11); }
  };
  bool has_train_ = false, has_validation_ = false, has_bands_ = false;

  std::array<entry, 3> entries() const {
    return {entry{has_train_, "train", plot_colors::train, "training"},
            entry{has_validation_, "validation", plot_colors::validation, "validation"},
            entry{has_bands_, "", "", "\u00b1 standard error"}};
  }
};

}  // namespace detail

/// The curves of a fit as a picture in SVG: a panel for each measurement, over the epochs. It has the curve
/// of the training samples and that of the validation, their last values, and their standard errors as bands
/// where they are known. It can be read on light and on dark pages. A measurement above 0 that falls so fast
/// that half of its curve would lie on the ground has a logarithmic scale, if none is asked for. Numbers that
/// are NaN or infinite are gaps.
template <class History = std::vector<epoch_report>>
TAPELESS_COLD std::string curves_svg(const History& given, const plot_options& o = {}) {
  using namespace detail;
  const std::vector<epoch_report>& history = given;
  using panel = curve_panel<std::remove_cvref_t<decltype(*given.begin())>>;  // known where this is called
  std::vector<std::string> names = measurement_names(history, &epoch_report::train);
  for (const epoch_report& epoch : history) add_names(names, epoch.validation);
  if (names.empty()) names.push_back("");
  std::vector<panel> panels;
  for (const std::string& name : names) panels.emplace_back(history, name, o.scale);
  const plot_legend<panel> legend(panels);

  constexpr int margin = 8, least_width = 160, least_height = 120;
  const int count = static_cast<int>(panels.size()), columns = count == 1 ? 1 : count <= 4 ? 2 : 3;
  const int rows = (count + columns - 1) / columns;
  const int wished_width = o.width != 0 ? o.width : count == 1 ? 560 : 400 * columns;
  const int width = std::max(wished_width, least_width * columns + 2 * margin);
  const bool is_one_line = text_width(o.title, 17) + legend.width() + 4 * margin < width;
  const int head = o.title.empty() || is_one_line ? 34 : 56;
  const int wished_height = o.height != 0 ? o.height : head + margin + (count == 1 ? 290 : 245 * rows);
  const int height = std::max(wished_height, head + least_height * rows + margin);
  const double panel_width = static_cast<double>(width - 2 * margin) / columns;
  const double panel_height = static_cast<double>(height - head - margin) / rows;

  std::string text =
      join({"<svg xmlns='http://www.w3.org/2000/svg' width='", width, "' height='", height, "' viewBox='0 0 ",
            width, " ", height, "' font-family='", plot_font, "'>\n", plot_style, "<rect width='", width,
            "' height='", height, "' fill='", plot_colors::page, "' class='tl-page'/>\n"});
  if (!o.title.empty())
    append(text, {label_at(2 * margin, 24, "start", "tl-title", plot_colors::title, 15, o.title, true)});
  append(text, {legend.svg(width - 2.0 * margin, head - 12.0)});
  for (int i = 0; i < count; ++i)
    text += panels[static_cast<std::size_t>(i)].svg(margin + panel_width * (i % columns),
                                                    head + panel_height * (i / columns), panel_width,
                                                    panel_height, i);
  return text + "</svg>\n";
}

}  // namespace tapeless
