// SPDX-License-Identifier: BSL-1.0
#include "onnx/record.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <tapeless/io/safetensors.hpp>
#include <tapeless/onnx/model_file.hpp>
#include <tapeless/onnx/refusal.hpp>

namespace test {

const char* onnx_folder() {
  static const char* const folder = std::getenv("TAPELESS_ONNX_DIR");
  return folder;
}

void record_graph(const std::string& name, const tapeless::onnx::graph_view& g,
                  const std::vector<tapeless::io::tensor_entry>& parameters,
                  const std::vector<tapeless::io::tensor_entry>& tensors) {
  std::filesystem::create_directories(onnx_folder());
  const std::string path = std::string(onnx_folder()) + "/" + name;
  const tapeless::text refusal = tapeless::onnx::refusal_of(g);
  if (!refusal.empty()) {
    std::ofstream(path + ".refused") << refusal.view() << "\n";
    return;
  }
  tapeless::onnx::write_model(path + ".onnx", g, parameters, {name, {}});
  tapeless::io::write_safetensors(path + ".safetensors", tensors);
}

void record_graph(const std::string& name, const tapeless::onnx::graph_view& g,
                  const std::vector<tapeless::io::tensor_entry>& parameters,
                  std::initializer_list<recorded_tensor> vectors) {
  std::vector<std::vector<float>> single;
  std::vector<tapeless::io::tensor_entry> tensors;
  for (const recorded_tensor& t : vectors) {
    const std::vector<float>& elements = single.emplace_back(t.elements.begin(), t.elements.end());
    tensors.push_back({t.name,
                       tapeless::element::f32,
                       {static_cast<std::int64_t>(elements.size())},
                       std::as_bytes(std::span(elements))});
  }
  record_graph(name, g, parameters, tensors);
}

void record_output_of(const std::string& name, tapeless::onnx::graph_view g, std::string_view output,
                      const std::vector<tapeless::io::tensor_entry>& parameters,
                      const std::vector<tapeless::io::tensor_entry>& tensors) {
  const tapeless::array_view<const tapeless::graph_output> all = g.outputs;
  for (std::size_t k = 0; k < all.size(); ++k)
    if (all[k].label != nullptr && all[k].label->view() == output) g.outputs = all.subspan(k, 1);
  record_graph(name, g, parameters, tensors);
}

}  // namespace test
