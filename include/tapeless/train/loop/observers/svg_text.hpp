// SPDX-License-Identifier: BSL-1.0
// Elements of an SVG file as text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <tapeless/error.hpp>
#include <tapeless/graph/core/cmath.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/io/utf8.hpp>
#include <tapeless/train/loop/measurement_text.hpp>

namespace tapeless::detail {

/// The colours of a plot on a light page.
struct plot_colors {
  static constexpr std::string_view page = "#ffffff", title = "#1f2328", text = "#59636e", grid = "#e7eaee",
                                    axis = "#9aa5b1", train = "#1f6fc4", validation = "#d9650a";
};

inline constexpr std::string_view plot_font = "system-ui,-apple-system,Segoe UI,Helvetica,Arial,sans-serif";

/// A length in pixels, with one digit behind the point, whatever the locale.
TAPELESS_COLD inline std::string coordinate(double x) {
  const std::int64_t tenths = std::llround(10 * x), size = tenths < 0 ? -tenths : tenths;
  const std::string whole = join({tenths < 0 ? "-" : "", size / 10});
  return size % 10 == 0 ? whole : join({whole, ".", size % 10});
}

/// About how wide a text is, in letters of that height.
inline double text_width(std::string_view text, double size) { return 0.53 * size * columns_of(text); }

/// A text as it may stand in XML.
TAPELESS_COLD inline std::string xml_text(std::string_view text) {
  if (!io::is_utf8(text)) return io::shown(text);
  std::string all;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const auto code = static_cast<unsigned char>(c);
    append(all, {c == '&'      ? "&amp;"
                 : c == '<'    ? "&lt;"
                 : c == '>'    ? "&gt;"
                 : c == '\''   ? "&#39;"
                 : code < 0x20 ? "?"
                               : text.substr(i, 1)});
  }
  return all;
}

/// A text with its foot at that place; `anchor` is what lies there: start, middle or end. A note may follow.
TAPELESS_COLD inline std::string label_at(double x, double y, std::string_view anchor, std::string_view style,
                                          std::string_view color, int size, std::string_view text,
                                          bool is_bold = false, std::string_view note = "") {
  std::string more;
  if (!note.empty())
    more = join({"<tspan dx='9' font-size='11' font-weight='400' fill='", plot_colors::text,
                 "' class='tl-text'>", xml_text(note), "</tspan>"});
  return join({"<text x='", coordinate(x), "' y='", coordinate(y), "' text-anchor='", anchor, "' font-size='",
               size, is_bold ? "' font-weight='600" : "", "' fill='", color, "' class='", style, "'>",
               xml_text(text), more, "</text>\n"});
}

TAPELESS_COLD inline std::string line_at(double x, double y, double to_x, double to_y, std::string_view style,
                                         std::string_view color) {
  return join({"<path d='M", coordinate(x), " ", coordinate(y), "L", coordinate(to_x), " ", coordinate(to_y),
               "' stroke='", color, "' class='", style, "'/>\n"});
}

}  // namespace tapeless::detail
