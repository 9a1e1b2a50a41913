// SPDX-License-Identifier: BSL-1.0
#include "onnx/record.hpp"

#include <filesystem>
#include <fstream>

#include <tapeless/io/safetensors.hpp>
#include <tapeless/onnx/model_file.hpp>
#include <tapeless/onnx/refusal.hpp>

namespace test {

void record_graph(const std::string& folder, const std::string& name, const tapeless::onnx::graph_view& g,
                  std::initializer_list<recorded_tensor> tensors) {
  std::filesystem::create_directories(folder);
  const std::string path = folder + "/" + name;
  const tapeless::text refusal = tapeless::onnx::refusal_of(g);
  if (!refusal.empty()) {
    std::ofstream(path + ".refused") << refusal.view() << "\n";
    return;
  }
  tapeless::onnx::write_model(path + ".onnx", g, {}, {name, {}});
  std::vector<tapeless::io::tensor_entry> entries;
  for (const recorded_tensor& t : tensors)
    entries.push_back({t.name,
                       tapeless::element::f32,
                       {static_cast<std::int64_t>(t.elements.size())},
                       std::as_bytes(std::span(t.elements))});
  tapeless::io::write_safetensors(path + ".safetensors", entries);
}

}  // namespace test
