// SPDX-License-Identifier: BSL-1.0
// Prefix scans: CumSum, and what ONNX has no operator for as a Scan along the axis.
#pragma once

#include <limits>

#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/structural/axis_attributes.hpp>
#include <tapeless/onnx/places.hpp>
#include <tapeless/onnx/sort_writer.hpp>
#include <tapeless/onnx/value_writer.hpp>

namespace tapeless::onnx {

/// The body of a Scan is written: its carry, one element of each operand, the next carry, a result.
struct prefix_body {
  value_writer& to;
  graph_parts parts;
  graph_parts* around;  // the graph, or the body of a loop
  node element;         // what one iteration sees

  TAPELESS_COLD prefix_body(value_writer& writer, const node& n)
      : to(writer), around(to.write_to(parts)), element(n) {
    const int axis = prefix_scan_of(n).axis;
    for (int i = axis; i + 1 < n.rank; ++i) element.shape[i] = n.shape[i + 1];
    --element.rank;
  }
  std::string input(std::string_view like) {
    std::string name = to.fresh_name(like);
    parts.add_input(value_message(name, to.model(), element));
    return name;
  }
  void output(const std::string& value) {
    const std::string name = to.add("Identity", {value});
    parts.add_output(value_message(name, to.model(), element));
  }
};

/// What stands before the first element.
constexpr double start_of(prefix_scan_kind computes, element type) {
  if (computes == prefix_scan_kind::product) return 1;
  if (computes == prefix_scan_kind::recurrence) return 0;
  if (type == element::i32) return std::numeric_limits<std::int32_t>::lowest();
  return type == element::i64 ? -0x1p63 : -std::numeric_limits<double>::infinity();
}

TAPELESS_COLD inline std::string write_scan_along(value_writer& to, const node& n, const names& x,
                                                  std::string_view result) {
  const auto computes = n.op->as<prefix_scan_kind>();
  const bool is_product = computes == prefix_scan_kind::product;
  const scan_places s = prefix_scan_of(n);
  prefix_body body(to, n);
  const std::string carry = body.input("carry"), here = body.input("element");
  if (computes != prefix_scan_kind::recurrence) {
    const std::string y = to.add(is_product ? "Mul" : "Max", {carry, here});
    body.output(y);
    body.output(y);
  } else {  // forward, the carry is y_(i-1); from the end, it is a_(i+1) y_(i+1)
    const std::string factor = body.input("factor");
    const std::string before = s.from_the_end ? carry : to.add("Mul", {factor, carry});
    const std::string y = to.add("Add", {here, before});
    body.output(s.from_the_end ? to.add("Mul", {factor, y}) : y);
    body.output(y);
  }
  to.write_to(*body.around);
  const std::string start =
      to.add("Expand", {to.number(start_of(computes, n.type), n.type), to.shape(extents_of(body.element))});
  const std::vector<std::int64_t> ways(x.size(), s.from_the_end ? 1 : 0), one_way = {s.from_the_end ? 1 : 0};
  // Along another axis than the first, onnxruntime's Scan divides by 0 where x is empty.
  const bool moves = s.axis != 0;
  names inputs = {start};
  for (const std::string& each : x) inputs.push_back(moves ? move_axis(to, each, n.rank, s.axis, 0) : each);
  const std::string y = moves || result.empty() ? to.fresh_name("scan") : std::string(result);
  to.add_node(node_message("Scan", inputs, name_list{to.fresh_name("last"), y},
                           attributes()
                               .set("num_scan_inputs", static_cast<std::int64_t>(x.size()))
                               .set("scan_input_directions", ways)
                               .set("scan_output_directions", one_way)
                               .set_graph("body", body_message("body", body.parts))
                               .fields()));
  return moves ? move_axis(to, y, n.rank, 0, s.axis, result) : y;
}

TAPELESS_COLD inline std::string write_prefix_scan(value_writer& to, const node& n, const names& x,
                                                   std::string_view result) {
  const scan_places s = prefix_scan_of(n);
  switch (n.op->as<prefix_scan_kind>()) {
    case prefix_scan_kind::sum: {
      const element wide = summed_as(n.type);
      const bool casts = wide != n.type;
      const std::string y =
          to.add("CumSum", {casts ? to.cast(x[0], wide) : x[0], to.number(s.axis, element::i64)},
                 attributes().set("reverse", s.from_the_end ? 1 : 0), casts ? std::string_view() : result);
      return casts ? to.cast(y, n.type, result) : y;
    }
    case prefix_scan_kind::product:
    case prefix_scan_kind::largest:
    case prefix_scan_kind::recurrence:
      return write_scan_along(to, n, x, result);
  }
  return {};
}

}  // namespace tapeless::onnx
