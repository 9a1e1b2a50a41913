// SPDX-License-Identifier: BSL-1.0
// to_mermaid(net): a model's graph as a drawing in Mermaid's language, which Markdown pages can hold.
#pragma once

#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/train/inspect/drawing.hpp>

namespace tapeless {

namespace detail {

/// A string of Mermaid's, in which lines end in <br/>, and signs that mean something are spelled out.
TAPELESS_COLD inline std::string mermaid_string(std::string_view text) {
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

struct mermaid_shape {
  std::string_view begin, end, of_class;
};
constexpr mermaid_shape mermaid_shape_of(box_kind kind) {
  switch (kind) {
    case box_kind::input:
      return {"([", "])", "input"};
    case box_kind::parameter:
      return {"[", "]", "parameter"};
    case box_kind::output:
      return {"([", "])", "output"};
    case box_kind::operation:
    case box_kind::kernel:
      break;
  }
  return {"(", ")", "operation"};
}

// Boxes have the colour of their text, too: pages with a dark theme have a light one. Frames have no colour,
// so that arrows in them are seen on any page.
TAPELESS_COLD inline std::string mermaid_text(const drawing& d) {
  std::string text = "flowchart TD\n";
  const auto boxes_of = [&](int group, std::string_view indent) {
    for (std::size_t i = 0; i < d.boxes.size(); ++i) {
      if (d.boxes[i].group != group) continue;
      const mermaid_shape shape = mermaid_shape_of(d.boxes[i].kind);
      append(text, {indent, "n", i, shape.begin, mermaid_string(d.boxes[i].label), shape.end,
                    ":::", shape.of_class, "\n"});
    }
  };
  boxes_of(-1, "  ");
  for (std::size_t g = 0; g < d.groups.size(); ++g) {
    append(text, {"  subgraph g", g, "[", mermaid_string(d.groups[g]), "]\n"});
    boxes_of(static_cast<int>(g), "    ");
    append(text, {"  end\n  class g", g, " frame\n"});
  }
  for (const drawn_arrow& a : d.arrows) {
    append(text, {"  n", a.from, " -->"});
    if (!a.label.empty()) append(text, {"|", mermaid_string(a.label), "|"});
    append(text, {" n", a.to, "\n"});
  }
  return text +
         "  classDef input fill:#dbe9f6,stroke:#555,color:#222\n"
         "  classDef parameter fill:#f2e3c6,stroke:#555,color:#222\n"
         "  classDef operation fill:#fff,stroke:#555,color:#222\n"
         "  classDef output fill:#d9ead3,stroke:#555,color:#222\n"
         "  classDef frame fill:none,stroke:#888\n";
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
