// SPDX-License-Identifier: BSL-1.0
// What the programs that compute the docstrings' examples need: see examples.py.
#pragma once

#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <tuple>

#include <tapeless/expr/constant.hpp>
#include <tapeless/expr/input.hpp>
#include <tapeless/expr/outputs.hpp>
#include <tapeless/expr/param.hpp>
#include <tapeless/operations.hpp>
#include <tapeless/train/trainer/function.hpp>

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
