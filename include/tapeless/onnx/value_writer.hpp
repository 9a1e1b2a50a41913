// SPDX-License-Identifier: BSL-1.0
// What is written of a model so far: its nodes, its constants, and by which names its values are known.
#pragma once

#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tapeless/error.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/onnx/format.hpp>
#include <tapeless/ops/base/scalar.hpp>

namespace tapeless::onnx {

/// A number's bytes as an element: what does not fit an integer is the nearest one that does.
TAPELESS_COLD inline std::string bytes_of(double x, element type) {
  const auto bytes = [](auto number) {
    std::string text(sizeof number, '\0');
    std::memcpy(text.data(), &number, sizeof number);
    return text;
  };
  switch (type) {
    case element::f32:
      return bytes(static_cast<float>(x));
    case element::f64:
    case element::number:
      return bytes(x);
    case element::f16:
      return bytes(f16(x));
    case element::bf16:
      return bytes(bf16(x));
    case element::i32:
      return bytes(whole_part<std::int32_t>(x));
    case element::i64:
      return bytes(whole_part<std::int64_t>(x));
    case element::i8:
      return bytes(whole_part<std::int8_t>(x));
    case element::i16:
      return bytes(whole_part<std::int16_t>(x));
    case element::u32:
      return bytes(whole_part<std::uint32_t>(x));
    case element::u8:
      return bytes(whole_part<std::uint8_t>(x));
    case element::boolean:
      return bytes(static_cast<std::uint8_t>(x != 0));
  }
  return {};
}

/// The extents of a node, as the graph's table numbers them.
constexpr array_view<const std::int64_t> extents_of(const node& n) {
  return {n.shape, static_cast<std::size_t>(n.rank)};
}

class value_writer {
 public:
  /// The graph's inputs, parameters and outputs keep their names. `needed` says which nodes are written,
  /// once that is known.
  TAPELESS_COLD value_writer(graph& g, const list<char>& needed) : graph_(g), needed_(needed), here_(&main_) {
    for (const node& n : g.nodes)
      if (n.label != nullptr) reserved_.emplace_back(n.label->view());
    for (const graph_output& o : g.outputs) reserved_.push_back(output_name(o));
  }
  value_writer(const value_writer&) = delete;
  value_writer& operator=(const value_writer&) = delete;

  static std::string output_name(const graph_output& o) {
    return o.label == nullptr ? "output" : std::string(o.label->view());
  }

  graph& model() { return graph_; }
  const node& at(int id) const { return graph_.nodes[id]; }
  graph_parts& main() { return main_; }

  /// The name of a node's value.
  const std::string& name_of(int id) const { return names_[static_cast<std::size_t>(id)]; }
  bool has_name(int id) const { return static_cast<std::size_t>(id) < names_.size() && !name_of(id).empty(); }
  TAPELESS_COLD void set_name(int id, std::string name) {
    if (names_.size() <= static_cast<std::size_t>(id)) names_.resize(static_cast<std::size_t>(id) + 1);
    names_[static_cast<std::size_t>(id)] = std::move(name);
  }

  /// A name that nothing has.
  TAPELESS_COLD std::string fresh_name(std::string_view like) {
    std::string small;
    for (const char c : like) small += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    for (;;) {
      std::string name = join({small, "_", count_++});
      bool taken = false;
      for (const std::string& other : reserved_) taken = taken || other == name;
      if (!taken) return name;
    }
  }

  /// A node with one result. Post-condition: the result's name, the given one if there is one.
  TAPELESS_COLD std::string add(std::string_view op, name_list inputs, std::string_view result = {}) {
    return add_one(op, inputs, message(), result);
  }
  TAPELESS_COLD std::string add(std::string_view op, name_list inputs, const attributes& with,
                                std::string_view result = {}) {
    return add_one(op, inputs, with.fields(), result);
  }
  TAPELESS_COLD std::string add(std::string_view op, const names& inputs, std::string_view result = {}) {
    return add_one(op, inputs, message(), result);
  }
  TAPELESS_COLD std::string add(std::string_view op, const names& inputs, const attributes& with,
                                std::string_view result = {}) {
    return add_one(op, inputs, with.fields(), result);
  }
  /// A value as another type.
  TAPELESS_COLD std::string cast(std::string_view value, element type, std::string_view result = {}) {
    return add("Cast", {value}, attributes().set("to", type_number(type)), result);
  }
  /// A value in a shape, [rank] of int64, in which 0 is an extent like others.
  TAPELESS_COLD std::string reshape(std::string_view value, std::string_view shape,
                                    std::string_view result = {}) {
    return add("Reshape", {value, shape}, attributes().set("allowzero", 1), result);
  }
  void add_node(const message& node) { here_->add_node(node); }

  /// From here on nodes are added to this body of a loop, or to the graph itself. Post-condition: where they
  /// were added before.
  graph_parts* write_to(graph_parts& body) { return std::exchange(here_, &body); }

  /// A constant of the graph: a scalar, or a tensor of whole numbers.
  TAPELESS_COLD std::string number(double x, element type) {
    return constant("number", type, {}, bytes_of(x, type));
  }
  TAPELESS_COLD std::string integers(array_view<const std::int64_t> all) {
    const std::int64_t count[] = {static_cast<std::int64_t>(all.size())};
    return constant("integers", element::i64, count,
                    {reinterpret_cast<const char*>(all.data()), all.size_bytes()});
  }
  std::string integer(std::int64_t x) { return integers({&x, 1}); }
  TAPELESS_COLD std::string constant(std::string_view like, element type,
                                     array_view<const std::int64_t> shape, std::string_view bytes) {
    message tensor = tensor_message("", type, shape);
    tensor.add_text(tensor_data, bytes);
    for (const auto& [known, name] : constants_)
      if (known == tensor.bytes()) return name;
    std::string name = fresh_name(like);
    constants_.emplace_back(tensor.bytes(), name);
    tensor = tensor_message(name, type, shape);
    tensor.add_text(tensor_data, bytes);
    main_.initializers.add_message(5, tensor);
    return name;
  }

  /// An extent as [1] of int64: a constant, or computed from the shapes of the inputs when the model runs.
  TAPELESS_COLD std::string extent(std::int64_t e) {
    if (extent_table::is_literal(e)) return integer(e);
    for (const auto& [known, name] : extents_)
      if (known == e) return name;
    const derived_extent d = graph_.extents[e];
    names inputs;
    attributes with;
    std::string_view op = "Shape";
    if (d.kind == extent_kind::symbol) {
      const auto [input, axis] = input_with(graph_, needed_, e);
      inputs = {name_of(input)};
      measured_.push(input);
      with.set("start", axis).set("end", axis + 1);
    } else {
      inputs = {extent(d.left), extent(d.right)};
      op = operator_of(d.kind);
    }
    graph_parts* const body = write_to(main_);
    std::string name = add(op, inputs, with);
    write_to(*body);
    extents_.emplace_back(e, name);
    return name;
  }

  /// Whether an extent is known from this input.
  TAPELESS_COLD bool is_measured(int input) const {
    for (const int id : measured_)
      if (id == input) return true;
    return false;
  }

  /// Extents as a tensor of int64.
  TAPELESS_COLD std::string shape(array_view<const std::int64_t> extents) {
    bool literal = true;
    for (const std::int64_t e : extents) literal = literal && extent_table::is_literal(e);
    if (literal) return integers(extents);
    names parts;
    for (const std::int64_t e : extents) parts.push_back(extent(e));
    if (parts.size() == 1) return parts[0];
    return add("Concat", parts, attributes().set("axis", 0));
  }

  /// The input, and its axis, from which an extent's symbol is known; -1 where there is none. One that no
  /// output needs would become an input of the file: those that one needs come first.
  static constexpr std::pair<int, int> input_with(const auto& g, const list<char>& needed,
                                                  std::int64_t symbol) {
    std::pair<int, int> other = {-1, -1};
    int id = 0;
    for (const node& n : g.nodes) {
      for (int axis = 0; n.op->kind == family::input && axis < n.rank; ++axis) {
        if (n.shape[axis] != symbol) continue;
        if (id < needed.size() && needed[id] != 0) return {id, axis};
        if (other.first < 0) other = {id, axis};
      }
      ++id;
    }
    return other;
  }

 private:
  graph& graph_;
  const list<char>& needed_;
  graph_parts main_;
  graph_parts* here_;
  names names_, reserved_;
  std::vector<std::pair<std::string, std::string>> constants_;  // their messages without a name, their names
  std::vector<std::pair<std::int64_t, std::string>> extents_;
  list<int> measured_;  // inputs from which extents are known
  int count_ = 0;

  template <class Inputs>
  TAPELESS_COLD std::string add_one(std::string_view op, const Inputs& inputs, const message& attributes,
                                    std::string_view result) {
    std::string name = result.empty() ? fresh_name(op) : std::string(result);
    here_->add_node(node_message(op, inputs, name_list{name}, attributes));
    return name;
  }

  static constexpr std::string_view operator_of(extent_kind kind) {
    switch (kind) {
      case extent_kind::symbol:
        return "Shape";
      case extent_kind::sum:
        return "Add";
      case extent_kind::difference:
        return "Sub";
      case extent_kind::product:
        return "Mul";
      case extent_kind::quotient:
        return "Div";
    }
    return {};
  }
};

}  // namespace tapeless::onnx
