// SPDX-License-Identifier: BSL-1.0
// A model as an ONNX file: the graph, and its parameters as initializers.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/io/file.hpp>
#include <tapeless/io/tensor_entry.hpp>
#include <tapeless/onnx/graph_view.hpp>
#include <tapeless/onnx/model_writer.hpp>

namespace tapeless::onnx {

/// Texts that viewers show.
struct model_texts {
  std::string name = "tapeless";
  std::string description = {};
};

/// The pieces of a ModelProto: what is encoded here, and the elements of parameters, which lie elsewhere.
class model_file {
 public:
  TAPELESS_COLD model_file(const model_texts& texts, const graph_parts& parts,
                           const std::vector<io::tensor_entry>& initializers) {
    message graph;
    graph.add_text(2, texts.name);
    graph.append(parts.nodes);
    graph.append(parts.initializers);
    graph.append(parts.inputs);
    graph.append(parts.outputs);
    std::vector<message> heads;
    std::uint64_t size = graph.bytes().size();
    for (const io::tensor_entry& e : initializers) {
      heads.push_back(head_of(e));
      size += heads.back().bytes().size() + e.bytes.size();
    }
    message model, version;
    model.add_integer(1, ir_version);
    model.add_text(2, "tapeless");
    if (!texts.description.empty()) model.add_text(6, texts.description);
    version.add_text(1, "");
    version.add_integer(2, opset);
    model.add_message(8, version);
    model.announce(7, size);
    add(model);
    add(graph);
    for (std::size_t i = 0; i < initializers.size(); ++i) {
      add(heads[i]);
      pieces_.push_back({own_.size(), {initializers[i].bytes.data(), initializers[i].bytes.size()}});
    }
  }

  /// Protocol buffers end at 2 GiB.
  TAPELESS_COLD void write(const std::string& path) const {
    std::vector<array_view<const std::byte>> all;
    std::size_t begin = 0, size = 0;
    const auto own_until = [&](std::size_t end) {
      all.push_back({reinterpret_cast<const std::byte*>(own_.data()) + begin, end - begin});
      begin = end;
    };
    for (const piece& p : pieces_) {
      own_until(p.place);
      all.push_back(p.bytes);
    }
    own_until(own_.size());
    for (const auto& bytes : all) size += bytes.size();
    if (size > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
      throw_error({path, ": the model takes ", size,
                   " bytes, but an ONNX file holds less than 2^31; save its weights "
                   "by save(net, path), or export it in parts"});
    io::write_file_atomically(path, all);
  }

 private:
  struct piece {
    std::size_t place;  // where it stands among what is encoded here
    array_view<const std::byte> bytes;
  };
  std::string own_;
  std::vector<piece> pieces_;

  void add(const message& m) { own_ += m.bytes(); }

  // All of an initializer but its elements.
  static message head_of(const io::tensor_entry& e) {
    message tensor = tensor_message(e.name, e.type, e.shape), head;
    tensor.announce(tensor_data, e.bytes.size());
    head.announce(5, tensor.bytes().size() + e.bytes.size());
    head.append(tensor);
    return head;
  }
};

/// Writes the model of a graph that refusal_of has nothing against; `parameters` are all of its parameters,
/// in the graph's element types.
TAPELESS_COLD inline void write_model(const std::string& path, const graph_view& view,
                                      const std::vector<io::tensor_entry>& parameters,
                                      const model_texts& texts) {
  graph g;
  load_graph(g, view);
  g.outputs.clear();
  for (const graph_output& o : view.exported()) g.outputs.push(o);
  model_writer writer(g);
  std::vector<io::tensor_entry> initializers;
  for (const int id : writer.parameters())
    for (const io::tensor_entry& e : parameters)
      if (e.name == g.nodes[id].label->view()) initializers.push_back(e);
  model_file(texts, writer.parts(), initializers).write(path);
}

}  // namespace tapeless::onnx
