// SPDX-License-Identifier: BSL-1.0
// Writes a model as an ONNX file, and beside it what goes in and what should come out, for
// tests/onnx/check.py.
#pragma once

#include <cstdlib>
#include <initializer_list>
#include <string>
#include <vector>

#include <tapeless/expr/lower.hpp>
#include <tapeless/io/tensor_entry.hpp>
#include <tapeless/onnx/graph_view.hpp>
#include <tapeless/train/trainer/named_tensors.hpp>

namespace test {

struct recorded_tensor {
  std::string name;                     // "in.x" or "out.y"
  const std::vector<double>& elements;  // that are float's
};

/// Files NAME.onnx and NAME.safetensors in the folder; of what ONNX cannot say, NAME.refused with the reason.
void record_graph(const std::string& folder, const std::string& name, const tapeless::onnx::graph_view& g,
                  const std::vector<tapeless::io::tensor_entry>& parameters,
                  std::initializer_list<recorded_tensor> tensors);

/// A function of vectors; where TAPELESS_ONNX_DIR names a folder.
template <class Function>
void record_for_onnx(const char* name, Function& f, std::initializer_list<recorded_tensor> tensors) {
  static const char* const folder = std::getenv("TAPELESS_ONNX_DIR");
  if (folder == nullptr) return;
  using model = typename Function::graph_builder::model;
  static constexpr auto g =
      tapeless::onnx::view_of(tapeless::constant_graph_of<tapeless::lower_for_evaluation<model>>);
  record_graph(folder, name, g, tapeless::detail::named_tensors(f, false), tensors);
}

}  // namespace test
