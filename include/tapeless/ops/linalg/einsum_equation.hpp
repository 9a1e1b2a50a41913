// SPDX-License-Identifier: BSL-1.0
// The equations of einsum: labels for the axes of its operands and of its result.
#pragma once

#include <string_view>

#include <tapeless/graph/core/value.hpp>
#include <tapeless/ops/pointwise/where.hpp>

namespace tapeless::detail {

/// Labels of axes, in order: letters, and numbers for the axes that "..." stands for.
struct axis_labels {
  static constexpr int capacity = 2 * max_rank;
  int count = 0;
  int items[capacity] = {};

  constexpr int find(int label) const {
    for (int i = 0; i < count; ++i)
      if (items[i] == label) return i;
    return -1;
  }
  constexpr bool has(int label) const { return find(label) >= 0; }
  constexpr bool append(int label) {
    if (count == capacity) return false;
    items[count++] = label;
    return true;
  }
  constexpr void append(const axis_labels& more) {
    for (int i = 0; i < more.count; ++i) append(more.items[i]);
  }
  /// Those for which `keep` holds.
  template <class Keep>
  constexpr axis_labels where(Keep keep) const {
    axis_labels some;
    for (int i = 0; i < count; ++i)
      if (keep(items[i])) some.append(items[i]);
    return some;
  }
};

/// An equation as it is written, e.g. "bij,bjk->bik"; "..." is one label.
struct einsum_equation {
  static constexpr int max_inputs = 3;
  static constexpr int ellipsis = 0;  // and 1 to max_rank for its axes, max_rank for the last one
  axis_labels inputs[max_inputs];
  int count = 1;
  axis_labels output;
  bool has_output = false;
  int wrong = -1;  // where the equation stops to be one, if it does

  constexpr explicit einsum_equation(std::string_view equation) {
    for (std::size_t i = 0; i < equation.size() && wrong < 0; ++i) {
      const std::string_view rest = equation.substr(i);
      axis_labels& current = has_output ? output : inputs[count - 1];
      bool right = true;
      if (rest[0] == ',') {
        right = !has_output && count++ < max_inputs;
      } else if (rest.starts_with("->")) {
        right = !has_output;
        has_output = true;
        ++i;
      } else if (rest.starts_with("...")) {
        right = !current.has(ellipsis) && current.append(ellipsis);
        i += 2;
      } else if (rest[0] != ' ') {
        right = is_letter(rest[0]) && current.append(rest[0]);
      }
      if (!right) wrong = static_cast<int>(equation.size() - rest.size());
    }
  }

  static constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
  static constexpr bool is_of_ellipsis(int label) { return label <= max_rank; }

  /// Without "->", the result has the axes of "...", then the labels that stand once, in alphabetical order.
  constexpr void find_output() {
    for (int label = 0; label < 128; ++label) {
      int uses = 0;
      for (int k = 0; k < count; ++k)
        for (int i = 0; i < inputs[k].count; ++i) uses += inputs[k].items[i] == label ? 1 : 0;
      if (uses == 1 || (uses > 1 && is_of_ellipsis(label))) output.append(label);
    }
  }
};

/// The labels with `axes` ones for "..."; the last axis has the largest.
constexpr axis_labels without_ellipsis(const axis_labels& written, int axes) {
  axis_labels all;
  for (int i = 0; i < written.count; ++i) {
    if (written.items[i] != einsum_equation::ellipsis) all.append(written.items[i]);
    for (int k = axes - 1; k >= 0 && written.items[i] == einsum_equation::ellipsis; --k)
      all.append(max_rank - k);
  }
  return all;
}

}  // namespace tapeless::detail
