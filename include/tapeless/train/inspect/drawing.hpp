// SPDX-License-Identifier: BSL-1.0
// A program as boxes and arrows, before it is written in a language for drawings.
#pragma once

#include <string>
#include <vector>

#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/train/inspect/kernel_text.hpp>
#include <tapeless/train/loop/measurement_text.hpp>
#include <tapeless/train/loop/observers/progress_bar.hpp>

namespace tapeless {

struct drawing_options {
  bool whole_plan = false;  ///< the kernels of a whole step, in place of the model's forward graph
};

namespace detail {

enum class box_kind : std::uint8_t { input, parameter, operation, output, kernel };

struct drawn_box {
  box_kind kind = box_kind::operation;
  std::string label;  // lines
  int group = -1;
};
struct drawn_arrow {
  int from = -1, to = -1;
  std::string label;
};
struct drawing {
  std::vector<drawn_box> boxes;
  std::vector<drawn_arrow> arrows;
  std::vector<std::string> groups;

  TAPELESS_COLD int add(drawn_box box) {
    boxes.push_back(std::move(box));
    return static_cast<int>(boxes.size()) - 1;
  }
  TAPELESS_COLD void connect(int from, int to, std::string label = {}) {
    for (const drawn_arrow& a : arrows)
      if (a.from == from && a.to == to && a.label == label) return;
    arrows.push_back({from, to, std::move(label)});
  }
};

/// The nodes that outputs are computed from. Numbers stand in the boxes that read them; an output
/// that is a number has it in its own box. What is only another view of a parameter, or a broadcast, is left
/// out.
class forward_drawing {
 public:
  TAPELESS_COLD forward_drawing(const described_program& program, const known_extents& known)
      : program_(program), known_(known), layers_(program), boxes_(program.nodes.size(), -1) {
    for (const std::string_view name : layers_.names()) drawing_.groups.emplace_back(name);
    for (std::size_t i = 0; i < program.nodes.size(); ++i) add_node(static_cast<int>(i));
    for (std::size_t i = 0; i < program.nodes.size(); ++i) {  // behind nodes that may come later
      const described_node& n = program.nodes[i];
      if (n.next >= 0 && boxes_[i] >= 0 && box_of(n.next) >= 0)
        drawing_.connect(box_of(n.next), boxes_[i], "next iteration");
    }
    for (const graph_output& o : program.outputs()) {
      std::string label(o.label == nullptr ? "loss" : o.label->view());
      if (const described_node& n = seen_through(o.node); n.kind == family::constant)
        append(label, {"\n", printed("%g", n.number)});
      const int out = drawing_.add({box_kind::output, std::move(label), -1});
      if (const int from = box_of(o.node); from >= 0) drawing_.connect(from, out);
    }
  }

  const drawing& result() const { return drawing_; }

 private:
  const described_program& program_;
  const known_extents& known_;
  program_layers layers_;
  std::vector<int> boxes_;  // by node
  drawing drawing_;

  const described_node& node_of(int id) const { return program_.nodes[static_cast<std::size_t>(id)]; }
  bool is_number(int id) const { return source_of(node_of(id).kind) == element_source::number; }
  // What a node is a view or copy of.
  const described_node& seen_through(int id) const {
    const auto is_copy = [](const described_node& n) {
      return n.operand_count == 1 &&
             (n.kind == family::view || (n.kind == family::pointwise && !n.is_arithmetic));
    };
    while (is_copy(node_of(id))) id = node_of(id).operands[0];
    return node_of(id);
  }
  // What is not drawn is seen through.
  bool is_drawn(int id) const {
    const described_node& n = node_of(id);
    if (n.kind == family::input || n.kind == family::parameter) return true;
    if (n.kind == family::view && (layers_.is_weight(id) || n.operation == "expand")) return false;
    return n.operand_count > 0 && !reads_numbers_alone(id) && !is_index(id) &&
           (n.kind != family::pointwise || n.is_arithmetic || n.operand_count > 1);
  }
  bool is_index(int id) const {
    while (node_of(id).kind == family::view) id = node_of(id).operands[0];
    return node_of(id).kind == family::iota;
  }
  bool reads_numbers_alone(int id) const {
    const described_node& n = node_of(id);
    for (int k = 0; k < n.operand_count; ++k)
      if (!is_number(n.operands[k])) return false;
    return n.operand_count > 0;
  }
  int box_of(int id) const {
    while (!is_drawn(id) && node_of(id).operand_count > 0) id = node_of(id).operands[0];
    return boxes_[static_cast<std::size_t>(id)];
  }

  TAPELESS_COLD void add_node(int id) {
    const described_node& n = node_of(id);
    if (layers_.phase_of(id) != phase::forward || !is_drawn(id)) return;
    const std::string shape = shape_text(n.shape, n.rank, known_);
    if (n.kind == family::input || n.kind == family::parameter) {
      const bool is_input = n.kind == family::input;
      boxes_[static_cast<std::size_t>(id)] =
          drawing_.add({is_input ? box_kind::input : box_kind::parameter,
                        join({n.label->view(), "\n", name_of(n.type), " ", shape}), layers_.layer_of(id)});
      return;
    }
    std::string label(n.operation);
    for (int k = 0; k < n.operand_count; ++k) {
      if (const described_node& operand = seen_through(n.operands[k]); operand.kind == family::constant)
        append(label, {" ", printed("%g", operand.number)});
    }
    const int box = drawing_.add({box_kind::operation, join({label, "\n", shape}), layers_.layer_of(id)});
    boxes_[static_cast<std::size_t>(id)] = box;
    for (int k = 0; k < n.operand_count; ++k)
      if (const int from = box_of(n.operands[k]); from >= 0) drawing_.connect(from, box);
  }
};

/// The kernels of a plan; an arrow stands for the elements that one hands to another.
TAPELESS_COLD inline drawing draw_plan(const described_program& program, const known_extents& known) {
  const program_layers layers(program);
  drawing d;
  for (const phase p : {phase::forward, phase::backward, phase::update}) d.groups.emplace_back(name_of(p));
  std::vector<int> writer(program.plan->place.size(), -1);
  const std::vector<described_kernel> kernels = describe_kernels(program, layers, known);
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    const described_kernel& kernel = kernels[k];
    if (kernel.kind == "loop" || kernel.kind == "end of loop" || kernel.kind == prologue) continue;
    std::string label = join({k, "  ", kernel.kind, "\n", kernel.operations, "\n", kernel.shape});
    for (const int id : kernel.writes)
      if (program.plan->place[static_cast<std::size_t>(id)].kind == storage::parameter)
        append(label, {"\n", node_name(program, id)});
    const int box = d.add({box_kind::kernel, std::move(label), static_cast<int>(kernel.part)});
    for (const int id : kernel.reads) {
      int& from = writer[static_cast<std::size_t>(id)];
      const bool is_node = static_cast<std::size_t>(id) < program.nodes.size();
      if (from < 0 && is_node) {
        const described_node& n = program.nodes[static_cast<std::size_t>(id)];
        if (n.kind == family::input) from = d.add({box_kind::input, node_name(program, id), -1});
        if (n.kind == family::parameter) from = d.add({box_kind::parameter, node_name(program, id), -1});
      }
      if (from < 0) continue;
      const bool is_handed = d.boxes[static_cast<std::size_t>(from)].kind == box_kind::kernel;
      std::string what;
      if (is_handed && is_node) {
        const described_node& n = program.nodes[static_cast<std::size_t>(id)];
        what = join({node_name(program, id), " ", shape_text(n.shape, n.rank, known)});
      }
      d.connect(from, box, std::move(what));
    }
    for (const int id : kernel.writes) writer[static_cast<std::size_t>(id)] = box;
  }
  for (const graph_output& o : program.outputs()) {
    const int out = d.add({box_kind::output, o.label == nullptr ? "loss" : std::string(o.label->view()), -1});
    if (const int from = writer[static_cast<std::size_t>(o.node)]; from >= 0) d.connect(from, out);
  }
  return d;
}

TAPELESS_COLD inline drawing draw(const described_net& net, const drawing_options& options) {
  if (net.program == nullptr) return {};
  const known_extents known{net.program->plan->extents, {}};
  if (options.whole_plan) return draw_plan(*net.program, known);
  return forward_drawing(*net.program, known).result();
}

}  // namespace detail

}  // namespace tapeless
