// SPDX-License-Identifier: BSL-1.0
// A model's ONNX file with what goes in and comes out.
#pragma once

#include <tapeless/graph/core/constant_graph.hpp>
#include <tapeless/graph/core/element.hpp>
#include <tapeless/io/safetensors.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "io/temporary_folder.hpp"

namespace test {

/// NAME.onnx, and NAME.safetensors beside it, as tests/onnx/check.py takes them: in the folder that
/// TAPELESS_ONNX_DIR names, where they stay, or in a temporary one.
class exported {
 public:
  explicit exported(std::string name) : name_(std::move(name)) {
    const char* const kept = std::getenv("TAPELESS_ONNX_DIR");
    path_ = kept == nullptr ? folder_.path() : std::string(kept);
    std::filesystem::create_directories(path_);
    path_ += "/" + name_;
  }
  std::string path() const { return path_ + ".onnx"; }

  template <class Elements>
  void input(const std::string& name, const Elements& elements, std::vector<std::int64_t> shape) {
    add("in." + name, elements, std::move(shape));
  }
  template <class View>
  void output(const std::string& name, const View& view) {
    add("out." + name, view, {view.shape().begin(), view.shape().end()});
  }
  template <class Elements>
  void output(const std::string& name, const Elements& elements, std::vector<std::int64_t> shape) {
    add("out." + name, elements, std::move(shape));
  }
  /// All outputs of a function that have names.
  template <class Function, class Result>
  void outputs(const Function&, const Result& r) {
    constexpr auto& all = tapeless::constant_graph_of<typename Function::graph_builder>.outputs;
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (output(std::string(all[I + 1].label->view()), r.template get<*all[I + 1].label>()), ...);
    }(std::make_index_sequence<all.size() - 1>{});
  }
  ~exported() { tapeless::io::write_safetensors(path_ + ".safetensors", entries_); }

 private:
  temporary_folder folder_;
  std::string name_, path_;
  std::vector<std::vector<std::byte>> bytes_;
  std::vector<tapeless::io::tensor_entry> entries_;

  template <class Elements>
  void add(std::string name, const Elements& elements, std::vector<std::int64_t> shape) {
    using element = std::remove_cvref_t<decltype(*elements.begin())>;
    std::vector<std::byte>& bytes = bytes_.emplace_back(elements.size() * sizeof(element));
    if (!bytes.empty()) std::memcpy(bytes.data(), &*elements.begin(), bytes.size());
    entries_.push_back({std::move(name), tapeless::element_of<element>, std::move(shape), bytes});
  }
};

}  // namespace test
