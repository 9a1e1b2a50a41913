// SPDX-License-Identifier: BSL-1.0
// Writes a model as an ONNX file, and beside it what goes in and what should come out, for
// tests/onnx/check.py: where TAPELESS_ONNX_DIR names a folder.
#pragma once

#include <cstddef>
#include <cstring>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>
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

/// The folder that TAPELESS_ONNX_DIR names; a null pointer where it names none.
const char* onnx_folder();

/// Files NAME.onnx and NAME.safetensors in that folder; of what ONNX cannot say, NAME.refused with the
/// reason.
void record_graph(const std::string& name, const tapeless::onnx::graph_view& g,
                  const std::vector<tapeless::io::tensor_entry>& parameters,
                  const std::vector<tapeless::io::tensor_entry>& tensors);
void record_graph(const std::string& name, const tapeless::onnx::graph_view& g,
                  const std::vector<tapeless::io::tensor_entry>& parameters,
                  std::initializer_list<recorded_tensor> vectors);
/// The same of the output of that name alone.
void record_output_of(const std::string& name, tapeless::onnx::graph_view g, std::string_view output,
                      const std::vector<tapeless::io::tensor_entry>& parameters,
                      const std::vector<tapeless::io::tensor_entry>& tensors);

template <class Function>
inline constexpr auto graph_of_function = tapeless::onnx::view_of(
    tapeless::constant_graph_of<tapeless::lower_for_evaluation<typename Function::graph_builder::model>>);

/// A function of vectors.
template <class Function>
void record_for_onnx(const char* name, Function& f, std::initializer_list<recorded_tensor> tensors) {
  if (onnx_folder() == nullptr) return;
  record_graph(name, graph_of_function<Function>, tapeless::detail::named_tensors(f, false), tensors);
}

/// The output of that name, which is `view`, of a function of these inputs, "in.x".
template <class Function, class View>
void record_output(const std::string& name, Function& f, const std::string& output, const View& view,
                   std::vector<tapeless::io::tensor_entry> tensors) {
  if (onnx_folder() == nullptr) return;
  using element = std::remove_cvref_t<decltype(*view.begin())>;
  std::vector<std::byte> bytes(view.size() * sizeof(element));
  std::size_t at = 0;
  for (const element x : view) std::memcpy(bytes.data() + sizeof(element) * at++, &x, sizeof(element));
  tensors.push_back(
      {"out." + output, tapeless::element_of<element>, {view.shape().begin(), view.shape().end()}, bytes});
  record_output_of(name, graph_of_function<Function>, output, tapeless::detail::named_tensors(f, false),
                   tensors);
}

}  // namespace test
