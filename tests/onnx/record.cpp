// SPDX-License-Identifier: BSL-1.0
#include "onnx/record.hpp"

#include <filesystem>
#include <fstream>

#include <tapeless/io/safetensors.hpp>
#include <tapeless/onnx/model_file.hpp>
#include <tapeless/onnx/refusal.hpp>

namespace test {

void record_graph(const std::string& folder, const std::string& name, const tapeless::onnx::graph_view& g,
                  const std::vector<tapeless::io::tensor_entry>& parameters,
                  std::initializer_list<recorded_tensor> tensors) {
  std::filesystem::create_directories(folder);
  const std::string path = folder + "/" + name;
  const tapeless::text refusal = tapeless::onnx::refusal_of(g);
  if (!refusal.empty()) {
    std::ofstream(path + ".refused") << refusal.view() << "\n";
    return;
  }
  tapeless::onnx::write_model(path + ".onnx", g, parameters, {name, {}});
  std::vector<std::vector<float>> single;
  std::vector<tapeless::io::tensor_entry> entries;
  for (const recorded_tensor& t : tensors) {
    const std::vector<float>& elements = single.emplace_back(t.elements.begin(), t.elements.end());
    entries.push_back({t.name,
                       tapeless::element::f32,
                       {static_cast<std::int64_t>(elements.size())},
                       std::as_bytes(std::span(elements))});
  }
  tapeless::io::write_safetensors(path + ".safetensors", entries);
}

}  // namespace test
