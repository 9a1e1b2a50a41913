// SPDX-License-Identifier: BSL-1.0
// What the programs that compute the docstrings' examples need: see examples.py.
#pragma once

#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <tapeless/expr/constant.hpp>
#include <tapeless/expr/input.hpp>
#include <tapeless/expr/outputs.hpp>
#include <tapeless/expr/param.hpp>
#include <tapeless/io/tensor_entry.hpp>
#include <tapeless/operations.hpp>
#include <tapeless/train/trainer/function.hpp>

#include "onnx/record.hpp"

namespace tl = tapeless;
using namespace tl::literals;

inline void print_element(auto x) {
  if constexpr (std::same_as<decltype(x), bool>) {
    std::printf("%s", x ? "true" : "false");
  } else {
    std::printf("%.4g", x == 0 ? 0.0 : static_cast<double>(x));
  }
}

/// The elements behind `next` in the brackets of their axes.
template <class Shape, class Iterator>
void print_axes(const Shape& shape, std::size_t axis, Iterator& next) {
  if (axis == shape.size()) return print_element(*next++);
  std::printf("[");
  for (std::int64_t i = 0; i < shape[axis]; ++i) {
    if (i > 0) std::printf(", ");
    print_axes(shape, axis + 1, next);
  }
  std::printf("]");
}

template <class View>
void print(const char* label, const View& view) {
  std::printf("%s ", label);
  auto next = view.begin();
  print_axes(view.shape(), 0, next);
  std::printf("\n");
}

/// Elements that are bound to an input, as files have them.
template <class T, std::size_t N>
tl::io::tensor_entry input(std::string name, const std::array<T, N>& elements,
                           std::vector<std::int64_t> shape) {
  return {"in." + std::move(name), tl::element_of<T>, std::move(shape), std::as_bytes(std::span(elements))};
}

/// Prints an output, and records it for other runtimes, see tests/onnx.
template <tl::name Output, class Function, class Results>
void give(const std::string& label, Function& f, const Results& results,
          const std::vector<tl::io::tensor_entry>& inputs) {
  const auto& view = results.template get<Output>();
  print(label.c_str(), view);
  std::string name = label;
  for (char& c : name)
    if (c == '/' || c == ' ') c = '.';
  test::record_output(name, f, std::string(Output.view()), view, inputs);
}
