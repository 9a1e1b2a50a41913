// SPDX-License-Identifier: BSL-1.0
// to_mermaid(net): a model's graph as a drawing in Mermaid's language, which Markdown pages can hold.
#pragma once

#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/train/inspect/drawing.hpp>

namespace tapeless {

namespace detail {

/// A string of Mermaid's, in which lines end in <br/>, and signs that mean something are spelled out.
[[gnu::cold]] inline std::string mermaid_string(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '\n') {
      quoted += "<br/>";
    } else if (c == '"' || c == '#' || c == '<' || c == '>' || c == '&' || c == '%') {
      append(quoted, {"#", static_cast<int>(c), ";"});
    } else {
      quoted += c;
    }
  }
  return quoted + "\"";
}

[[gnu::cold]] inline std::string mermaid_text(const drawing& d) {
  std::string text = "flowchart TD\n";
  const auto boxes_of = [&](int group, std::string_view indent) {
    for (std::size_t i = 0; i < d.boxes.size(); ++i) {
      const drawn_box& b = d.boxes[i];
      if (b.group != group) continue;
      const bool round = b.kind == box_kind::input || b.kind == box_kind::output;
      const bool square = b.kind == box_kind::parameter;
      append(text, {indent, "n", i,
                    round    ? "(["
                    : square ? "["
                             : "(",
                    mermaid_string(b.label),
                    round    ? "])"
                    : square ? "]"
                             : ")",
                    b.kind == box_kind::input       ? ":::input"
                    : b.kind == box_kind::parameter ? ":::parameter"
                    : b.kind == box_kind::output    ? ":::output"
                                                    : "",
                    "\n"});
    }
  };
  boxes_of(-1, "  ");
  for (std::size_t g = 0; g < d.groups.size(); ++g) {
    append(text, {"  subgraph g", g, "[", mermaid_string(d.groups[g]), "]\n"});
    boxes_of(static_cast<int>(g), "    ");
    text += "  end\n";
  }
  for (const drawn_arrow& a : d.arrows) {
    append(text, {"  n", a.from, " -->"});
    if (!a.label.empty()) append(text, {"|", mermaid_string(a.label), "|"});
    append(text, {" n", a.to, "\n"});
  }
  return text +
         "  classDef input fill:#dbe9f6,stroke:#555\n"
         "  classDef parameter fill:#f2e3c6,stroke:#555\n"
         "  classDef output fill:#d9ead3,stroke:#555\n";
}

}  // namespace detail

/// The model's forward graph in Mermaid's language, which a ```mermaid block of a Markdown page draws. Layers
/// are frames; each box has the shape of its result. With whole_plan it is the kernels of a step, and what
/// they hand to one another.
template <class Net>
TAPELESS_WARM std::string to_mermaid(const Net&, const drawing_options& options = {}) {
  constexpr described_net net = detail::describe_net<Net>();
  return detail::mermaid_text(detail::draw(net, options));
}

}  // namespace tapeless
