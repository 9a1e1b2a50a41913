// SPDX-License-Identifier: BSL-1.0
// to_dot(net): a model's graph as a drawing in the DOT language of Graphviz.
#pragma once

#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/train/inspect/drawing.hpp>

namespace tapeless {

namespace detail {

/// A string of DOT's: lines end in \n.
TAPELESS_COLD inline std::string dot_string(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '\n') {
      quoted += "\\n";
      continue;
    }
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "\"";
}

constexpr std::string_view dot_style(box_kind kind) {
  switch (kind) {
    case box_kind::input:
      return "shape=ellipse, style=filled, fillcolor=\"#dbe9f6\"";
    case box_kind::parameter:
      return "shape=box, style=filled, fillcolor=\"#f2e3c6\"";
    case box_kind::operation:
      return "shape=box, style=\"rounded,filled\", fillcolor=white";
    case box_kind::output:
      return "shape=ellipse, style=filled, fillcolor=\"#d9ead3\"";
    case box_kind::kernel:
      return "shape=box, style=\"rounded,filled\", fillcolor=white";
  }
  return {};
}

TAPELESS_COLD inline std::string dot_text(const drawing& d) {
  std::string text =
      "digraph model {\n"
      "  node [fontname=\"Helvetica\", fontsize=11, margin=\"0.12,0.06\"];\n"
      "  edge [fontname=\"Helvetica\", fontsize=9, color=\"#555555\"];\n";
  const auto boxes_of = [&](int group, std::string_view indent) {
    for (std::size_t i = 0; i < d.boxes.size(); ++i)
      if (d.boxes[i].group == group)
        append(text, {indent, "n", i, " [label=", dot_string(d.boxes[i].label), ", ",
                      dot_style(d.boxes[i].kind), "];\n"});
  };
  boxes_of(-1, "  ");
  for (std::size_t g = 0; g < d.groups.size(); ++g) {
    append(text, {"  subgraph cluster_", g, " {\n    label=", dot_string(d.groups[g]),
                  "; fontname=\"Helvetica\"; fontsize=11; style=\"rounded,filled\"; color=\"#bbbbbb\"; "
                  "fillcolor=\"#f7f7f7\";\n"});
    boxes_of(static_cast<int>(g), "    ");
    text += "  }\n";
  }
  for (const drawn_arrow& a : d.arrows) {
    append(text, {"  n", a.from, " -> n", a.to});
    if (!a.label.empty()) append(text, {" [label=", dot_string(a.label), "]"});
    text += ";\n";
  }
  return text + "}\n";
}

}  // namespace detail

/// The model's forward graph in the DOT language: dot -Tsvg draws it. Layers are frames; each box has the
/// shape of its result. With whole_plan it is the kernels of a step, and what they hand to one another.
template <class Net>
TAPELESS_WARM std::string to_dot(const Net&, const drawing_options& options = {}) {
  constexpr described_net net = detail::describe_net<Net>();
  return detail::dot_text(detail::draw(net, options));
}

}  // namespace tapeless
