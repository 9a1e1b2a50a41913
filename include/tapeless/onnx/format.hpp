// SPDX-License-Identifier: BSL-1.0
// The messages of ONNX files that the library writes, by the numbers of their fields in onnx.proto:
// https://github.com/onnx/onnx/blob/main/onnx/onnx.proto
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/element.hpp>
#include <tapeless/graph/core/graph.hpp>
#include <tapeless/io/protobuf.hpp>

namespace tapeless::onnx {

using message = io::protobuf_message;

/// The version of the operators, and of the format itself.
inline constexpr int opset = 20, ir_version = 9;

/// The number of an element type in TensorProto.DataType. What has no type of its own is computed in double.
constexpr int type_number(element type) {
  switch (type) {
    case element::f32:
      return 1;
    case element::u8:
      return 2;
    case element::i8:
      return 3;
    case element::i16:
      return 5;
    case element::u32:
      return 12;
    case element::i32:
      return 6;
    case element::i64:
      return 7;
    case element::boolean:
      return 9;
    case element::f16:
      return 10;
    case element::f64:
    case element::number:
      return 11;
    case element::bf16:
      return 16;
  }
  return 0;
}

/// A node's attributes, each an AttributeProto: fields of a NodeProto.
class attributes {
 public:
  TAPELESS_COLD attributes& set(std::string_view name, std::int64_t x) {
    message m = begun(name, 2);
    m.add_integer(3, x);
    return add(m);
  }
  attributes& set(std::string_view name, int x) { return set(name, std::int64_t(x)); }
  TAPELESS_COLD attributes& set(std::string_view name, double x) {
    message m = begun(name, 1);
    m.add_float(2, static_cast<float>(x));
    return add(m);
  }
  TAPELESS_COLD attributes& set(std::string_view name, const char* x) {
    message m = begun(name, 3);
    m.add_text(4, x);
    return add(m);
  }
  TAPELESS_COLD attributes& set(std::string_view name, array_view<const std::int64_t> all) {
    message m = begun(name, 7);
    for (const std::int64_t x : all) m.add_integer(8, x);
    return add(m);
  }
  TAPELESS_COLD attributes& set_graph(std::string_view name, const message& graph) {
    message m = begun(name, 5);
    m.add_message(6, graph);
    return add(m);
  }

  const message& fields() const { return fields_; }

 private:
  message fields_;

  TAPELESS_COLD static message begun(std::string_view name, int type) {
    message m;
    m.add_text(1, name);
    m.add_integer(20, type);
    return m;
  }
  TAPELESS_COLD attributes& add(const message& m) {
    fields_.add_message(5, m);
    return *this;
  }
};

/// Names of values: a list of those that somebody else keeps costs little to compile.
using names = std::vector<std::string>;
using name_list = std::initializer_list<std::string_view>;

/// A NodeProto. It is named after its first result.
template <class Inputs, class Outputs>
TAPELESS_COLD message node_message(std::string_view op, const Inputs& inputs, const Outputs& outputs,
                                   const message& attributes) {
  message m;
  for (const auto& name : inputs) m.add_text(1, name);
  for (const auto& name : outputs) m.add_text(2, name);
  m.add_text(3, *outputs.begin());
  m.add_text(4, op);
  m.append(attributes);
  return m;
}

/// A TensorProto without its elements, which follow as field `tensor_data`.
inline constexpr int tensor_data = 9;
TAPELESS_COLD inline message tensor_message(std::string_view name, element type,
                                            array_view<const std::int64_t> shape) {
  message m;
  for (const std::int64_t extent : shape) m.add_integer(1, extent);
  m.add_integer(2, type_number(type));
  m.add_text(8, name);
  return m;
}

/// A ValueInfoProto: a name, an element type, and a shape in which run-time extents have names, too.
TAPELESS_COLD inline message value_message(std::string_view name, const graph& g, const node& n) {
  message shape, tensor, type, value;
  for (int i = 0; i < n.rank; ++i) {
    message extent;
    if (extent_table::is_literal(n.shape[i])) {
      extent.add_integer(1, n.shape[i]);
    } else {
      text t;
      g.extents.describe(t, n.shape[i]);
      extent.add_text(2, t.view());
    }
    shape.add_message(1, extent);
  }
  tensor.add_integer(1, type_number(n.type));
  tensor.add_message(2, shape);
  type.add_message(1, tensor);
  value.add_text(1, name);
  value.add_message(2, type);
  return value;
}

/// A GraphProto's parts.
struct graph_parts {
  message nodes, inputs, outputs, initializers;  // each as fields of the graph

  void add_node(const message& node) { nodes.add_message(1, node); }
  void add_input(const message& value) { inputs.add_message(11, value); }
  void add_output(const message& value) { outputs.add_message(12, value); }
};

/// A body in a node.
TAPELESS_COLD inline message body_message(std::string_view name, const graph_parts& parts) {
  message m;
  m.add_text(2, name);
  m.append(parts.nodes);
  m.append(parts.inputs);
  m.append(parts.outputs);
  return m;
}

}  // namespace tapeless::onnx
