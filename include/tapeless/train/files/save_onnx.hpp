// SPDX-License-Identifier: BSL-1.0
// save_onnx(net, path): a model with its weights as an ONNX file, for other runtimes. Not in tapeless.hpp:
// include <tapeless/onnx.hpp>.
#pragma once

#include <string>
#include <vector>

#include <tapeless/expr/compile_error.hpp>
#include <tapeless/expr/lower.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/onnx/model_file.hpp>
#include <tapeless/onnx/refusal.hpp>
#include <tapeless/train/program/parameters.hpp>
#include <tapeless/train/program/tensor_conversion.hpp>
#include <tapeless/train/trainer/error_stub.hpp>
#include <tapeless/train/trainer/named_tensors.hpp>
#include <tapeless/train/trainer/one_of_several.hpp>
#include <tapeless/train/trainer/trainer_interface.hpp>

namespace tapeless {

/// What viewers of an ONNX file show.
struct onnx_options {
  std::string name = "tapeless";  ///< the graph's name
  std::string description = {};   ///< the model's documentation
};

namespace detail {

/// The graph that predict's builder makes, with float values as the model has them.
template <class Builder>
struct unstored {
  using type = Builder;
};
template <class Model, element StoredAs>
struct unstored<predict_graph_builder<Model, StoredAs>> {
  using type = lower_for_evaluation<Model>;
};

/// The model of a trainer or function, and the builder of the graph that it predicts or computes by.
template <class Net>
struct exported {
  using model = typename Net::graph_builder::model;
  using builder = lower_for_evaluation<model>;
};
template <class Net>
  requires requires { typename Net::rule_type; }
struct exported<Net> {
  using model = typename Net::model_type;
  using builder = typename unstored<typename predict_builder_of<model, typename Net::rule_type>::type>::type;
};

/// Writes the graph with these parameters, which may be stored in other types than the model's own.
TAPELESS_COLD inline void save_graph_as_onnx(const std::string& path, const onnx::graph_view& g,
                                             std::vector<io::tensor_entry> parameters,
                                             array_view<const parameter_description> own,
                                             const onnx_options& options) {
  std::vector<std::vector<std::byte>> converted;
  for (io::tensor_entry& e : parameters)
    for (const parameter_description& p : own) {
      if (e.name != p.label->view() || e.type == p.type) continue;
      std::vector<std::byte>& bytes = converted.emplace_back(static_cast<std::size_t>(p.bytes()));
      convert_elements(e.type, e.bytes.data(), p.type, bytes.data(), p.count);
      e.type = p.type;
      e.bytes = bytes;
    }
  onnx::write_model(path, g, parameters, {options.name, options.description});
}

/// Why a builder's graph cannot be exported; empty where it can.
template <class Builder>
constexpr text refuse_onnx() {
  if constexpr (sizes_of<Builder>.error.empty())
    return onnx::refusal_of(onnx::view_of(constant_graph_of<Builder>));
  return sizes_of<Builder>.error;
}
template <class Builder>
inline constexpr text onnx_refusal = refuse_onnx<Builder>();

}  // namespace detail

/// Writes the model of a trainer or function in ONNX (operators of version 20), as it computes in evaluation:
/// dropout is left out, batch normalization goes by its running statistics. Its outputs are those with names;
/// of a model without any its value, as "output". Inputs, outputs and parameters keep their names, run-time
/// extents are dimensions of their names. Parameters in 16 bits are written as what the model says; the file
/// is replaced as a whole or not at all. What ONNX cannot say does not compile; throws an error where the
/// file cannot be written, or would take 2 GiB.
template <detail::no_stub Net>
TAPELESS_WARM void save_onnx(Net& net, const std::string& path, const onnx_options& options = {}) {
  using model = typename detail::exported<Net>::model;
  using builder = typename detail::exported<Net>::builder;
  constexpr const text& refusal = detail::onnx_refusal<builder>;
  if constexpr (refusal.empty()) {
    static constexpr onnx::graph_view g = onnx::view_of(constant_graph_of<builder>);
    if (detail::writes_masters(net))
      detail::save_graph_as_onnx(path, g, detail::named_tensors(net, true), parameters_of_model<model>,
                                 options);
  } else {
    static_assert(compile_error<sentence_of<refusal.size>(refusal)>::reported);
  }
}

// Of a trainer whose model's error has been reported.
inline void save_onnx(error_stub&, const std::string&, const onnx_options& = {}) {}

}  // namespace tapeless
